"""The process around a command: its three streams, and its end."""

import os
import signal
import sys
import time
from threading import Thread
from typing import Final, TextIO

END_SECONDS: Final = 0.5
"""How long the end of a process may take after its command has returned."""

_STREAMS: Final = ((0, os.O_RDONLY), (1, os.O_WRONLY), (2, os.O_WRONLY))


def complete_streams() -> None:
    """Open those of the three standard streams that are closed, on nothing.

    Else the next file or socket would get the number of stderr, and the log be written into it.
    """
    for descriptor, flags in _STREAMS:
        try:
            os.fstat(descriptor)
        except OSError:
            os.set_inheritable(os.open(os.devnull, flags), True)
    sys.stdout = _usable(sys.stdout, 1)
    sys.stderr = _usable(sys.stderr, 2)


def end_soon(code: int) -> None:
    """Have the process end with `code` in a moment, whatever runs on.

    Python waits for every thread that is no daemon, and plugins leave such threads behind.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # it would only add a traceback
    Thread(target=_end, args=(code,), daemon=True).start()


def _end(code: int) -> None:
    time.sleep(END_SECONDS)
    os._exit(code)


def _usable(stream: TextIO | None, descriptor: int) -> TextIO:
    if stream is not None:
        return stream
    return os.fdopen(descriptor, "w", encoding="utf-8", closefd=False)
