"""What a command shows: log lines on stderr, and one line when it cannot do its work."""

import logging
import signal
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from logging.config import dictConfig
from types import FrameType
from typing import Any, Final

from mymcp.cli.lines import Lines

STDERR_DESCRIPTOR: Final = 2

FLUSH_SECONDS: Final = 1.0
"""How long an end may wait for a stderr that takes nothing."""


class LogLines(logging.Handler):
    """Has each record written as one line, and never waits for it: the event loop logs too.

    There is a line after every answer. The handlers of the standard library lock, format and
    flush for 12 us more, a tenth of what a small request costs.
    """

    def __init__(self, descriptor: int = STDERR_DESCRIPTOR) -> None:
        super().__init__()
        self._lines = Lines(descriptor, self._lost)
        self._clock = (0, "")

    def handle(self, record: logging.LogRecord) -> bool:
        """Pass `record` on as a line; whole lines need no lock."""
        text = record.getMessage()
        if record.exc_info:
            text = f"{text}\n{_formatter.formatException(record.exc_info)}"
        self._lines.put(self._line(record.created, record.levelname, record.name, text))
        return True

    def flush(self) -> None:
        """Wait for what was passed on. Python does this for every handler when it ends."""
        self._lines.flush(FLUSH_SECONDS)

    def _lost(self, count: int) -> str:
        return self._line(time.time(), "WARNING", __name__, f"lost lines={count}")

    def _line(self, created: float, level: str, logger: str, text: str) -> str:
        second = int(created)
        known, clock = self._clock
        if second != known:
            clock = time.strftime("%Y-%m-%d %H:%M:%S", time.localtime(second))
            self._clock = second, clock
        return f"{clock},{int(created * 1000) % 1000:03d} {level} {logger} {text}\n"


LOG_CONFIGURATION: Final[dict[str, Any]] = {
    "version": 1,
    "disable_existing_loggers": False,
    "handlers": {"stderr": {"()": LogLines}},
    "root": {"level": "INFO", "handlers": ["stderr"]},
}
"""For `logging.config.dictConfig`: everything from INFO on, one line each, on stderr."""

_formatter = logging.Formatter()


class _Kept(logging.Handler):
    """Keeps records as they come."""

    def __init__(self) -> None:
        super().__init__()
        self.records: list[logging.LogRecord] = []

    def emit(self, record: logging.LogRecord) -> None:
        """Keep `record`."""
        self.records.append(record)


@contextmanager
def log_of_a_start() -> Iterator[None]:
    """Log as `LOG_CONFIGURATION` says, but nothing before the block is through.

    What stops a start is told in one line by `complain`; the log says no more than that.
    """
    root, kept = logging.getLogger(), _Kept()
    root.addHandler(kept)
    root.setLevel(logging.INFO)
    try:
        yield
    finally:
        root.removeHandler(kept)
    dictConfig(LOG_CONFIGURATION)
    for record in kept.records:
        root.handle(record)


def leave_out_unused_log_fields() -> None:
    """Spare each record what no line shows; the switches are those of Python's logging HOWTO."""
    logging._srcfile = None
    logging.logThreads = False
    logging.logProcesses = False
    logging.logMultiprocessing = False


def end_by_signal(number: int, _frame: FrameType | None) -> None:
    """End as `number` would end the process, after the log is written. A signal handler."""
    logging.shutdown()
    signal.signal(number, signal.SIG_DFL)
    signal.raise_signal(number)


def complain(command: str, message: str) -> None:
    """Say in one line on stderr why `command` gives up."""
    sys.stderr.write(f"{command}: {message}\n")
