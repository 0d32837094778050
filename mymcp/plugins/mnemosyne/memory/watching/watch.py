"""A watch on the folders of one root: which names to look at again, and when not to rely on it."""

import os
from threading import Lock

from mymcp.plugins.mnemosyne.memory.watching import inotify
from mymcp.plugins.mnemosyne.memory.watching.filesystem import reports_changes
from mymcp.plugins.mnemosyne.memory.watching.inotify import Event, Inotify

Path = tuple[str, ...]
"""Names from the root."""
Names = set[tuple[Path, str]]
"""Names in folders."""

HINTS_MAX = 10_000
"""Names of one scope that are kept until somebody asks; with more it is walked as a whole."""
EVENTS_MAX = 50_000
"""Events that one look at the queue takes; it holds a third of that unless it is being flooded."""
_ITSELF = inotify.DELETE_SELF | inotify.MOVE_SELF | inotify.UNMOUNT
_LOST = inotify.Q_OVERFLOW | inotify.IGNORED


class Unwatchable(Exception):
    """A folder cannot be watched, so the root has to be swept."""


class Watch:
    """Folders below the root that has `identity` (device, inode). Threads may share it.

    It is given up as a whole, never mended: once a folder was moved or deleted, nothing that is
    known of paths is certain. Raises `OSError` if there can be none.
    """

    def __init__(self, identity: tuple[int, int]) -> None:
        self.identity = identity
        self._process = os.getpid()
        self._lock = Lock()
        self._inotify: Inotify | None = Inotify()
        self._paths: dict[int, Path] = {}
        self._hints: dict[str, Names | None] = {}
        self._is_reliable = True

    def is_reliable(self) -> bool:
        """Take in all that happened until now; tell whether the watch still knows everything."""
        with self._lock:
            self._take_in()
            return self._is_reliable

    def follow(self, scope: str) -> None:
        """Begin to keep what happens in `scope`, the name of a folder in the root."""
        with self._lock:
            self._hints[scope] = set()

    def hints(self, scope: str) -> Names | None:
        """Return the names in `scope` to look at again, and forget them.

        None if there were too many, or if it is not followed.
        """
        with self._lock:
            found = self._hints.get(scope)
            if found:
                self._hints[scope] = set()
            return found

    def attend(self, folder: int, path: Path) -> None:
        """Watch the open folder at `path`, from before anything in it is looked at.

        Raises `Unwatchable`. A closed watch does nothing: whoever goes on with it will find out
        at the next call.
        """
        with self._lock:
            if self._inotify is None:
                return
            try:
                self._require_reporting(folder)
                number = self._inotify.add(folder)
            except OSError as error:
                raise Unwatchable from error
            if self._paths.setdefault(number, path) == path:
                return
            # One folder in two places: it was moved just now, or it is mounted twice.
            self._take_in()
            if self._is_reliable:
                raise Unwatchable

    def close(self) -> None:
        """Stop watching."""
        with self._lock:
            if self._inotify is not None:
                self._inotify.close()
                self._inotify = None
            self._is_reliable = False

    def _require_reporting(self, folder: int) -> None:
        if os.fstat(folder).st_dev != self.identity[0] and not reports_changes(folder):
            raise Unwatchable

    def _take_in(self) -> None:
        if self._inotify is None or self._process != os.getpid():  # events go to one process only
            self._is_reliable = False
            return
        for count, event in enumerate(self._inotify.events()):
            if not self._is_reliable or count == EVENTS_MAX:
                self._is_reliable = False
                return
            self._note(event)

    def _note(self, event: Event) -> None:
        path = self._paths.get(event.watch)
        if path is None or not event.name or event.mask & (_ITSELF | _LOST):
            self._is_reliable = False  # what has no name happened to the folder itself
            return
        scope = path[0] if path else event.name
        if scope not in self._hints:
            return  # something in the root that nobody asked for
        if event.mask & inotify.ISDIR and not event.mask & inotify.CREATE:
            self._is_reliable = False
        else:
            self._hint(scope, path, event.name)

    def _hint(self, scope: str, path: Path, name: str) -> None:
        hints = self._hints[scope]
        if hints is None:
            return
        hints.add((path, name))
        if len(hints) > HINTS_MAX:
            self._hints[scope] = None
