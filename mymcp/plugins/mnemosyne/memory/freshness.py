"""Plain freshness: everything is walked and compared on every call."""

from collections.abc import Callable
from time import time_ns

from mymcp.plugins.mnemosyne.memory.descent import opened_below
from mymcp.plugins.mnemosyne.memory.discovery import discover
from mymcp.plugins.mnemosyne.memory.entries import reading_of
from mymcp.plugins.mnemosyne.memory.folder import Folder
from mymcp.plugins.mnemosyne.memory.places import Container
from mymcp.plugins.mnemosyne.memory.records import RECORD_MAX_BYTES
from mymcp.plugins.mnemosyne.memory.shelf import Shelf


class Freshness:
    def __init__(self, *, limit: int, key: bytes, now_ns: Callable[[], int] = time_ns) -> None:
        self._limit, self._key = limit, key

    def catch_up(self, root: Folder | None, shelf: Shelf, container: Container) -> None:
        if root is None:
            shelf.clear()
            return
        with opened_below(root, container.folders) as folder:
            shelf.clear()
            if folder is None:
                return
            found = discover(folder, container, self._limit)
            with shelf.loading():
                for candidate in found.candidates:
                    for n in range(len(container.folders), len(candidate.path)):
                        above = candidate.path[:n]
                        shelf.folder(above)
                        if n > len(container.folders):
                            shelf.folder(above[:-1]).subfolders.add(above[-1])
                    shelf.folder(container.folders)
                    with folder.below(candidate.path[len(container.folders) : -1]) as home:
                        try:
                            data, _ = home.read(candidate.path[-1], RECORD_MAX_BYTES + 1)
                        except OSError:
                            shelf.place(candidate.path, candidate.stamp, "unreadable")
                            continue
                    shelf.place(
                        candidate.path, candidate.stamp, reading_of(candidate.path, data, self._key)
                    )
            for skip in found.skips:
                state = shelf.folder(skip.path[:-1])
                (state.subfolders if skip.reason == "too_deep" else state.symlinks).add(
                    skip.path[-1]
                )
