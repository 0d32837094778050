"""Putting another file in the place of an operator's: whole or not at all, one writer at a time.

Only commands of the operator do this; the server never does.
"""

import fcntl
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from secrets import token_hex
from typing import Final

from mymcp.sources import file
from mymcp.sources.refusal import SourceError

SECRET_MODE: Final = 0o600

_OPEN_FOLDER: Final = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
_MAKE_FILE: Final = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC


def replace(path: Path, change: Callable[[bytes | None], bytes | None], *, limit: int) -> None:
    """Put `change(what is there)` in the place of the file at absolute `path`, with mode 0600.

    `change` gets none if there is no file, and gives none to leave everything as it is. What it
    raises ends the work with nothing changed.
    The file is read as `mymcp.sources.file.read` does with the mode of secrets, `limit` is the most
    bytes it may have before and after. Two such replacements in one folder, by any processes, come
    one after the other.

    Raises `SourceError`: what `read` raises; `unsafe_path` if there is no such folder; `too_large`
    for the new content; `unreadable` for every failure of the disk.
    """
    if not path.is_absolute():
        raise SourceError("unsafe_path")
    try:
        with _alone_in(path.parent) as folder:
            old = file.read(path, limit=limit, forbidden=file.OPEN_TO_OTHERS)
            new = change(old)
            if new is None:
                return
            if len(new) > limit:
                raise SourceError("too_large")
            _publish(new, path.name, folder)
    except ValueError:  # a NUL or half a character: no file has such a name
        raise SourceError("unsafe_path") from None
    except (FileNotFoundError, NotADirectoryError):
        raise SourceError("unsafe_path") from None
    except OSError as error:
        raise SourceError(file.code_of(error)) from None


@contextmanager
def _alone_in(path: Path) -> Iterator[int]:
    """Yield a descriptor of the folder at `path` that no other writer has locked meanwhile."""
    descriptor = os.open(path, _OPEN_FOLDER)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield descriptor
    finally:
        os.close(descriptor)


def _publish(content: bytes, name: str, folder: int) -> None:
    temporary = f".{name}.{token_hex(8)}"
    descriptor = os.open(temporary, _MAKE_FILE, SECRET_MODE, dir_fd=folder)
    try:
        try:
            os.fchmod(descriptor, SECRET_MODE)
            _write(descriptor, content)
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
        os.rename(temporary, name, src_dir_fd=folder, dst_dir_fd=folder)
    except BaseException:
        with suppress(OSError):
            os.unlink(temporary, dir_fd=folder)
        raise
    os.fsync(folder)


def _write(descriptor: int, content: bytes) -> None:
    while content:
        content = content[os.write(descriptor, content) :]
