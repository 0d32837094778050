"""Keeping shelves as fresh as the tree of files."""

from collections.abc import Callable
from time import time_ns

from mymcp.plugins.mnemosyne.memory.folder import Folder
from mymcp.plugins.mnemosyne.memory.notices import Notices, Skip
from mymcp.plugins.mnemosyne.memory.places import Container
from mymcp.plugins.mnemosyne.memory.readings import Reader
from mymcp.plugins.mnemosyne.memory.shelf import Shelf
from mymcp.plugins.mnemosyne.memory.sweep import Sweep


class Freshness:
    """Keeps shelves up to date with the tree below a root.

    `limit` is the most record files that one selection may hold, `key` that of `reading_of`.
    Whoever calls holds the lock of the shelf; calls for several scopes may run at once.
    """

    def __init__(self, *, limit: int, key: bytes, now_ns: Callable[[], int] = time_ns) -> None:
        self._limit = limit
        self._reader = Reader(key, now_ns)
        self._notices = Notices()

    def catch_up(self, root: Folder | None, shelf: Shelf, container: Container) -> None:
        """Bring `shelf` up to date with `container`, a part or all of its scope, below `root`.

        `root` was opened for this call; none says that it is missing. Raises `SourceUnavailable`
        if something in `container` cannot be seen, `CandidateLimitExceeded` if it holds too much;
        the shelf is then no answer, and the next call mends it.
        """
        if root is None:
            shelf.clear()
            return
        skips: list[Skip] = []
        try:
            self._sweep(root, shelf, container, skips)
            skips += too_deep(shelf, container)
        finally:
            self._notices.tell(skips)

    def _sweep(self, root: Folder, shelf: Shelf, container: Container, skips: list[Skip]) -> None:
        sweep = Sweep(shelf, self._limit)
        try:
            sweep.walk(root, container)
        finally:
            skips += sweep.skips
        self._reader.read(root, shelf, sweep.unread, skips)


def too_deep(shelf: Shelf, container: Container) -> list[Skip]:
    """Return the folders of `container` that it leaves out for lying too deep."""
    if container.exact:
        return []
    here = [container.folders] if container.folders in shelf.folders else []
    for _ in range(container.levels):
        here = [
            (*path, name)
            for path in here
            for name in shelf.folders[path].subfolders
            if (*path, name) in shelf.folders
        ]
    return [
        Skip((*path, name), "too_deep") for path in here for name in shelf.folders[path].subfolders
    ]
