import json
import logging
import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mymcp.cli.rendering import (
    TEXT_MAX_CHARACTERS,
    TRACE_MAX_FRAMES,
    ErrorInfo,
    TextLine,
    json_failure,
    json_line,
    trouble,
    visible,
)

MOMENT = 1_764_000_000.25


def as_json(text: str, *, level: str = "INFO", logger: str = "mcp") -> dict[str, Any]:
    line = json_line(MOMENT, level, logger, text)
    assert line.endswith("}\n")
    assert line.count("\n") == 1
    found: dict[str, Any] = json.loads(line)
    return found


def fail(error: BaseException, depth: int) -> None:
    if depth == 0:
        raise error
    fail(error, depth - 1)


def caught(error: BaseException, depth: int = 0) -> ErrorInfo:
    try:
        fail(error, depth)
    except BaseException as found:  # noqa: BLE001  any exception is one to describe
        return type(found), found, found.__traceback__
    raise AssertionError


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("Zürich 日本 ok", "Zürich 日本 ok"),
        ("one\ntwo\r\n", r"one\u{a}two\u{d}\u{a}"),
        ("\x1b[31mred\x7f\x85", r"\u{1b}[31mred\u{7f}\u{85}"),
        ("\u202eevil\u2066\u200f", r"\u{202e}evil\u{2066}\u{200f}"),
        ("a\u2028b\u2029c\u00a0d\u200be", r"a\u{2028}b\u{2029}c\u{a0}d\u{200b}e"),
        ("\ud800", r"\u{d800}"),
        ("x" * TEXT_MAX_CHARACTERS, "x" * TEXT_MAX_CHARACTERS),
        ("x" * (TEXT_MAX_CHARACTERS + 1), "x" * (TEXT_MAX_CHARACTERS - 3) + "..."),
    ],
)
def test_what_does_not_print_is_escaped_and_what_is_too_long_is_cut(text: str, shown: str) -> None:
    assert visible(text) == shown


@given(st.text(max_size=3_000), st.text(max_size=20), st.text(max_size=20))
def test_any_event_is_one_bounded_printable_line_in_both_formats(
    text: str, level: str, logger: str
) -> None:
    line = TextLine()(MOMENT, level, logger, text)
    assert line[:-1].isprintable()
    assert line[-1] == "\n"
    assert len(line) <= TEXT_MAX_CHARACTERS + 30
    found = as_json(text, level=level, logger=logger)
    assert found["logger"] == visible(logger)
    assert json_line(MOMENT, level, logger, text)[:-1].isprintable()
    assert all(one.isprintable() for one in found.values() if isinstance(one, str))


def test_a_text_line_has_local_time_level_logger_and_text() -> None:
    line = TextLine()
    first, second = line(MOMENT, "INFO", "mcp", "a=1"), line(MOMENT + 0.5, "ERROR", "mcp", "a=2")
    shape = r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d,%s mcp a=%s\n"
    assert re.fullmatch(shape % ("250 INFO", "1"), first)
    assert re.fullmatch(shape % ("750 ERROR", "2"), second)
    assert first[:19] == second[:19]


def test_json_has_time_in_utc_level_logger_event_and_its_fields_in_this_order() -> None:
    line = json_line(MOMENT, "WARNING", "mcp", "response id=7 outcome=error code=-32601 late=true")
    assert line == (
        '{"time":"2025-11-24T16:00:00.250Z","level":"WARNING","logger":"mcp","event":"response",'
        '"id":"7","outcome":"error","code":-32601,"late":true}\n'
    )


@pytest.mark.parametrize(
    ("word", "value"),
    [
        ("count=12", 12),
        ("count=-1", -1),
        ("count=0", 0),
        ("count=007", "007"),
        ("count=-", "-"),
        ("count=", ""),
        ("count=1.5", "1.5"),
        ("count=٣", "٣"),
        ("count=" + "9" * 15, 999_999_999_999_999),
        ("count=" + "9" * 16, "9" * 16),
        ("correlation=123456789012", "123456789012"),
        ("method=5", "5"),
        ("done=false", False),
        ("url=http://[::1]:8000/mcp", "http://[::1]:8000/mcp"),
    ],
)
def test_values_of_json_have_the_type_that_they_look_like_but_names_stay_texts(
    word: str, value: object
) -> None:
    name = word.partition("=")[0]
    found = as_json(f"event=x {word}")[name]
    assert (found, type(found)) == (value, type(value))


@pytest.mark.parametrize(
    "text",
    [
        "Started server process [1]",
        "stopped",
        "",
        "event a=1 b",
        "a=1 a=2",
        "event level=ERROR",
        "event time=0 x=1",
        "event message=x",
        "event =x",
        "event a-b=x",
    ],
)
def test_a_text_that_is_no_list_of_fields_is_the_message_and_can_forge_none(text: str) -> None:
    found = as_json(text)
    assert set(found) == {"time", "level", "logger", "message"}
    assert (found["level"], found["message"]) == ("INFO", text)


def test_a_failed_start_is_json_with_its_code_and_without_one() -> None:
    found = json.loads(json_failure(MOMENT, "l", "invalid_x: no\n", "invalid_x"))
    assert list(found) == ["time", "level", "logger", "event", "outcome", "code", "message"]
    assert (found["level"], found["code"], found["message"]) == (
        *("ERROR", "invalid_x"),
        r"invalid_x: no\u{a}",
    )
    assert "code" not in json.loads(json_failure(MOMENT, "l", "no", None))


def test_an_exception_is_told_by_type_and_place_without_its_message_or_a_path() -> None:
    words = trouble(caught(ValueError("secret /home/me")))
    place = rf"{re.escape(__name__)}:\d+"
    assert re.fullmatch(f"exception=ValueError trace={place}>{place}", words)


def test_only_the_innermost_frames_of_an_exception_are_told() -> None:
    deep, shallow = (trouble(caught(ValueError(), depth)) for depth in (50, 0))
    assert deep.count(">") == TRACE_MAX_FRAMES - 1
    assert deep.rsplit(">", 1)[1] == shallow.rsplit(">", 1)[1]
    assert trouble((KeyError, KeyError(), None)) == "exception=KeyError"


def test_levels_of_the_standard_library_are_shown_as_they_are() -> None:
    assert as_json("a=1", level=logging.getLevelName(logging.INFO))["level"] == "INFO"


def test_module_that_renamed_itself_forges_no_field() -> None:
    try:
        exec("1 / 0", {"__name__": "a>b code=ok"})
    except ZeroDivisionError as error:
        found = trouble((type(error), error, error.__traceback__))
    assert found.endswith(">?")
    assert "code" not in found
