"""The bytes of an operator's file: bounded, through no symlink, from one moment.

Whoever may write such a file, or put another in its place, decides what the server does. So the
file and the folder it lies in must belong to the user of this process or to root, and be writable
by nobody else; neither may be a symlink. Folders further up may be, and hard links are fine.
"""

import errno
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from stat import S_IMODE, S_ISDIR, S_ISLNK, S_ISREG

from mymcp.sources.refusal import SourceCode, SourceError

WRITABLE_BY_OTHERS = 0o022
"""Mode bits that no file may have."""
OPEN_TO_OTHERS = 0o077
"""Mode bits that a file with secrets may not have."""

_ROOT_USER = 0
_OPEN_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
# Opening a pipe for reading waits for a writer unless O_NONBLOCK says otherwise.
_OPEN_FILE = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC
_CODES: dict[int | None, SourceCode] = {
    errno.ELOOP: "unsafe_path",
    errno.ENOTDIR: "unsafe_path",
    errno.EISDIR: "not_regular",
    errno.ENOENT: "source_changed",
}
_Stamp = tuple[int, int, int, int, int, int, int]


def read(path: Path, *, limit: int, forbidden: int = WRITABLE_BY_OTHERS) -> bytes | None:
    """Return what the file at absolute `path` holds; none if it or its folder is missing.

    `limit` is the most bytes it may have, `forbidden` the mode bits that it may not have. Nothing
    is made or changed. Raises `SourceError` with the code of the first check that fails, in this
    order: `unsafe_path`, `unsafe_permissions` of the folder; `unsafe_path`, `not_regular`,
    `unsafe_permissions`, `too_large` of the file; `source_changed` if another file was put in its
    place or it was written while it was read. `unreadable` is every other failure of the disk.
    """
    if not path.is_absolute():
        raise SourceError("unsafe_path")
    try:
        folder = os.lstat(path.parent)
        _check_folder(folder)
        file = os.lstat(path)
    except FileNotFoundError:
        return None
    except ValueError:  # a NUL or half a character: no file has such a name
        raise SourceError("unsafe_path") from None
    except OSError as error:
        raise SourceError(code_of(error)) from None
    _check_file(file, limit, forbidden)
    try:
        return _content(path, folder, file, limit)
    except OSError as error:
        raise SourceError(code_of(error)) from None


def code_of(error: OSError) -> SourceCode:
    """Return what a failure of the disk says about a file."""
    return _CODES.get(error.errno, "unreadable")


def _content(path: Path, folder: os.stat_result, file: os.stat_result, limit: int) -> bytes:
    """Return the bytes of the very file that was examined, in the very folder."""
    with _opened(path.parent, _OPEN_FOLDER) as above:
        _require(_identity(os.fstat(above)) == _identity(folder))
        with _opened(Path(path.name), _OPEN_FILE, above) as descriptor:
            _require(_stamp(os.fstat(descriptor)) == _stamp(file))
            data = _bytes(descriptor, limit + 1)
            if len(data) > limit:
                raise SourceError("too_large")
            # Times move in steps of milliseconds; what is written within one shows in the bytes.
            _require(data == _bytes(descriptor, limit + 1))
            _require(len(data) == file.st_size)
        named = os.stat(path.name, dir_fd=above, follow_symlinks=False)
        _require(_stamp(named) == _stamp(file))
        _require(_identity(os.lstat(path.parent)) == _identity(folder))
        _check_folder(os.fstat(above))
    return data


def _check_folder(state: os.stat_result) -> None:
    if not S_ISDIR(state.st_mode):
        raise SourceError("unsafe_path")
    _check_authority(state, WRITABLE_BY_OTHERS)


def _check_file(state: os.stat_result, limit: int, forbidden: int) -> None:
    if not S_ISREG(state.st_mode):
        raise SourceError("unsafe_path" if S_ISLNK(state.st_mode) else "not_regular")
    _check_authority(state, forbidden)
    if state.st_size > limit:
        raise SourceError("too_large")


def _check_authority(state: os.stat_result, forbidden: int) -> None:
    if state.st_uid not in {os.geteuid(), _ROOT_USER} or S_IMODE(state.st_mode) & forbidden:
        raise SourceError("unsafe_permissions")


def _require(unchanged: bool) -> None:
    if not unchanged:
        raise SourceError("source_changed")


def _identity(state: os.stat_result) -> tuple[int, int]:
    """Return what stays while other files come and go in a folder."""
    return (state.st_dev, state.st_ino)


def _stamp(state: os.stat_result) -> _Stamp:
    """Return what changes with a file or its rights; the time of change cannot be put back."""
    return (
        state.st_dev,
        state.st_ino,
        state.st_mode,
        state.st_uid,
        state.st_size,
        state.st_mtime_ns,
        state.st_ctime_ns,
    )


@contextmanager
def _opened(path: Path, flags: int, above: int | None = None) -> Iterator[int]:
    descriptor = os.open(path, flags, dir_fd=above)
    try:
        yield descriptor
    finally:
        os.close(descriptor)


def _bytes(descriptor: int, most: int) -> bytes:
    parts: list[bytes] = []
    place = 0
    while place < most and (part := os.pread(descriptor, most - place, place)):
        parts.append(part)
        place += len(part)
    return b"".join(parts)
