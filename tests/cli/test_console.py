import json
import logging
import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from mymcp.cli import console
from mymcp.cli.console import LogLines, complain, log_of_a_start


@pytest.fixture
def pipe() -> Iterator[tuple[int, int]]:
    reading, writing = os.pipe()
    yield reading, writing
    os.close(reading)
    os.close(writing)


def record(
    message: str, *arguments: object, error: BaseException | None = None
) -> logging.LogRecord:
    trouble = (type(error), error, error.__traceback__) if error else None
    return logging.LogRecord("mcp", logging.INFO, "", 0, message, arguments, trouble)


def written(pipe: tuple[int, int], one: logging.LogRecord) -> bytes:
    lines = LogLines(pipe[1])
    lines.handle(one)
    lines.flush()
    return os.read(pipe[0], 4096)


def test_a_record_is_one_line_with_time_level_and_logger(pipe: tuple[int, int]) -> None:
    lines = LogLines(pipe[1])
    for number in (1, 2):
        lines.handle(record("answer %d", number))
    lines.flush()
    text = os.read(pipe[0], 4096).decode()
    line = r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d,\d{3} INFO mcp answer %d\n"
    assert re.fullmatch(line % 1 + line % 2, text)


def test_an_exception_is_told_on_the_line_of_its_event(pipe: tuple[int, int]) -> None:
    line = written(pipe, record("oh", error=ValueError("why")))
    assert line.endswith(b" oh exception=ValueError\n")


def test_no_record_makes_two_lines(pipe: tuple[int, int]) -> None:
    line = written(pipe, record("a\n2026-01-01 00:00:00,000 INFO mcp %s", "forged\ud800"))
    assert line.count(b"\n") == 1
    assert line.endswith(b" a\\u{a}2026-01-01 00:00:00,000 INFO mcp forged\\u{d800}\n")


class Unprintable:
    def __str__(self) -> str:
        raise ValueError("secret")


@pytest.mark.parametrize(
    ("message", "arguments", "kind"),
    [
        ("%d", ("secret",), "TypeError"),
        ("%s %s", (1,), "TypeError"),
        ("%s", (Unprintable(),), "ValueError"),
    ],
)
def test_a_record_that_cannot_be_read_is_a_line_and_no_exception(
    message: str, arguments: tuple[object, ...], kind: str, pipe: tuple[int, int]
) -> None:
    line = written(pipe, record(message, *arguments)).decode()
    assert line.endswith(f" INFO mcp record outcome=unreadable exception={kind}\n")


def test_records_are_json_where_that_is_asked_for(pipe: tuple[int, int]) -> None:
    lines = LogLines(pipe[1], "json")
    lines.handle(record("serving url=%s", "u"))
    lines.flush()
    found = json.loads(os.read(pipe[0], 4096))
    assert (found["logger"], found["event"], found["url"]) == ("mcp", "serving", "u")


STRAYS = """
import gc, sys, threading, warnings
from logging.config import dictConfig
from mymcp.cli.console import log_configuration, report_strays
dictConfig(log_configuration())
report_strays()
thread = threading.Thread(target=lambda: 1 / 0)
thread.start()
thread.join()
class Bad:
    def __del__(self):
        {}["secret"]
Bad()
gc.collect()
warnings.warn("two\\nlines")
"""


def test_what_python_writes_by_itself_is_one_line_each() -> None:
    done = subprocess.run(
        [sys.executable, "-c", STRAYS],
        cwd=Path(__file__).parents[2],
        capture_output=True,
        text=True,
        check=True,
    )
    thread, cleanup, warning = done.stderr.splitlines()
    assert "ERROR mymcp.cli.console thread outcome=failed exception=ZeroDivisionError" in thread
    assert "ERROR mymcp.cli.console cleanup outcome=failed exception=KeyError" in cleanup
    assert warning.endswith(r"WARNING mymcp.cli.console UserWarning: two\u{a}lines")
    assert "secret" not in done.stderr


@pytest.mark.parametrize("log_format", ["text", "json"])
def test_what_ends_the_process_is_one_line_before_the_log_has_begun(log_format: str) -> None:
    program = f"""
from mymcp.cli.console import report_strays
report_strays({log_format!r})
raise KeyError("secret")
"""
    done = subprocess.run(
        [sys.executable, "-c", program],
        cwd=Path(__file__).parents[2],
        capture_output=True,
        text=True,
        check=False,
    )
    (line,) = done.stderr.splitlines()
    assert done.returncode == 1
    assert "secret" not in line
    if log_format == "json":
        found = json.loads(line)
        assert (found["event"], found["exception"], found["trace"]) == (
            "process",
            "KeyError",
            "__main__:4",
        )
    else:
        assert "process outcome=failed exception=KeyError trace=__main__:4" in line


def test_a_complaint_is_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    complain("mymcp", "no")
    assert capsys.readouterr().err == "mymcp: no\n"
    complain("mymcp", "bad: n\no", "json", code="bad")
    found = json.loads(capsys.readouterr().err)
    assert (found["event"], found["code"], found["message"]) == ("start", "bad", r"bad: n\u{a}o")


def test_a_signal_ends_the_process_as_ever_with_the_log_written() -> None:
    program = """
import logging, signal
from logging.config import dictConfig
from mymcp.cli.console import end_by_signal, log_configuration
dictConfig(log_configuration())
signal.signal(signal.SIGTERM, end_by_signal)
logging.warning("last words")
signal.raise_signal(signal.SIGTERM)
"""
    done = subprocess.run(
        [sys.executable, "-c", program],
        cwd=Path(__file__).parents[2],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == -signal.SIGTERM
    assert done.stderr.endswith("WARNING root last words\n")


@pytest.fixture
def root() -> Iterator[logging.Logger]:
    logger = logging.getLogger()
    level, handlers = logger.level, list(logger.handlers)
    yield logger
    logger.setLevel(level)
    logger.handlers[:] = handlers


@pytest.mark.parametrize("works", [True, False])
def test_a_start_is_logged_when_it_is_through_and_not_at_all_when_it_fails(
    root: logging.Logger, pipe: tuple[int, int], monkeypatch: pytest.MonkeyPatch, works: bool
) -> None:
    monkeypatch.setattr(console, "LogLines", lambda log_format: LogLines(pipe[1], log_format))
    root.handlers.clear()
    with suppress(ZeroDivisionError), log_of_a_start():
        logging.getLogger("early").info("first")
        logging.getLogger("early").debug("never")
        logging.getLogger("early").error("second")
        assert works or 1 / 0
    if works:
        logging.getLogger("late").info("third")
    for known in root.handlers:
        known.flush()
    os.write(pipe[1], b"end")
    lines = re.findall("(?:first|never|second|third|end)", os.read(pipe[0], 4096).decode())
    assert lines == (["first", "second", "third", "end"] if works else ["end"])
