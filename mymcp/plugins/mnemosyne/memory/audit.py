"""Looking at a few files in every call, in turn, for what no event tells of.

A write through a shared map of memory, or through a name outside the tree, is queued nowhere. It
shows in the file's stamp, and no file goes unlooked at for longer than one round of calls.
"""

from collections.abc import Sequence

from mymcp.plugins.mnemosyne.memory.entries import Path
from mymcp.plugins.mnemosyne.memory.shelf import Shelf

FILES_PER_CALL = 16
FOLDERS_PER_CALL = 8
"""Folders without files of their own that one call passes over."""


class Audit:
    """The round of one shelf."""

    def __init__(self, shelf: Shelf) -> None:
        self._shelf = shelf
        self._folders: list[Path] = []
        self._path: Path = ()
        self._names: list[str] = []

    def next(self) -> tuple[Path, Sequence[str]]:
        """Return the next few files, by their folder and names in it; they may be gone by now."""
        for _ in range(FOLDERS_PER_CALL):
            if self._names:
                break
            self._turn()
        names = self._names[-FILES_PER_CALL:]
        del self._names[-FILES_PER_CALL:]
        return self._path, names

    def _turn(self) -> None:
        if not self._folders:
            self._folders = list(self._shelf.folders)
        if self._folders:
            self._path = self._folders.pop()
            state = self._shelf.folders.get(self._path)
            self._names = [] if state is None else list(state.stamps)
