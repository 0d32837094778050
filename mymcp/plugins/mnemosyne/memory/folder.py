"""An open folder. Everything in it is reached from its descriptor, and no symlink is followed.

A path is looked up anew with every system call, so whoever can write in the tree could swap a
folder between a check and its use. A descriptor stays what it was.
"""

import errno
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from stat import S_IMODE, S_ISREG
from types import TracebackType
from typing import Self

FOLDER_MODE = 0o700
_OPEN_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
_OPEN_ABOVE = os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC
# Opening a pipe for reading waits for a writer unless O_NONBLOCK says otherwise.
_OPEN_FILE = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC
_READ_BYTES = 65_536


def _always() -> bool:
    return True


class Folder:
    """One open folder; a context manager that closes it. Every method may raise `OSError`.

    `is_current` tells whether it is still what its opener meant; folders in it ask the same.
    """

    __slots__ = ("_is_current", "descriptor")

    def __init__(self, descriptor: int, is_current: Callable[[], bool] = _always) -> None:
        self.descriptor = descriptor
        self._is_current = is_current

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close it; it must not be used any more."""
        os.close(self.descriptor)

    @classmethod
    def at(cls, path: Path) -> Self:
        """Open the folder at `path`. Folders above it may be symlinks, it itself may not."""
        return cls(os.open(path, _OPEN_FOLDER))

    def child(self, name: str) -> Self:
        """Open the folder `name` in this one."""
        return type(self)(os.open(name, _OPEN_FOLDER, dir_fd=self.descriptor), self._is_current)

    @contextmanager
    def below(self, names: tuple[str, ...]) -> Iterator[Self]:
        """Open the folder that `names` leads to, one step at a time; closed at the end."""
        opened: list[Self] = []
        folder = self
        try:
            for name in names:
                folder = folder.child(name)
                opened.append(folder)
            yield folder
        finally:
            for each in opened:
                each.close()

    def entries(self) -> list[os.DirEntry[str]]:
        """Return what lies in this folder, by name in code-point order."""
        with os.scandir(self.descriptor) as found:
            return sorted(found, key=lambda entry: entry.name)

    def read(self, name: str, most: int) -> tuple[bytes, os.stat_result]:
        """Return the bytes of regular file `name`, at most `most`, and its state after reading."""
        descriptor = os.open(name, _OPEN_FILE, dir_fd=self.descriptor)
        try:
            state = os.fstat(descriptor)
            if not S_ISREG(state.st_mode):
                raise OSError(errno.EINVAL, "not a regular file")
            return _read(descriptor, most, state.st_size), os.fstat(descriptor)
        finally:
            os.close(descriptor)

    def made(self, name: str) -> Self:
        """Open the folder `name` in this one; make it, private and durable, if there is none."""
        try:
            os.mkdir(name, FOLDER_MODE, dir_fd=self.descriptor)
        except FileExistsError:
            return self.child(name)
        try:
            self._give_to_owner(name)
            self.sync()
        except OSError:
            # Left behind, it would look durable to the next call.
            with suppress(OSError):
                os.rmdir(name, dir_fd=self.descriptor)
            raise
        return self.child(name)

    def sync(self) -> None:
        """Wait until the names in this folder are on the disk.

        That is an `OSError` too if the folder is not current: nobody would find them.
        """
        os.fsync(self.descriptor)
        if not self._is_current():
            raise OSError(errno.ESTALE, "no longer the folder that was meant")

    def _give_to_owner(self, name: str) -> None:
        """Give the new folder `name` the rights that the umask took from its owner."""
        mode = os.stat(name, dir_fd=self.descriptor, follow_symlinks=False).st_mode
        if S_IMODE(mode) & FOLDER_MODE == FOLDER_MODE:
            return
        try:  # by its name: without these rights it cannot be opened
            os.chmod(name, FOLDER_MODE, dir_fd=self.descriptor, follow_symlinks=False)
        except NotImplementedError as error:
            raise OSError(errno.ENOTSUP, "no chmod without following links") from error


def made_folder(path: Path) -> Folder:
    """Open the folder at `path`, made with all that is missing above it.

    `path` is absolute. What exists above may be reached through symlinks; what is made may not.
    """
    try:
        return Folder.at(path)
    except FileNotFoundError:
        with _made_above(path.parent) as above:
            return above.made(path.name)


def _made_above(path: Path) -> Folder:
    try:
        return Folder(os.open(path, _OPEN_ABOVE))
    except FileNotFoundError:
        if path == path.parent:
            raise
        with _made_above(path.parent) as above:
            return above.made(path.name)


def _read(descriptor: int, most: int, size: int) -> bytes:
    """Return what is in a file, at most `most` bytes; it should be `size`."""
    first = os.read(descriptor, min(most, size + 1))
    if len(first) in {size, most}:
        return first
    parts, most = [first], most - len(first)
    while most > 0 and (part := os.read(descriptor, min(most, _READ_BYTES))):
        parts.append(part)
        most -= len(part)
    return b"".join(parts)
