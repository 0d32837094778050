"""Normalisation of text, applied before bounds. Contract keyword: `x-normalise`.

Every function passes a value that is not a string through unchanged: telling its type is the
model's work. White space is what `str.isspace` says, U+001C to U+001F included.
"""

from itertools import groupby
from typing import Literal
from unicodedata import combining, is_normalized, normalize

NORMALISED_MAX_CHARACTERS = 4_000
"""No normalised text may be allowed more (dialect rule D14)."""
_COMPOSED_MAX_CHARACTERS = 4 * NORMALISED_MAX_CHARACTERS
"""Composition makes one character of four at the most: longer text stays too long for any bound."""
_SHORT_RUN_MARKS = 30
"""As in the Stream-Safe Text Format of Unicode; real text stays far below."""


def trimmed(value: object) -> object:
    """Turn CRLF and CR into LF, compose (NFC) and cut white space off both ends."""
    if not isinstance(value, str):
        return value
    if "\r" in value:
        value = value.replace("\r\n", "\n").replace("\r", "\n")
    if value.isascii():
        return value.strip()
    return _bounded(value.strip()).strip()


def collapsed(value: object) -> object:
    """Compose (NFC) and turn every run of white space into one space, none at the ends."""
    if not isinstance(value, str):
        return value
    spaced = " ".join(value.split())
    return spaced if spaced.isascii() else " ".join(_bounded(spaced).split())


def lowered(value: object) -> object:
    """Cut white space off both ends and lower the ASCII letters; others stay, to be refused."""
    if not isinstance(value, str):
        return value
    stripped = value.strip()
    return stripped.lower() if stripped.isascii() else stripped


def composed(text: str, form: Literal["NFC", "NFKC"]) -> str:
    """Return `text` in normalisation form `form`, in time that grows with its length.

    `unicodedata.normalize` sorts a run of combining marks in quadratic time and lets no other
    thread run meanwhile: 100 KB of marks would stop the server for seconds. Long runs are sorted
    here first; sorted ones cost it nothing.
    """
    if text.isascii() or is_normalized(form, text):
        return text
    if _has_long_run(text):
        text = _with_sorted_marks(text, "NFD" if form == "NFC" else "NFKD")
    return normalize(form, text)


def _bounded(text: str) -> str:
    return text if len(text) > _COMPOSED_MAX_CHARACTERS else composed(text, "NFC")


def _has_long_run(text: str) -> bool:
    return any(
        is_mark and sum(1 for _ in run) > _SHORT_RUN_MARKS
        for is_mark, run in groupby(text, _is_mark)
    )


def _with_sorted_marks(text: str, form: Literal["NFD", "NFKD"]) -> str:
    decomposed = "".join(normalize(form, character) for character in text)
    return "".join(
        "".join(sorted(run, key=combining) if is_mark else run)
        for is_mark, run in groupby(decomposed, _is_mark)
    )


def _is_mark(character: str) -> bool:
    return combining(character) != 0
