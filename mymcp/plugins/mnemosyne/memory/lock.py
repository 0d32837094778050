"""One writer at a time on a memory root, in this process and in all others.

The lock is an advisory `flock` on the root folder itself: no lock file is left behind, and a
killed process releases it. The kernel's queue is fair and polling is not, so a busy lock is
waited for in a helper thread that blocks.
"""

import fcntl
import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from time import monotonic

from mymcp.plugins.mnemosyne.memory.faults import SourceUnavailable
from mymcp.plugins.mnemosyne.memory.folder import Folder, made_folder

LOCK_WAIT_SECONDS = 5.0
STUCK_WAIT_SECONDS = 0.2
"""How long a caller waits once another has waited in vain: workers are needed for reading too."""


class RootLock:
    """The write lock of the root at `path`, which `held` makes if it is missing.

    A wait that was given up goes on in its thread, and the next caller takes it over: a lock that
    never comes costs one thread.
    """

    def __init__(self, path: Path, *, wait_seconds: float = LOCK_WAIT_SECONDS) -> None:
        self._path = path
        self._wait_seconds = wait_seconds
        self._mutex = threading.Lock()
        self._given_up: _Wait | None = None

    @contextmanager
    def held(self) -> Iterator[Folder]:
        """Hold the lock; yields the locked root, which is current as long as the path names it.

        Raises `SourceUnavailable` if the root is unsafe or was replaced, or if the lock does not
        come in time.
        """
        deadline = monotonic() + self._wait_seconds
        if not self._mutex.acquire(timeout=self._wait_seconds):
            raise SourceUnavailable
        try:
            with self._locked(deadline) as root:
                yield root
        finally:
            self._mutex.release()

    @contextmanager
    def _locked(self, deadline: float) -> Iterator[Folder]:
        wait = self._granted(max(deadline - monotonic(), 0.0))
        if wait is None:
            raise SourceUnavailable
        with wait.folder as root:  # closing the descriptor releases the lock
            if not self._is_still(root):
                raise SourceUnavailable
            yield Folder(root.descriptor, partial(self._is_still, root))

    def _granted(self, seconds: float) -> "_Wait | None":
        """Return a wait that got the lock within `seconds`; keep one that did not for later."""
        wait, self._given_up = self._given_up, None
        if wait is not None:
            seconds = min(seconds, STUCK_WAIT_SECONDS)
            if wait.granted(seconds):
                return wait
        if wait is None or wait.over:
            wait = _Wait(self._root())
            if wait.granted(seconds):
                return wait
        self._given_up = None if wait.over else wait
        return None

    def _root(self) -> Folder:
        try:
            return made_folder(self._path)
        except OSError as error:
            raise SourceUnavailable from error

    def _is_still(self, root: Folder) -> bool:
        """Tell whether the locked folder is the one that the path names now."""
        try:
            named = self._path.lstat()
        except OSError:
            return False
        return os.path.samestat(named, os.fstat(root.descriptor))


class _Wait:
    """Waiting for the lock of `folder`, as often and as long as somebody asks.

    Whoever got `granted` closes the folder. One that is `over` is closed already: locks cannot be
    had here, or the lock came when nobody was asking, and was let go for others.
    """

    def __init__(self, folder: Folder) -> None:
        self.folder = folder
        self.over = False
        self._guard = threading.Lock()
        self._ended = threading.Event()
        self._asked = False
        self._started = False

    def granted(self, seconds: float) -> bool:
        """Return whether the lock is there within `seconds`."""
        with self._guard:
            self._asked = True
        if not self._started:
            self._start()
        self._ended.wait(seconds)
        with self._guard:
            self._asked = False
            return self._ended.is_set() and not self.over

    def _start(self) -> None:
        self._started = True
        try:
            fcntl.flock(self.folder.descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            threading.Thread(target=self._block, name="mnemosyne-lock", daemon=True).start()
        except OSError:
            self._end(locked=False)
        else:
            self._end(locked=True)

    def _block(self) -> None:
        try:
            fcntl.flock(self.folder.descriptor, fcntl.LOCK_EX)
        except OSError:
            self._end(locked=False)
        else:
            self._end(locked=True)

    def _end(self, *, locked: bool) -> None:
        with self._guard:
            if not (locked and self._asked):
                self.over = True
                os.close(self.folder.descriptor)
            self._ended.set()
