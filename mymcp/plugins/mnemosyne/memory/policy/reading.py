"""What the shapes are sought in: a text as it is, and folded; both in ASCII alone.

Every shape is one of ASCII characters. So what is not ASCII becomes `?` where it is a letter or
digit and `|` where it is a symbol, and no detector has to think of it.
"""

import re
import string
from collections.abc import Iterable
from dataclasses import dataclass, field
from unicodedata import normalize

from mymcp._generated.policy import CONTENT_V1

OTHER_LETTER = "?"
"""Stands for a letter that is not ASCII."""
_OTHER_SYMBOL = "|"

_IGNORABLE = re.compile(
    f"[{''.join(f'{first}-{last}' for first, last in CONTENT_V1.folding.ignorable)}]+"
)
_DIGITS = {
    chr(ord(zero) + value): str(value) for zero in CONTENT_V1.folding.zeros for value in range(10)
}
_NUMBER = re.compile("[0-9]+")
_OTHERS = re.compile(r"[^\x00-\x7f]+")
_OTHER_DIGIT = re.compile(r"[^\D0-9]")
_BLANK, _SYMBOL = re.compile(r"[^\S\x00-\x7f]"), re.compile(r"[^\w\x00-\x7f]")
_LONG = re.compile("[^\0]{3,}")  # in no shape, and 4,000 of them would be 72,000 characters
_FEW = 32  # so many replacements are quicker than one look at each character
_REPEATED = 3  # times that a character has to be there, or a table of them is not worth while


@dataclass(frozen=True, slots=True)
class Reading:
    """One reading of a text, in ASCII; `lowered` has the same positions.

    `numeric` is false where another reading of the text has the same digits in the same groups.
    `is_folded_too` says that there is another one, in which ASCII characters stand as they do here.
    """

    text: str
    numeric: bool = True
    is_folded_too: bool = False
    lowered: str = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "lowered", self.text.lower())


def readings_of(text: str) -> tuple[Reading, ...]:
    """Return `readings` of `text`, ready for the detectors."""
    *others, last = readings(text)
    plain = (
        Reading(text, not _have_same_numbers(text, last), is_folded_too=True) for text in others
    )
    return (*plain, Reading(last))


def _have_same_numbers(one: str, other: str) -> bool:
    if any(one.count(digit) != other.count(digit) for digit in string.digits):
        return False  # counting is much quicker
    return _NUMBER.findall(one) == _NUMBER.findall(other)


def readings(text: str) -> tuple[str, ...]:
    """Return what is to be read of `text`: as it is, and folded where that can differ."""
    if text.isascii():
        return (text,)
    plain, folded = text.encode("ascii", "replace").decode("ascii"), _folded(text)
    return (folded,) if _masked(folded) == _masked(plain) else (plain, folded)


def _folded(text: str) -> str:
    others = set("".join(_OTHERS.findall(text)))
    if len(others) * _REPEATED > len(text):
        return _foldings(text).replace("\0", "")
    foldings = dict(zip(others, _foldings(others).split("\0"), strict=True))
    if len(others) > _FEW:
        return text.translate({ord(character): to for character, to in foldings.items()})
    for character, folding in foldings.items():
        text = text.replace(character, folding)
    return text


def _masked(text: str) -> str:
    """Return `text` with everything alike that a folded blank or symbol can differ in."""
    return text.replace(_OTHER_SYMBOL, OTHER_LETTER).replace(" ", OTHER_LETTER)


def _foldings(characters: Iterable[str]) -> str:
    """Return the foldings of `characters` joined by NUL: all of them at once, in C.

    Characters one by one, not the text: no mark makes an ASCII letter before it another one, and
    no run of marks has to be sorted.
    """
    folded = normalize("NFKC", _IGNORABLE.sub("", "\0".join(characters)))
    folded = _OTHER_DIGIT.sub(lambda found: _DIGITS.get(found[0], found[0]), folded)
    folded = _SYMBOL.sub(_OTHER_SYMBOL, _BLANK.sub(" ", _LONG.sub(OTHER_LETTER, folded)))
    return folded.encode("ascii", "replace").decode("ascii")
