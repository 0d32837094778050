"""How an event becomes one line of the log: bounded, escaped, as text or as JSON.

Whatever a record holds, nobody can forge a line with it, reorder what a terminal shows, or fill
the disk in one go. Our own events are free of content already; those of others end here too.
"""

import json
import time
from types import TracebackType
from typing import Final, Literal

from mymcp.contract.trace import kind_of, place_in

LogFormat = Literal["text", "json"]

TEXT_MAX_CHARACTERS = 2_000
"""Longest text of an event; `...` at its end says that it was cut."""

TRACE_MAX_FRAMES = 8

_RESERVED: Final = frozenset({"time", "level", "logger", "message"})
_TEXTS: Final = frozenset({"id", "method", "correlation"})
"""Fields whose values may look like numbers and are none, or not always."""

_NUMBER_MAX_DIGITS = 15
"""So many digits survive a reader that takes every number for a double."""

ErrorInfo = tuple[type[BaseException], BaseException, TracebackType | None]


def visible(text: str) -> str:
    r"""Return `text` on one line, with what does not print as `\u{...}`, cut if it is too long.

    What does not print are control characters, line ends, bidi controls, other invisible
    characters, every space but the usual one, and lone surrogates.
    """
    if len(text) <= TEXT_MAX_CHARACTERS and text.isprintable():
        return text
    begun = text[: TEXT_MAX_CHARACTERS + 1]
    word = "".join(one if one.isprintable() else f"\\u{{{ord(one):x}}}" for one in begun)
    return word if len(word) <= TEXT_MAX_CHARACTERS else f"{word[: TEXT_MAX_CHARACTERS - 3]}..."


def trouble(error: ErrorInfo) -> str:
    """Return what an exception is and where it came from, as words of an event.

    Neither its message nor a path of a machine: both may hold what no log should. The trace names
    the innermost frames, `module:line`, the last one where it was raised.
    """
    _, raised, trace = error
    frames: list[str] = []
    while trace is not None:
        frames.append(_word(place_in(trace)))
        trace = trace.tb_next
    words = f"exception={_word(kind_of(raised))}"
    return f"{words} trace={'>'.join(frames[-TRACE_MAX_FRAMES:])}" if frames else words


def _word(text: str) -> str:
    """Return `text` if it can be no other field of an event, else `?`."""
    return "?" if {" ", "=", ">"} & set(text) else text


class TextLine:
    """Renders an event as `time level logger text`, the time local."""

    def __init__(self) -> None:
        self._clock = (0, "")

    def __call__(self, created: float, level: str, logger: str, text: str) -> str:
        """Return the line of what happened at `created`, in seconds since 1970."""
        second = int(created)
        known, clock = self._clock
        if second != known:
            clock = time.strftime("%Y-%m-%d %H:%M:%S", time.localtime(second))
            self._clock = second, clock
        shown = visible(f"{level} {logger} {text}")
        return f"{clock},{int(created * 1000) % 1000:03d} {shown}\n"


def json_line(created: float, level: str, logger: str, text: str) -> str:
    """Return the same as one JSON object: `time` in UTC, `level`, `logger`, `event`, its fields.

    A text that is no list of fields is the member `message`.
    """
    shown = visible(text)
    return _json(created, level, logger, _fields(shown) or {"message": shown})


def json_failure(created: float, logger: str, message: str, code: str | None) -> str:
    """Return, as one JSON object, that the start failed, and why."""
    fields: dict[str, object] = {"event": "start", "outcome": "error"}
    if code is not None:
        fields["code"] = code
    return _json(created, "ERROR", logger, fields | {"message": visible(message)})


def _json(created: float, level: str, logger: str, fields: dict[str, object]) -> str:
    clock = time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(int(created)))
    moment = f"{clock}.{int(created * 1000) % 1000:03d}Z"
    head = {"time": moment, "level": visible(level), "logger": visible(logger)}
    return json.dumps(head | fields, separators=(",", ":")) + "\n"


def _fields(text: str) -> dict[str, object] | None:
    """Return what `event key=value ...` says; none if the text is of another form."""
    words = text.split(" ")
    if len(words) > 1 and words[0].isidentifier():
        words[0] = f"event={words[0]}"
    pairs = [word.partition("=") for word in words]
    fields = {name: _value(name, value) for name, _, value in pairs}
    if len(fields) < len(pairs) or not _RESERVED.isdisjoint(fields):
        return None
    if not all(equals and name.isidentifier() for name, equals, _ in pairs):
        return None
    return fields


def _value(name: str, word: str) -> object:
    if name in _TEXTS:
        return word
    if word in {"true", "false"}:
        return word == "true"
    digits = word.removeprefix("-")
    if digits.isascii() and digits.isdecimal() and len(digits) <= _NUMBER_MAX_DIGITS:
        return int(word) if digits == "0" or digits[0] != "0" else word
    return word
