"""How often proof has failed, by source address; from a number on, the answer takes its time.

Nobody finds a credential by trying. This keeps a client that goes on with a wrong one, and whoever
tries nevertheless, from filling the log and the processor.
"""

from collections import deque
from collections.abc import Callable
from typing import Final

FAILURES_A_MINUTE: Final = 10
SLOW_SECONDS: Final = 1.0
SOURCES_MAX: Final = 256
"""Most addresses that are told apart: 127.0.0.0/8 alone has sixteen million."""

_WINDOW_SECONDS: Final = 60.0
_ALL_OTHERS: Final = ""


class Failures:
    """The failures of the last minute. Used from one event loop.

    `clock` gives seconds and only ever goes forward.
    """

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._times: dict[str, deque[float]] = {}

    def seconds_after(self, source: str) -> float:
        """Count one failure from address `source`; return how long its answer is to wait."""
        now = self._clock()
        times = self._times_of(source, now)
        is_slow = len(times) == FAILURES_A_MINUTE and now - times[0] < _WINDOW_SECONDS
        times.append(now)
        return SLOW_SECONDS if is_slow else 0.0

    def _times_of(self, source: str, now: float) -> deque[float]:
        """Return the latest failures of `source`; once the table is full, of all the others."""
        if source not in self._times and len(self._times) >= SOURCES_MAX:
            self._forget_before(now - _WINDOW_SECONDS)
            if len(self._times) >= SOURCES_MAX:
                source = _ALL_OTHERS
        return self._times.setdefault(source, deque(maxlen=FAILURES_A_MINUTE))

    def _forget_before(self, time: float) -> None:
        for source in [source for source, times in self._times.items() if times[-1] <= time]:
            del self._times[source]
