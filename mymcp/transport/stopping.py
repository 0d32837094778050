"""What must happen when the process is asked to stop, whatever server runs the application."""

import asyncio
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import current_thread, main_thread
from types import FrameType

_SIGNALS = (signal.SIGINT, signal.SIGTERM)


@contextmanager
def called_at_stop(end: Callable[[], None]) -> Iterator[None]:
    """Have `end` called on the running loop as soon as a signal to stop arrives.

    A server ends its application only after the last answer is complete, and an open stream never
    is; so the application must hear of the signal itself. The handlers that the server installed
    stay in charge: they are called afterwards. Outside the main thread there are no signals.
    """
    if current_thread() is not main_thread():
        yield
        return
    loop = asyncio.get_running_loop()
    replaced = {
        number: before for number in _SIGNALS if callable(before := signal.getsignal(number))
    }

    def hear(number: int, frame: FrameType | None) -> None:
        loop.call_soon_threadsafe(end)
        replaced[signal.Signals(number)](number, frame)

    for number in replaced:
        signal.signal(number, hear)
    try:
        yield
    finally:
        for number, before in replaced.items():
            if signal.getsignal(number) is hear:
                signal.signal(number, before)
