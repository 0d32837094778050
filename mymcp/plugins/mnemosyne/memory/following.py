"""Following one scope by what a watch tells of it."""

import os
from collections import defaultdict
from collections.abc import Collection, Mapping
from stat import S_ISREG

from mymcp.plugins.mnemosyne.memory.audit import Audit
from mymcp.plugins.mnemosyne.memory.discovery import LINKS, stamp_of
from mymcp.plugins.mnemosyne.memory.entries import Path, Stamp
from mymcp.plugins.mnemosyne.memory.faults import CandidateLimitExceeded
from mymcp.plugins.mnemosyne.memory.folder import Folder
from mymcp.plugins.mnemosyne.memory.notices import Skip
from mymcp.plugins.mnemosyne.memory.places import Container, scope_container
from mymcp.plugins.mnemosyne.memory.readings import Reader
from mymcp.plugins.mnemosyne.memory.shelf import FolderState, Shelf
from mymcp.plugins.mnemosyne.memory.sweep import Sweep
from mymcp.plugins.mnemosyne.memory.watching.watch import Watch

_Names = Mapping[Path, Collection[str]]
_Hints = Collection[tuple[Path, str]]
_NOTHING = FolderState()


class Following:
    """What one scope needs besides its shelf, as long as one watch lasts.

    Whoever uses it holds the shelf. `has_failed` says that the last attempt to see all of the
    scope did: a part of it may be seen nevertheless.
    """

    def __init__(self, shelf: Shelf, watch: Watch, limit: int, reader: Reader) -> None:
        self.shelf = shelf
        self.watch = watch
        self.has_failed = False
        self._limit = limit
        self._reader = reader
        self._is_whole = False
        self._audit = Audit(shelf)
        self._looked_at: set[Container] = set()
        self._restless: dict[Path, set[str]] = defaultdict(set)

    def catch_up(self, root: Folder, skips: list[Skip]) -> None:
        """Bring the shelf up to date with all of its scope; what cannot be served joins `skips`.

        Raises as `Sweep.walk` and `Reader.read` do, and `Unwatchable`. It begins from the start
        then at the next call.
        """
        hints = self.watch.hints(self.shelf.scope)
        was_whole, self._is_whole, self.has_failed = self._is_whole, False, True
        sweep = self._looked(root, hints, skips) if was_whole and hints is not None else None
        if sweep is None:
            sweep = self._walked(root, skips)
        self._is_whole, self.has_failed = True, False
        if sweep.has_walked:
            self._looked_at.clear()

    def is_first_look(self, container: Container) -> bool:
        """Tell whether folders were walked since this was last asked of `container`."""
        if container in self._looked_at or container.folders not in self.shelf.folders:
            return False
        self._looked_at.add(container)
        return True

    def _walked(self, root: Folder, skips: list[Skip]) -> Sweep:
        """Return a walk through all of the scope, with all that it found read."""
        scope = self.shelf.scope
        self.watch.follow(scope)
        sweep = self._sweep()
        try:
            sweep.walk(root, scope_container(scope))
        finally:
            skips += sweep.skips
        self._reader.read(root, self.shelf, sweep.unread, skips)
        self._restless.clear()
        self._note_restless({path: state.stamps for path, state in self.shelf.folders.items()})
        return sweep

    def _looked(self, root: Folder, hints: _Hints, skips: list[Skip]) -> Sweep | None:
        """Return a look at what may have changed, with all that it found read.

        None if that is not enough.
        """
        sweep = self._sweep()
        hinted = _by_folder(hints)
        if not self.shelf.folders.keys() >= hinted.keys():
            return None  # the scope's own folder came or went
        if sum(map(len, self._restless.values())) > self.shelf.candidate_count // 2:
            return None  # a copy of all by links, say: to walk costs less than so many looks
        try:
            self._look(root, sweep, hinted)
        except (OSError, CandidateLimitExceeded):
            return None
        finally:
            skips += sweep.skips
        if sweep.unread:
            if self.shelf.candidate_count + sweep.new_count() > self._limit:
                return None
            self._reader.read(root, self.shelf, sweep.unread, skips)
            self._note_restless(sweep.unread)
        self._note_restless(hinted)
        return sweep

    def _look(self, root: Folder, sweep: Sweep, hinted: _Names) -> None:
        linked: set[Stamp] = set()
        for path, names in hinted.items():
            with root.below(path) as folder:
                for name in names:
                    found = sweep.look(folder, path, name, changed=True)
                    if found and S_ISREG(found.st_mode) and found.st_nlink > 1:
                        linked.add(stamp_of(found)[:LINKS])
        if linked:
            self._note_siblings(linked)
        for path, names in self._restless.items():
            with root.below(path) as folder:
                for name in names:
                    sweep.look(folder, path, name, changed=False)
        self._look_in_turn(root, sweep)

    def _look_in_turn(self, root: Folder, sweep: Sweep) -> None:
        path, names = self._audit.next()
        state = self.shelf.folders.get(path)
        if state is None or not names:
            return
        with root.below(path) as folder:
            for name in names:
                if not _shows(folder, name, state.stamps.get(name)):
                    sweep.look(folder, path, name, changed=False)

    def _sweep(self) -> Sweep:
        return Sweep(
            self.shelf,
            self._limit,
            self._reader.now_ns,
            lambda folder, path: self.watch.attend(folder.descriptor, path),
        )

    def _note_siblings(self, linked: Collection[Stamp]) -> None:
        """From now on look in every call at the files that are one of `linked`, begun stamps."""
        for path, state in self.shelf.folders.items():
            for name, stamp in state.stamps.items():
                if stamp[:LINKS] in linked:
                    self._restless[path].add(name)

    def _note_restless(self, names: _Names) -> None:
        """Look in every call at those of `names` that may change without an event.

        A file with several names may be written through one that is not in the tree. What could
        not be read may become readable for reasons that lie outside.
        """
        for path, some in names.items():
            state = self.shelf.folders.get(path) or _NOTHING
            restless = {
                name
                for name in some
                if (name in state.stamps and state.stamps[name][LINKS] > 1)
                or state.skipped.get(name) == "unreadable"
            }
            left = self._restless[path].difference(some) | restless
            if left:
                self._restless[path] = left
            else:
                del self._restless[path]


def _by_folder(hints: _Hints) -> dict[Path, set[str]]:
    found: dict[Path, set[str]] = defaultdict(set)
    for path, name in hints:
        found[path].add(name)
    return found


def _shows(folder: Folder, name: str, stamp: Stamp | None) -> bool:
    """Tell whether the file has this stamp."""
    try:
        return stamp_of(os.stat(name, dir_fd=folder.descriptor, follow_symlinks=False)) == stamp
    except FileNotFoundError:
        return stamp is None
