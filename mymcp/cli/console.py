"""What a command shows: log lines on stderr, and one line when it cannot do its work."""

import logging
import sys
from typing import Any, Final

LOG_CONFIGURATION: Final[dict[str, Any]] = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {"line": {"format": "%(asctime)s %(levelname)s %(name)s %(message)s"}},
    "handlers": {"stderr": {"class": "logging.StreamHandler", "formatter": "line"}},
    "root": {"level": "INFO", "handlers": ["stderr"]},
}
"""For `logging.config.dictConfig`: everything from INFO on, one line each, on stderr."""


def leave_out_unused_log_fields() -> None:
    """Spare the log record what no line of ours shows; documented in Python's logging HOWTO."""
    logging.logThreads = False
    logging.logProcesses = False
    logging.logMultiprocessing = False


def complain(command: str, message: str) -> None:
    """Say in one line on stderr why `command` gives up."""
    sys.stderr.write(f"{command}: {message}\n")
