"""Code of a plugin, run so that nothing it raises gets out."""

import re
from collections.abc import Callable
from typing import Final, TypeVar

from mymcp.contract.trace import kind_of, place_of

T = TypeVar("T")

REMARK_MAX_CHARACTERS: Final = 200

_word: Final = re.compile(r"[A-Za-z0-9_.<>:/$~-]{1,200}").fullmatch


class Contained(Exception):
    """What a plugin raised, as words that are safe to log.

    `kind` is the class, `place` the module and line where it was raised; `remark` is its text, cut
    and escaped, for the author only.
    """

    def __init__(self, kind: str, place: str, remark: str) -> None:
        super().__init__(kind)
        self.kind = kind
        self.place = place
        self.remark = remark


def contained(call: Callable[[], T], *, letting: type[Exception] | None = None) -> T:
    """Return what `call` returns. Raises `Contained` for whatever it raises, exits included.

    `letting` is an error of our own that passes.

    A signal that arrives meanwhile looks the same from here: whoever runs this in the main thread
    decides beforehand what a signal does.
    """
    try:
        return call()
    except BaseException as error:  # a plugin may raise SystemExit or worse
        if letting is not None and isinstance(error, letting):
            raise
        raise Contained(word(kind_of(error)), word(place_of(error)), _remark(error)) from None


def word(text: str) -> str:
    """Return `text` if it is one plain word that may stand in a log line, else `?`."""
    return text if _word(text) else "?"


def _remark(error: BaseException) -> str:
    try:
        text = str(error)
    except BaseException:  # noqa: BLE001  __str__ is the plugin's code too
        return ""
    return escaped(text)


def escaped(text: str) -> str:
    """Return `text` on one line, cut, with everything that is not plainly visible escaped."""
    shown = "".join(sign if sign.isprintable() else f"\\u{ord(sign):04x}" for sign in text[:500])
    return shown if len(shown) <= REMARK_MAX_CHARACTERS else f"{shown[:REMARK_MAX_CHARACTERS]}..."
