"""A shelf: everything that is known of one scope, in memory.

It does no I/O. Storage tells it what lies where (`place`, `remove`, and the names in each
folder), and selections are answered from it. It is never older than the storage's last word.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from mymcp.plugins.mnemosyne.memory.entries import Entry, Path, Reading, SkipReason, Stamp


@dataclass(slots=True)
class FolderState:
    """What lies in one folder, by name.

    `stamps` are those of all record files, valid or not; `skipped` says which of them cannot be
    served and why. `subfolders` and `symlinks` are kept by whoever lists the folder.
    """

    stamps: dict[str, Stamp] = field(default_factory=dict)
    skipped: dict[str, SkipReason] = field(default_factory=dict)
    subfolders: set[str] = field(default_factory=set)
    symlinks: set[str] = field(default_factory=set)


class Shelf:
    """All of one scope. Whoever uses it holds its lock."""

    def __init__(self, scope: str) -> None:
        self.scope = scope
        self.folders: dict[Path, FolderState] = {}
        self.candidate_count = 0

    def folder(self, path: Path) -> FolderState:
        """Return what is known of the folder at `path`; from now on it is known to be there."""
        state = self.folders.get(path)
        if state is None:
            state = self.folders[path] = FolderState()
        return state

    def place(self, path: Path, stamp: Stamp, reading: Reading) -> None:
        """Learn that the file at `path` was read at `stamp`; its folder is known."""
        state, name = self.folders[path[:-1]], path[-1]
        if name in state.stamps:
            self._take_out(state, path)
        state.stamps[name] = stamp
        self.candidate_count += 1
        if isinstance(reading, Entry):
            self._put_in(reading)
        else:
            state.skipped[name] = reading

    def remove(self, path: Path) -> None:
        """Learn that the file at `path`, which is known, is gone."""
        self._take_out(self.folders[path[:-1]], path)

    def remove_folder(self, path: Path) -> None:
        """Learn that the folder at `path` is gone with all that was below it; it may be unknown."""
        state = self.folders.get(path)
        if state is None:
            return
        for name in state.subfolders:
            self.remove_folder((*path, name))
        for name in list(state.stamps):
            self._take_out(state, (*path, name))
        del self.folders[path]

    def clear(self) -> None:
        """Forget everything."""
        self.folders.clear()
        self.candidate_count = 0

    @contextmanager
    def loading(self) -> Iterator[None]:
        """Put what is placed meanwhile in order only at the end: for many files at once."""
        yield

    def _put_in(self, entry: Entry) -> None:
        raise NotImplementedError

    def _take_out(self, state: FolderState, path: Path) -> None:
        name = path[-1]
        del state.stamps[name]
        self.candidate_count -= 1
        state.skipped.pop(name, None)
