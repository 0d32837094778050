"""Its tools: their definitions, and the functions behind them."""

from datetime import date
from threading import Event
from typing import TypedDict

from mymcp.plugin import ToolResult, error_result, structured_result, text_result

RELEASED = Event()
"""Until it is set, `wait` does not answer."""

NEW_MOON = date(2000, 1, 6)
MONTH_DAYS = 29.530588

MOON = {
    "title": "Age of the moon",
    "description": "Tell how many days old the moon is on a day.",
    "inputSchema": {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "type": "object",
        "properties": {"day": {"$ref": "#/$defs/day"}},
        "required": ["day"],
        "$defs": {"day": {"type": "string", "format": "date", "description": "As 2026-01-31."}},
    },
    "outputSchema": {
        "type": "object",
        "properties": {"days": {"type": "number", "minimum": 0, "maximum": MONTH_DAYS}},
        "required": ["days"],
    },
}
NOTE = {
    "description": "Keep a note in memory.",
    "inputSchema": {
        "type": "object",
        "properties": {"texts": {"type": "array", "items": {"type": "string"}, "minItems": 1}},
        "required": ["texts"],
        "additionalProperties": False,
    },
}
PLAIN = {"description": "Misbehave.", "inputSchema": {"type": "object"}}


class MoonArguments(TypedDict):
    """Arguments of `moon`."""

    day: str


class NoteArguments(TypedDict):
    """Arguments of `note`."""

    texts: list[str]


def moon(arguments: MoonArguments) -> ToolResult:
    try:
        day = date.fromisoformat(arguments["day"])
    except ValueError:
        return error_result("invalid_day", "Pass a day as 2026-01-31.", field="day")
    return structured_result({"days": round((day - NEW_MOON).days % MONTH_DAYS, 1)})


class Notes:
    """A handler with a state of its own."""

    def __init__(self) -> None:
        self._kept: list[str] = []

    def __call__(self, arguments: NoteArguments) -> ToolResult:
        self._kept += arguments["texts"]
        return text_result(f"{len(self._kept)} kept")


def wait(_arguments: object) -> ToolResult:
    RELEASED.wait(20)
    return text_result("at last")


def leave(_arguments: object) -> ToolResult:
    raise SystemExit(7)
