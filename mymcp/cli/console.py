"""What a command shows: log lines on stderr, and one line when it cannot do its work."""

import logging
import signal
import sys
import threading
import time
import warnings
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import partial
from logging.config import dictConfig
from types import FrameType, TracebackType
from typing import Any, Final

from mymcp.cli.lines import Lines
from mymcp.cli.rendering import LogFormat, TextLine, json_failure, json_line, trouble, visible
from mymcp.contract.trace import kind_of

STDERR_DESCRIPTOR: Final = 2

FLUSH_SECONDS: Final = 0.3
"""How long an end may wait for a stderr that takes nothing."""


_logger = logging.getLogger("mymcp.cli.console")


class LogLines(logging.Handler):
    """Has each record written as one line, and never waits for it: the event loop logs too.

    There is a line after every answer. The handlers of the standard library lock, format and
    flush for 12 us more, a tenth of what a small request costs.
    """

    def __init__(self, descriptor: int = STDERR_DESCRIPTOR, log_format: LogFormat = "text") -> None:
        super().__init__()
        self._lines = Lines(descriptor, self._lost)
        self._line = json_line if log_format == "json" else TextLine()

    def handle(self, record: logging.LogRecord) -> bool:
        """Pass `record` on as a line; whole lines need no lock."""
        text = _message(record)
        error = record.exc_info
        if error and error[0] is not None:
            text = f"{text} {trouble(error)}"
        self._lines.put(self._line(record.created, record.levelname, record.name, text))
        return True

    def flush(self) -> None:
        """Wait for what was passed on. Python does this for every handler when it ends."""
        self._lines.flush(FLUSH_SECONDS)

    def _lost(self, count: int) -> str:
        return self._line(time.time(), "WARNING", __name__, f"lost lines={count}")


def _message(record: logging.LogRecord) -> str:
    """Return what `record` says. Whoever logs, a plugin for example, must not fail for it."""
    try:
        return record.getMessage()
    except Exception as error:  # noqa: BLE001  arguments that do not fit, or do not even print
        return f"record outcome=unreadable exception={kind_of(error)}"


def log_configuration(log_format: LogFormat = "text") -> dict[str, Any]:
    """Return, for `dictConfig`: everything from INFO on, one line each, on stderr."""
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "handlers": {"stderr": {"()": LogLines, "log_format": log_format}},
        "root": {"level": "INFO", "handlers": ["stderr"]},
    }


class _Kept(logging.Handler):
    """Keeps records as they come."""

    def __init__(self) -> None:
        super().__init__()
        self.records: list[logging.LogRecord] = []

    def emit(self, record: logging.LogRecord) -> None:
        """Keep `record`."""
        self.records.append(record)


@contextmanager
def log_of_a_start(log_format: LogFormat = "text") -> Iterator[None]:
    """Log as `log_configuration` says, but nothing before the block is through.

    What stops a start is told in one line by `complain`; the log says no more than that.
    """
    root, kept = logging.getLogger(), _Kept()
    root.addHandler(kept)
    root.setLevel(logging.INFO)
    try:
        yield
    finally:
        root.removeHandler(kept)
    dictConfig(log_configuration(log_format))
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


def report_strays(log_format: LogFormat = "text") -> None:
    """Log what Python would write to stderr by itself, over several lines: of threads, warnings.

    What ends the process is written at once, in `log_format`: the log may not have begun.
    """
    sys.excepthook = partial(_report_end, log_format)
    threading.excepthook = _report_thread
    sys.unraisablehook = _report_unraisable
    warnings.showwarning = _report_warning  # type: ignore[assignment]  # where it is, is a path


def _report_end(
    log_format: LogFormat,
    kind: type[BaseException],
    error: BaseException,
    trace: TracebackType | None,
) -> None:
    line = json_line if log_format == "json" else TextLine()
    text = f"process outcome=failed {trouble((kind, error, trace))}"
    _tell(line(time.time(), "CRITICAL", __name__, text))


def _report_thread(found: threading.ExceptHookArgs) -> None:
    if found.exc_value is not None:
        error = (found.exc_type, found.exc_value, found.exc_traceback)
        _logger.error("thread outcome=failed", exc_info=error)


def _report_unraisable(found: "sys.UnraisableHookArgs") -> None:
    if found.exc_value is not None:
        error = (found.exc_type, found.exc_value, found.exc_traceback)
        _logger.error("cleanup outcome=failed", exc_info=error)


def _report_warning(message: Warning | str, category: type[Warning], *_place: object) -> None:
    _logger.warning("%s: %s", category.__name__, message)


def complain(
    command: str, message: str, log_format: LogFormat = "text", *, code: str | None = None
) -> None:
    """Say in one line on stderr why `command` gives up; `code` is for programs that read it."""
    if log_format == "json":
        line = json_failure(time.time(), __name__, message, code)
    else:
        line = f"{command}: {visible(message)}\n"
    _tell(line)


def _tell(line: str) -> None:
    with suppress(OSError):  # whoever cannot be told still gets the exit code
        sys.stderr.write(line)
        sys.stderr.flush()
