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
from pathlib import Path
from time import monotonic

from mymcp.plugins.mnemosyne.memory.faults import SourceUnavailable
from mymcp.plugins.mnemosyne.memory.folder import Folder, made_folder

LOCK_WAIT_SECONDS = 5.0


class RootLock:
    """The write lock of the root at `path`, which `held` makes if it is missing."""

    def __init__(self, path: Path, *, wait_seconds: float = LOCK_WAIT_SECONDS) -> None:
        self._path = path
        self._wait_seconds = wait_seconds
        self._mutex = threading.Lock()

    @contextmanager
    def held(self) -> Iterator[Folder]:
        """Hold the lock; yields the locked root.

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
        try:
            root = made_folder(self._path)
        except OSError as error:
            raise SourceUnavailable from error
        wait = _Wait(root)
        if not wait.granted(deadline - monotonic()):
            raise SourceUnavailable
        with root:  # closing the descriptor releases the lock
            if not self._is_still(root):
                raise SourceUnavailable
            yield root

    def _is_still(self, root: Folder) -> bool:
        """Tell whether the locked folder is the one that the path names now."""
        try:
            named = self._path.lstat()
        except OSError:
            return False
        return os.path.samestat(named, os.fstat(root.descriptor))


class _Wait:
    """Waiting for the lock of `folder`; owns the folder until the lock is granted."""

    def __init__(self, folder: Folder) -> None:
        self._folder = folder
        self._guard = threading.Lock()
        self._done = threading.Event()
        self._abandoned = False
        self._failed = False

    def granted(self, seconds: float) -> bool:
        """Return whether the lock came within `seconds`; if not, the folder will be closed."""
        try:
            fcntl.flock(self._folder.descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return self._granted_later(seconds)
        except OSError:
            os.close(self._folder.descriptor)
            return False
        return True

    def _granted_later(self, seconds: float) -> bool:
        threading.Thread(target=self._block, name="mnemosyne-lock", daemon=True).start()
        self._done.wait(max(seconds, 0.0))
        with self._guard:
            if self._done.is_set():
                return not self._failed
            self._abandoned = True
        return False

    def _block(self) -> None:
        try:
            fcntl.flock(self._folder.descriptor, fcntl.LOCK_EX)
        except OSError:
            self._failed = True
        with self._guard:
            if self._abandoned or self._failed:
                os.close(self._folder.descriptor)
            self._done.set()
