"""Keeping shelves as fresh as the tree of files.

Files are the truth, and whoever edits one by hand is right at the next call. There are two ways to
know: to compare the stamps of all files, which is always right and costs some microseconds a
file; and to have the kernel tell what changed, which costs nothing while nothing does, but only
some file systems tell everything.
"""

from collections.abc import Callable
from time import time_ns

from mymcp.plugins.mnemosyne.memory.descent import opened_below
from mymcp.plugins.mnemosyne.memory.faults import MemoryFault
from mymcp.plugins.mnemosyne.memory.folder import Folder
from mymcp.plugins.mnemosyne.memory.following import Following
from mymcp.plugins.mnemosyne.memory.notices import Notices, Skip
from mymcp.plugins.mnemosyne.memory.places import Container
from mymcp.plugins.mnemosyne.memory.readings import Reader
from mymcp.plugins.mnemosyne.memory.shelf import Shelf
from mymcp.plugins.mnemosyne.memory.sweep import Sweep
from mymcp.plugins.mnemosyne.memory.watching.lookout import Lookout
from mymcp.plugins.mnemosyne.memory.watching.watch import Unwatchable, Watch


class Freshness:
    """Keeps shelves up to date with the tree below a root.

    `limit` is the most record files that one selection may hold, `key` that of `reading_of`.
    Whoever calls holds the lock of the shelf; calls for several scopes may run at once.
    """

    def __init__(self, *, limit: int, key: bytes, now_ns: Callable[[], int] = time_ns) -> None:
        self._limit = limit
        self._reader = Reader(key, now_ns)
        self._notices = Notices()
        self._lookout = Lookout()
        self._followed: dict[str, Following] = {}

    def catch_up(self, root: Folder | None, shelf: Shelf, container: Container) -> None:
        """Bring `shelf` up to date with `container`, a part or all of its scope, below `root`.

        `root` was opened for this call; none says that it is missing. Raises `SourceUnavailable`
        if something in `container` cannot be seen, `CandidateLimitExceeded` if it holds too much;
        the shelf is then no answer, and the next call mends it.
        """
        if root is None:
            self._followed.pop(shelf.scope, None)
            shelf.clear()
            return
        try:
            self._catch_up(root, shelf, container)
        except MemoryFault:
            raise
        except BaseException:
            self._followed.pop(shelf.scope, None)  # the shelf may be cleared: it begins anew
            raise

    def close(self) -> None:
        """Let go of every descriptor. What is asked later begins from the start."""
        self._followed.clear()
        self._lookout.close()

    def _catch_up(self, root: Folder, shelf: Shelf, container: Container) -> None:
        skips: list[Skip] = []
        try:
            if not self._is_told(root, shelf, container, skips):
                self._sweep(root, shelf, container, skips)
                skips += too_deep(shelf, container)
        finally:
            if skips:
                self._notices.tell(skips)

    def _is_told(self, root: Folder, shelf: Shelf, container: Container, skips: list[Skip]) -> bool:
        """Catch up by what a watch tells; tell whether that could be done."""
        watch = self._lookout.watch(root.descriptor)
        if watch is None:
            self._followed.pop(shelf.scope, None)
            return False
        following = self._following(shelf, watch)
        is_part = len(container.folders) > 1
        if is_part and following.has_failed:
            return False
        try:
            following.catch_up(root, skips)
        except Unwatchable:
            self._lookout.give_up(watch)
            return False
        except MemoryFault:
            if is_part:
                return False
            raise
        if container.folders not in shelf.folders:
            with opened_below(root, container.folders):  # nothing, or nothing that may be there
                pass
        if following.is_first_look(container):
            skips += too_deep(shelf, container)
        return True

    def _following(self, shelf: Shelf, watch: Watch) -> Following:
        """Return how far the scope of `shelf` is followed; from the start if something changed."""
        found = self._followed.get(shelf.scope)
        if found is None or found.shelf is not shelf or found.watch is not watch:
            found = Following(shelf, watch, self._limit, self._reader)
            self._followed[shelf.scope] = found
        return found

    def _sweep(self, root: Folder, shelf: Shelf, container: Container, skips: list[Skip]) -> None:
        sweep = Sweep(shelf, self._limit, self._reader.now_ns)
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
