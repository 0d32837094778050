"""Bytes of an operator's file as a value: one meaning for every reader, or a refusal.

What small texts could do to a parser is bounded: nesting, length of integers, parts of a key.
"""

import re
import tomllib
from codecs import BOM_UTF8

from mymcp.contract.strict_json import (
    INTEGER_MAX_DIGITS,
    NESTING_MAX_LEVELS,
    StrictJSONError,
    decode,
)
from mymcp.sources.refusal import SourceError

_INTEGER_BOUND = 10**INTEGER_MAX_DIGITS


def toml(data: bytes) -> dict[str, object]:
    """Return the tables that `data` holds (TOML 1.0).

    Raises `SourceError`: `invalid_utf8`; `invalid_toml` for broken syntax, a byte order mark, a key
    that stands twice, tables, arrays or dotted keys of more than `NESTING_MAX_LEVELS` levels,
    integers of more than `INTEGER_MAX_DIGITS` digits.
    """
    text = _decoded(data)
    if _has_long_key(text):
        raise SourceError("invalid_toml")
    try:
        tables = tomllib.loads(text)
    except (ValueError, RecursionError):
        raise SourceError("invalid_toml") from None
    if not _is_bounded(tables):
        raise SourceError("invalid_toml")
    return tables


def json(data: bytes) -> object:
    """Return the value that `data` holds, read by `mymcp.contract.strict_json`.

    Raises `SourceError`: `invalid_utf8`; `invalid_json` for everything else that is refused there,
    a byte order mark included.
    """
    try:
        return decode(data)
    except StrictJSONError as error:
        is_text = error.reason != "encoding" or data.startswith(BOM_UTF8)
        raise SourceError("invalid_json" if is_text else "invalid_utf8") from None


def _decoded(data: bytes) -> str:
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        raise SourceError("invalid_utf8") from None


def _is_bounded(value: object) -> bool:
    """Tell whether nesting and integers keep to their bounds."""
    here: list[object] = [value]
    for _ in range(NESTING_MAX_LEVELS + 1):
        if any(isinstance(item, int) and abs(item) >= _INTEGER_BOUND for item in here):
            return False
        here = [inner for item in here for inner in _inside(item)]
    return not here


def _inside(value: object) -> list[object]:
    if isinstance(value, dict):
        return list(value.values())
    return value if isinstance(value, list) else []


def _has_long_key(text: str) -> bool:
    """Tell whether a key has too many parts.

    The parser takes time by the square of their number: 19 s for the longest key in 65,536 bytes.
    """
    return _LONG_KEY.search(_QUOTED.sub("s", text)) is not None


# Comments and texts. A closing mark may be missing: nothing is tried again from the next one.
# No possessive groups: Python 3.11 before 3.11.5 runs them wrongly where an alternative can fail.
_QUOTED = re.compile(
    r'#[^\n]*|"""(?:[^"\\]|\\.|"(?!""))*(?:"{3,5}|\\?\Z)'
    r"|'''(?:[^']|'(?!''))*(?:'{3,5}|\Z)"
    r'|"(?:[^"\\\n]|\\[^\n])*"?'
    r"|'[^'\n]*'?",
    re.DOTALL,
)
_LONG_KEY = re.compile(
    rf"(?<![A-Za-z0-9_-])(?:[A-Za-z0-9_-]+[ \t]*\.[ \t]*){{{NESTING_MAX_LEVELS}}}"
)
