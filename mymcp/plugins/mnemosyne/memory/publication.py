"""Putting a file into a folder, putting another in its place, and taking it out.

Whole or not at all, and durable: a file has its name only once it is on the disk, and the folder
is synced before the caller hears that it is done. A kill leaves a temporary at most.
"""

import errno
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from stat import S_ISREG

from mymcp.plugins.mnemosyne.memory.folder import Folder
from mymcp.plugins.mnemosyne.memory.renaming import rename_unless_taken
from mymcp.plugins.mnemosyne.memory.temporaries import discard, temporary_name

FILE_MODE = 0o600
_NEW = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
_UNNAMED: int = getattr(os, "O_TMPFILE", 0)
"""Linux only: a file without a name, of which nothing is left if the process dies."""
_NO_UNNAMED = frozenset({errno.EOPNOTSUPP, errno.EISDIR, errno.ENOENT, errno.EINVAL})
_NO_LINK = frozenset(
    {errno.EPERM, errno.EOPNOTSUPP, errno.ENOTSUP, errno.ENOSYS, errno.EXDEV, errno.EMLINK}
)


class PublicationUncertain(Exception):
    """The name was given, given to another file or taken away, but the disk did not confirm it.

    Or the call that should do it failed, and yet it looks done: over a network, an answer is lost.
    """


class FileChanged(Exception):
    """The file is no longer the one that the caller read; nothing was done to it."""


def publish(folder: Folder, name: str, data: bytes, *, token: str) -> None:
    """Create file `name` in `folder` with `data`, mode 0600.

    `token` is a few random hex digits for a temporary name where one is needed. Raises
    `FileExistsError` if the name is taken and `OSError` if nothing was created;
    `PublicationUncertain` if the file is there but that was not confirmed.
    """
    if not _published_unnamed(folder, name, data):
        _publish_named(folder, name, data, temporary_name(name, token))
    _confirm(folder)


def republish(folder: Folder, name: str, data: bytes, *, over: bytes, token: str) -> None:
    """Put a new file with `data`, mode 0600, in the place of file `name`, which holds `over`.

    `token` as for `publish`. Raises `FileChanged` if `name` holds something else, `OSError` if it
    stays as it was, `PublicationUncertain` if the new one is there but that was not confirmed.
    """
    # Not from an unnamed file: a link replaces nothing, so a temporary is needed in any case.
    temporary = temporary_name(name, token)
    with _temporary(folder, temporary, data):
        _require(folder, name, over)
        with _looking(folder, name, data):
            os.rename(temporary, name, src_dir_fd=folder.descriptor, dst_dir_fd=folder.descriptor)
    _confirm(folder)


def withdraw(folder: Folder, name: str, *, holding: bytes) -> None:
    """Delete file `name`, which holds `holding`, and before it whatever temporaries it has.

    Raises `FileChanged`, `OSError` if the file is still there, `PublicationUncertain` if it is
    gone but that was not confirmed.
    """
    # A temporary may hold the same text, or be the same file under a second name.
    discard(folder, name)
    _require(folder, name, holding)
    try:
        os.unlink(name, dir_fd=folder.descriptor)
    except FileNotFoundError:
        raise FileChanged from None
    except OSError as error:
        if _is_there(folder, name):
            raise
        raise PublicationUncertain from error
    _confirm(folder)


def _published_unnamed(folder: Folder, name: str, data: bytes) -> bool:
    """Publish from a file without a name; return false where the system cannot."""
    if not _UNNAMED:
        return False
    try:
        unnamed = os.open(
            ".", os.O_WRONLY | _UNNAMED | os.O_CLOEXEC, FILE_MODE, dir_fd=folder.descriptor
        )
    except OSError as error:
        if error.errno in _NO_UNNAMED:
            return False
        raise
    try:
        _fill(unnamed, data)
        with _looking(folder, name, data):
            return _linked(f"/proc/self/fd/{unnamed}", name, folder)
    finally:
        os.close(unnamed)


def _linked(source: str, name: str, folder: Folder) -> bool:
    """Give the unnamed file `source` its name; return false where /proc or links are missing."""
    try:
        # With dst_dir_fd CPython calls linkat, which alone can follow /proc/self/fd.
        os.link(source, name, dst_dir_fd=folder.descriptor, follow_symlinks=True)
    except FileExistsError:
        raise
    except OSError as error:
        if error.errno in _NO_LINK or error.errno == errno.ENOENT:
            return False
        raise
    return True


def _publish_named(folder: Folder, name: str, data: bytes, temporary: str) -> None:
    with _temporary(folder, temporary, data), _looking(folder, name, data):
        _give_name(folder, name, temporary)
    try:
        os.unlink(temporary, dir_fd=folder.descriptor)
    except FileNotFoundError:  # it was renamed
        pass
    except OSError as error:
        raise PublicationUncertain from error


@contextmanager
def _temporary(folder: Folder, name: str, data: bytes) -> Iterator[None]:
    """Make file `name` with `data`, on the disk; delete it if the block fails."""
    descriptor = os.open(name, _NEW, FILE_MODE, dir_fd=folder.descriptor)
    try:
        try:
            _fill(descriptor, data)
        finally:
            os.close(descriptor)
        yield
    except BaseException:
        with suppress(OSError):  # the first error is the one to report
            os.unlink(name, dir_fd=folder.descriptor)
        raise


def _give_name(folder: Folder, name: str, temporary: str) -> None:
    here = folder.descriptor
    try:
        os.link(temporary, name, src_dir_fd=here, dst_dir_fd=here, follow_symlinks=False)
    except FileExistsError:
        raise
    except OSError as error:
        if error.errno not in _NO_LINK:
            raise
        rename_unless_taken(folder, temporary, name)


@contextmanager
def _looking(folder: Folder, name: str, data: bytes) -> Iterator[None]:
    """Raise `PublicationUncertain` if the block fails, and yet file `name` holds `data`."""
    try:
        yield
    except OSError as error:
        if _may_hold(folder, name, data):
            raise PublicationUncertain from error
        raise


def _may_hold(folder: Folder, name: str, data: bytes) -> bool:
    """Tell whether file `name` holds `data`, or nobody can tell."""
    try:
        state = os.stat(name, dir_fd=folder.descriptor, follow_symlinks=False)
        if not S_ISREG(state.st_mode) or state.st_size != len(data):
            return False
        found, _ = folder.read(name, len(data) + 1)
    except (FileNotFoundError, PermissionError):  # ours could be read
        return False
    except OSError:
        return True
    return found == data


def _is_there(folder: Folder, name: str) -> bool:
    try:
        os.stat(name, dir_fd=folder.descriptor, follow_symlinks=False)
    except OSError:
        return False
    return True


def _require(folder: Folder, name: str, data: bytes) -> None:
    """Raise `FileChanged` unless file `name` holds exactly `data`."""
    try:
        found, _ = folder.read(name, len(data) + 1)
    except FileNotFoundError:
        raise FileChanged from None
    if found != data:
        raise FileChanged


def _confirm(folder: Folder) -> None:
    try:
        folder.sync()
    except OSError as error:
        raise PublicationUncertain from error


def _fill(descriptor: int, data: bytes) -> None:
    os.fchmod(descriptor, FILE_MODE)  # whatever the umask says
    rest = memoryview(data)
    while rest:
        rest = rest[os.write(descriptor, rest) :]
    os.fsync(descriptor)
