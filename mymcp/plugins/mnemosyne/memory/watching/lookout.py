"""Who keeps the watch of the root that is read now, and decides whether to rely on one."""

import logging
import os
from collections.abc import Callable
from threading import Lock
from time import monotonic

from mymcp.plugins.mnemosyne.memory.watching.filesystem import reports_changes
from mymcp.plugins.mnemosyne.memory.watching.mounts import MountTable
from mymcp.plugins.mnemosyne.memory.watching.watch import Watch

RETRY_SECONDS = 60.0
"""How long a root is swept once watching failed: what ran out may be free again by then."""

logger = logging.getLogger("mymcp.memory.store")


class Lookout:
    """Safe to share between threads. `clock` counts seconds, from anywhere."""

    def __init__(self, clock: Callable[[], float] = monotonic) -> None:
        self._clock = clock
        self._lock = Lock()
        self._mounts: MountTable | None = None
        self._watch: Watch | None = None
        self._silent: tuple[int, int] | None = None
        self._retry_at: float | None = None
        self._told = False

    def watch(self, root: int) -> Watch | None:
        """Return the watch of an open root folder, with all that happened until now taken in.

        None if it has to be swept. Another watch than last time knows nothing yet.
        """
        state = os.fstat(root)
        identity = (state.st_dev, state.st_ino)
        with self._lock:
            if self._mounts is None or self._mounts.has_changed():
                self._start_over()
            elif identity == self._silent:
                return None
            watch = self._watch
            if watch is not None and watch.identity == identity and watch.is_reliable():
                return watch
            self._drop()
            return self._new(root, identity)

    def give_up(self, watch: Watch) -> None:
        """Sweep for a while: a folder could not be watched."""
        with self._lock:
            if watch is self._watch:
                self._fail()

    def close(self) -> None:
        """Stop watching and let go of every descriptor; it starts over when asked again."""
        with self._lock:
            self._drop()
            if self._mounts is not None:
                self._mounts.close()
                self._mounts = None

    def _start_over(self) -> None:
        self._drop()
        self._silent = None
        if self._mounts is None:
            self._mounts = MountTable.opened()

    def _new(self, root: int, identity: tuple[int, int]) -> Watch | None:
        if self._mounts is None:
            return None
        if self._retry_at is not None and self._clock() < self._retry_at:
            return None
        try:
            if not reports_changes(root):
                self._silent = identity
                return None
            self._watch = Watch(identity)
        except OSError:
            self._fail()
        else:
            self._retry_at = None
        return self._watch

    def _fail(self) -> None:
        self._drop()
        self._retry_at = self._clock() + RETRY_SECONDS
        if not self._told:
            self._told = True
            logger.warning("folders cannot be watched; every call looks at every file instead")

    def _drop(self) -> None:
        if self._watch is not None:
            self._watch.close()
            self._watch = None
