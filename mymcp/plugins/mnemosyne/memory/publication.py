"""Putting a new file into a folder: whole or not at all, durable, never over another file."""

import errno
import os
from contextlib import suppress
from pathlib import Path

from mymcp.plugins.mnemosyne.memory.folder import Folder

FILE_MODE = 0o600
_NEW = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
_UNNAMED: int = getattr(os, "O_TMPFILE", 0)
"""Linux only: a file without a name, of which nothing is left if the process dies."""
_NO_UNNAMED = frozenset({errno.EOPNOTSUPP, errno.EISDIR, errno.ENOENT, errno.EINVAL})
_NO_LINK = frozenset(
    {errno.EPERM, errno.EOPNOTSUPP, errno.ENOTSUP, errno.ENOSYS, errno.EXDEV, errno.EMLINK}
)


class PublicationUncertain(Exception):
    """The file has its name, but the disk did not confirm it."""


def publish(folder: Folder, name: str, data: bytes, *, token: str) -> None:
    """Create file `name` in `folder` with `data`, mode 0600.

    `token` is a few random hex digits for a temporary name where one is needed. Raises
    `FileExistsError` if the name is taken and `OSError` if nothing was created;
    `PublicationUncertain` if the file is there but the folder could not be synced.
    """
    if not _published_unnamed(folder, name, data):
        _publish_named(folder, name, data, f".{Path(name).stem}.{token}.tmp")
    try:
        folder.sync()
    except OSError as error:
        raise PublicationUncertain from error


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
    descriptor = os.open(temporary, _NEW, FILE_MODE, dir_fd=folder.descriptor)
    try:
        try:
            _fill(descriptor, data)
        finally:
            os.close(descriptor)
        _give_name(folder, name, temporary)
    except BaseException:
        with suppress(OSError):  # the first error is the one to report
            os.unlink(temporary, dir_fd=folder.descriptor)
        raise
    try:
        os.unlink(temporary, dir_fd=folder.descriptor)
    except FileNotFoundError:  # it was renamed
        pass
    except OSError as error:
        raise PublicationUncertain from error


def _give_name(folder: Folder, name: str, temporary: str) -> None:
    here = folder.descriptor
    try:
        os.link(temporary, name, src_dir_fd=here, dst_dir_fd=here, follow_symlinks=False)
    except FileExistsError:
        raise
    except OSError as error:
        if error.errno not in _NO_LINK:
            raise
        _claim_and_replace(folder, name, temporary)


def _claim_and_replace(folder: Folder, name: str, temporary: str) -> None:
    """Publish where there are no hard links: claim the name, then put the whole file over it."""
    os.close(os.open(name, _NEW, FILE_MODE, dir_fd=folder.descriptor))
    try:
        os.rename(temporary, name, src_dir_fd=folder.descriptor, dst_dir_fd=folder.descriptor)
    except OSError:
        os.unlink(name, dir_fd=folder.descriptor)
        raise


def _fill(descriptor: int, data: bytes) -> None:
    os.fchmod(descriptor, FILE_MODE)  # whatever the umask says
    rest = memoryview(data)
    while rest:
        rest = rest[os.write(descriptor, rest) :]
    os.fsync(descriptor)
