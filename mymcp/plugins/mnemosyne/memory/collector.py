"""Keeping Python's cycle collector away from what is loaded by the hundred thousand.

Each of its full rounds visits every object, with all threads stopped: nearly 200 ms at 100,000
records, in which nobody is answered. Records refer to nothing that refers back, so they are freed
without it when they go.
"""

import gc
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Lock


class _Pause:
    """Loads that are going on; the collector belongs to the whole process."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._count = 0
        self._was_enabled = False

    def begin(self) -> None:
        with self._lock:
            if self._count == 0:
                self._was_enabled = gc.isenabled()
                gc.disable()
            self._count += 1

    def end(self) -> None:
        with self._lock:
            self._count -= 1
            if self._count == 0:
                gc.freeze()
                if self._was_enabled:
                    gc.enable()


_PAUSE = _Pause()


@contextmanager
def uncollected() -> Iterator[None]:
    """Load much: no round of the collector meanwhile, and none later that visits what is there."""
    _PAUSE.begin()
    try:
        yield
    finally:
        _PAUSE.end()
