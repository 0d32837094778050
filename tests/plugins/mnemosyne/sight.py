"""What one reader sees of a tree of files, and what really lies there."""

import json
import os
from collections.abc import Callable
from pathlib import Path
from time import time_ns

from mymcp.plugins.mnemosyne.memory.descent import if_there
from mymcp.plugins.mnemosyne.memory.folder import Folder
from mymcp.plugins.mnemosyne.memory.freshness import Freshness
from mymcp.plugins.mnemosyne.memory.places import SCOPE_LEVELS, Container, scope_container
from mymcp.plugins.mnemosyne.memory.shelf import Shelf

PROJECT = scope_container("project")
KEY = bytes(range(32))


class Sight:
    """The shelf of one scope below `root`, kept fresh call by call."""

    def __init__(
        self,
        root: Path,
        *,
        limit: int = 1_000,
        now_ns: Callable[[], int] = time_ns,
        freshness: Freshness | None = None,
        scope: str = "project",
    ) -> None:
        self.root = root
        self.container = scope_container(scope)
        self.freshness = freshness or Freshness(limit=limit, key=KEY, now_ns=now_ns)
        self.shelf = Shelf(scope)

    def look(self, container: Container | None = None) -> dict[str, str]:
        """Catch up with `container`; return the contents of its records by path below the root.

        Without one it is all of the scope.
        """
        container = container or self.container
        root = if_there(lambda: Folder.at(self.root))
        if root is None:
            self.freshness.catch_up(None, self.shelf, container)
            return {}
        with root:
            self.freshness.catch_up(root, self.shelf, container)
        base = container.folders
        return {
            "/".join((*path, name)): self.shelf.entry(number).record.content
            for path, state in self.shelf.folders.items()
            for name, number in state.numbers.items()
            if path[: len(base)] == base and len(path) - len(base) <= container.levels
        }

    def folders(self) -> dict[str, object]:
        """Return all that is known of folders, by path below the root."""
        return {
            "/".join(path): (
                sorted(state.stamps),
                sorted(state.numbers),
                state.skipped,
                state.subfolders,
                state.symlinks,
            )
            for path, state in self.shelf.folders.items()
        }

    def skipped(self) -> dict[str, str]:
        """Return why files on the shelf cannot be served, by path below the root."""
        return {
            "/".join((*path, name)): reason
            for path, state in self.shelf.folders.items()
            for name, reason in state.skipped.items()
        }

    def symlinks(self) -> set[str]:
        """Return the links on the shelf, by path below the root."""
        return {
            "/".join((*path, name))
            for path, state in self.shelf.folders.items()
            for name in state.symlinks
        }


def contents_below(folder: Path) -> dict[str, str]:
    """Return the contents of all record files below `folder`, by path from the folder above it.

    Links are not followed. This knows nothing of shelves.
    """
    found = {}
    for above, _, names in os.walk(folder):
        for name in names:
            path = Path(above, name)
            depth = len(path.relative_to(folder).parts) - 1
            if depth > SCOPE_LEVELS or path.suffix != ".json":
                continue
            if path.is_file() and not path.is_symlink():
                found[str(path.relative_to(folder.parent))] = json.loads(path.read_bytes())[
                    "content"
                ]
    return found
