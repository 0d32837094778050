import logging
import os
import re
from collections.abc import Iterator

import pytest

from mymcp.cli.console import LogLines, complain


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


def test_a_record_is_one_line_with_time_level_and_logger(pipe: tuple[int, int]) -> None:
    lines = LogLines(pipe[1])
    for number in (1, 2):
        lines.handle(record("answer %d", number))
    written = os.read(pipe[0], 4096).decode()
    line = r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d,\d{3} INFO mcp answer %d\n"
    assert re.fullmatch(line % 1 + line % 2, written)


def test_an_exception_is_shown_to_the_operator(pipe: tuple[int, int]) -> None:
    LogLines(pipe[1]).handle(record("oh", error=ValueError("why")))
    assert os.read(pipe[0], 4096).endswith(b" oh\nValueError: why\n")


def test_text_that_cannot_be_encoded_is_escaped(pipe: tuple[int, int]) -> None:
    LogLines(pipe[1]).handle(record("\ud800"))
    assert os.read(pipe[0], 4096).endswith(b" \\ud800\n")


def test_a_stderr_that_is_gone_stops_nothing() -> None:
    assert LogLines(-1).handle(record("x"))


def test_a_complaint_is_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    complain("mymcp", "no")
    assert capsys.readouterr().err == "mymcp: no\n"
