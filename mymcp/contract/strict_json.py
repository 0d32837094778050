"""JSON without its traps: one meaning for every reader, or a refusal. RFC 8259, RFC 7493 (I-JSON).

Refused beside broken syntax: text that is not UTF-8 or starts with a BOM, duplicate member names,
`NaN` and `Infinity`, numbers that overflow, integers that are absurdly long, nesting beyond a
bound, more values than a bound (a megabyte of brackets becomes a hundred megabytes of lists).
Lone surrogates pass: whoever reads a text field reports them with the field's name.
"""

import json
from math import isinf
from typing import Literal, NoReturn

Refusal = Literal["encoding", "syntax", "duplicate", "number", "depth", "count"]

INTEGER_MAX_DIGITS = 1_000
NESTING_MAX_LEVELS = 64
VALUES_MAX = 20_000
"""Most values in one text, members and items at all levels."""

encode = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"), allow_nan=False).encode
"""Compact JSON text, members in given order, non-ASCII characters literal."""


class StrictJSONError(ValueError):
    """JSON that is not accepted; `reason` says which rule it breaks, never what stood there."""

    def __init__(self, reason: Refusal) -> None:
        super().__init__(reason)
        self.reason = reason


def decode(data: bytes, *, levels: int = NESTING_MAX_LEVELS) -> object:
    """Return the value that `data` holds; objects and arrays nest at most `levels` deep.

    Raises `StrictJSONError` for everything that the module refuses.
    """
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        raise StrictJSONError("encoding") from None
    return decode_text(text, levels=levels)


def decode_text(text: str, *, levels: int = NESTING_MAX_LEVELS) -> object:
    """Do what `decode` does, for text that was decoded already."""
    if text.startswith("\ufeff"):
        raise StrictJSONError("encoding")
    if _holds_too_many(text):
        raise StrictJSONError("count")
    try:
        value = _decode(text)
    except StrictJSONError:
        raise
    except RecursionError:
        raise StrictJSONError("depth") from None
    except ValueError:
        raise StrictJSONError("syntax") from None
    if text.count("[") + text.count("{") > levels and _depth_exceeds(value, levels):
        raise StrictJSONError("depth")
    return value


def _holds_too_many(text: str) -> bool:
    if len(text) <= VALUES_MAX:  # each value is a character at least
        return False
    return _most_values(text) > VALUES_MAX and _most_values(_without_strings(text)) > VALUES_MAX


def _most_values(text: str) -> int:
    """Return how many values `text` can hold at the most; too high where strings hold commas."""
    return text.count(",") + text.count("[") + text.count("{") + 1


def _without_strings(text: str) -> str:
    """Return what stands outside the strings of `text`, if it is JSON."""
    plain = text.replace("\\\\", "").replace('\\"', "")
    return "".join(plain.split('"')[::2])


def _members(pairs: list[tuple[str, object]]) -> dict[str, object]:
    members = dict(pairs)
    if len(members) != len(pairs):
        raise StrictJSONError("duplicate")
    return members


def _integer(literal: str) -> int:
    if len(literal) > INTEGER_MAX_DIGITS:
        raise StrictJSONError("number")
    return int(literal)


def _float(literal: str) -> float:
    value = float(literal)
    if isinf(value):
        raise StrictJSONError("number")
    return value


def _constant(_name: str) -> NoReturn:
    raise StrictJSONError("number")


def _depth_exceeds(value: object, levels: int) -> bool:
    containers = [value] if isinstance(value, dict | list) else []
    while containers and levels:
        levels -= 1
        inner: list[dict[str, object] | list[object]] = []
        for parent in containers:
            for item in parent.values() if isinstance(parent, dict) else parent:
                if type(item) is dict or type(item) is list:  # the decoder makes no subclasses
                    inner.append(item)
        containers = inner
    return bool(containers)


_decode = json.JSONDecoder(
    object_pairs_hook=_members,
    parse_int=_integer,
    parse_float=_float,
    parse_constant=_constant,
).decode
