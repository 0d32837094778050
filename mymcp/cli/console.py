"""What a command shows: log lines on stderr, and one line when it cannot do its work."""

import logging
import os
import sys
import time
from contextlib import suppress
from typing import Any, Final

STDERR_DESCRIPTOR: Final = 2


class LogLines(logging.Handler):
    """Writes each record as one line, with one system call.

    A line is written after every answer. The handlers of the standard library lock, format and
    flush for 12 us more, a tenth of what a small request costs.
    """

    def __init__(self, descriptor: int = STDERR_DESCRIPTOR) -> None:
        super().__init__()
        self._descriptor = descriptor
        self._clock = (0, "")

    def handle(self, record: logging.LogRecord) -> bool:
        """Write `record`; whole lines need no lock. A stderr that is gone stops nothing."""
        text = record.getMessage()
        if record.exc_info:
            text = f"{text}\n{_formatter.formatException(record.exc_info)}"
        line = f"{self._time(record)} {record.levelname} {record.name} {text}\n"
        with suppress(OSError):
            os.write(self._descriptor, line.encode(errors="backslashreplace"))
        return True

    def _time(self, record: logging.LogRecord) -> str:
        second = int(record.created)
        known, text = self._clock
        if second != known:
            text = time.strftime("%Y-%m-%d %H:%M:%S", time.localtime(second))
            self._clock = second, text
        return f"{text},{int(record.msecs):03d}"


LOG_CONFIGURATION: Final[dict[str, Any]] = {
    "version": 1,
    "disable_existing_loggers": False,
    "handlers": {"stderr": {"()": LogLines}},
    "root": {"level": "INFO", "handlers": ["stderr"]},
}
"""For `logging.config.dictConfig`: everything from INFO on, one line each, on stderr."""

_formatter = logging.Formatter()


def leave_out_unused_log_fields() -> None:
    """Spare each record what no line shows; the switches are those of Python's logging HOWTO."""
    logging._srcfile = None
    logging.logThreads = False
    logging.logProcesses = False
    logging.logMultiprocessing = False


def complain(command: str, message: str) -> None:
    """Say in one line on stderr why `command` gives up."""
    sys.stderr.write(f"{command}: {message}\n")
