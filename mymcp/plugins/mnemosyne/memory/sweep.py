"""One walk through a part of a scope, comparing what lies there with what is on its shelf."""

import os
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from stat import S_ISDIR, S_ISLNK, S_ISREG

from mymcp.plugins.mnemosyne.memory.discovery import is_record_name, listed, stamp_of
from mymcp.plugins.mnemosyne.memory.entries import Path
from mymcp.plugins.mnemosyne.memory.faults import SourceUnavailable
from mymcp.plugins.mnemosyne.memory.folder import Folder
from mymcp.plugins.mnemosyne.memory.notices import Skip
from mymcp.plugins.mnemosyne.memory.places import SCOPE_LEVELS, Container
from mymcp.plugins.mnemosyne.memory.shelf import Shelf

Attend = Callable[[Folder, Path], None]


def _attend_nothing(_folder: Folder, _path: Path) -> None:
    pass


class Sweep:
    """What is gone is taken off `shelf` at once; what has to be read is noted in `unread`.

    Nothing is read, so that a selection of more than `limit` record files costs no more than
    that. `attend` is told of each open folder before anything in it is looked at. Stopped by an
    error, a sweep leaves a shelf that the next one mends. `has_walked` says whether it saw folders.
    """

    def __init__(
        self,
        shelf: Shelf,
        limit: int,
        now_ns: Callable[[], int],
        attend: Attend = _attend_nothing,
    ) -> None:
        self.unread: dict[Path, set[str]] = {}
        self.skips: list[Skip] = []
        self.has_walked = False
        self._shelf = shelf
        self._limit = limit
        self._now_ns = now_ns
        self._attend = attend
        self._count = 0

    def walk(self, root: Folder, container: Container) -> None:
        """Walk all of `container`.

        Raises `SourceUnavailable` where something in it cannot be seen, `CandidateLimitExceeded`
        at one record file more than the limit.
        """
        walked: set[Path] = set()
        try:
            with self._entered(root, container.folders) as folder:
                if folder is not None:
                    self._walk(folder, container.folders, container.levels, walked)
        except OSError as error:
            raise SourceUnavailable from error
        self._make_room(container.folders, walked)

    def look(
        self, folder: Folder, path: Path, name: str, *, changed: bool
    ) -> os.stat_result | None:
        """Look at one name in `folder`, a known one at `path`; return the state of what is there.

        A record file is to be read if its stamp says so, and in any case if it is said to have
        `changed`. A new folder is walked, as far down as its scope is. Raises
        `CandidateLimitExceeded`, and `OSError` also where a known folder is gone: what else is
        known of paths is in doubt then.
        """
        found = _state_of(folder, name)
        mode = 0 if found is None else found.st_mode
        here, where = self._shelf.folders[path], (*path, name)
        is_record = S_ISREG(mode) and is_record_name(name)
        if name in here.stamps and not is_record:
            self._shelf.remove(where)
        if name in here.subfolders and not S_ISDIR(mode):
            raise FileNotFoundError
        if S_ISLNK(mode) != (name in here.symlinks):
            self._note_symlinks(path, here.symlinks ^ {name})
        if S_ISDIR(mode):
            self.has_walked = True
            self._shelf.folder(path).subfolders.add(name)
            if where not in self._shelf.folders and len(path) <= SCOPE_LEVELS:
                self._descend(folder, where, SCOPE_LEVELS - len(path), set())
        elif is_record and found and (changed or stamp_of(found) != here.stamps.get(name)):
            self.unread.setdefault(path, set()).add(name)
        return found

    def new_count(self) -> int:
        """Return how many of the files to be read are not on the shelf yet."""
        return sum(
            name not in self._shelf.folders[path].stamps
            for path, names in self.unread.items()
            for name in names
        )

    @contextmanager
    def _entered(self, root: Folder, names: Path) -> Iterator[Folder | None]:
        """Open the folder that `names` leads to; none if it is missing.

        Raises `OSError` if one of them is no real folder.
        """
        with ExitStack() as opened:
            folder = root
            for depth, name in enumerate(names):
                above, path = names[:depth], names[: depth + 1]
                self._attend(folder, above)
                try:
                    folder = opened.enter_context(folder.child(name))
                except FileNotFoundError:
                    self._forget_folder(path)
                    yield None
                    return
                if above:
                    self._shelf.folder(above).subfolders.add(name)
            yield folder

    def _walk(self, folder: Folder, path: Path, levels: int, walked: set[Path]) -> None:
        self._attend(folder, path)
        self.has_walked = True
        walked.add(path)
        state = self._shelf.folder(path)
        found = listed(folder, state.stamps, self._limit - self._count, self._now_ns)
        self._count += found.count
        for name in found.gone:
            self._shelf.remove((*path, name))
        if found.changed:
            self.unread[path] = set(found.changed)
        self._note_symlinks(path, found.symlinks)
        for name in state.subfolders - found.subfolders:
            self._shelf.remove_folder((*path, name))
        state.subfolders = found.subfolders
        if levels:
            for name in tuple(found.subfolders):
                self._descend(folder, (*path, name), levels - 1, walked)

    def _descend(self, above: Folder, path: Path, levels: int, walked: set[Path]) -> None:
        try:
            child = above.child(path[-1])
        except FileNotFoundError:  # gone since it was listed
            self._forget_folder(path)
            return
        with child:
            self._walk(child, path, levels, walked)

    def _note_symlinks(self, path: Path, symlinks: set[str]) -> None:
        state = self._shelf.folder(path)
        self.skips += [Skip((*path, name), "symlink") for name in symlinks - state.symlinks]
        state.symlinks = symlinks

    def _forget_folder(self, path: Path) -> None:
        self._shelf.remove_folder(path)
        if path[:-1] in self._shelf.folders:
            self._shelf.folder(path[:-1]).subfolders.discard(path[-1])

    def _make_room(self, base: Path, walked: set[Path]) -> None:
        """Take everything else off the shelf if it would hold more than the limit with that."""
        folders = self._shelf.folders
        inside = sum(len(folders[path].stamps) for path in walked if path in folders)
        if self._count + self._shelf.candidate_count - inside <= self._limit:
            return
        for path in [path for path in folders if path not in walked]:
            if path == base[: len(path)]:  # a folder above: its own files only
                for name in tuple(folders[path].stamps):
                    self._shelf.remove((*path, name))
            else:
                self._shelf.remove_folder(path)


def _state_of(folder: Folder, name: str) -> os.stat_result | None:
    try:
        return os.stat(name, dir_fd=folder.descriptor, follow_symlinks=False)
    except FileNotFoundError:
        return None
