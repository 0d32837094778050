"""How recall reads text: which words stand in it, and in which one form words are compared.

Texts are taken as NFKC. Words are cut out where they end, within identifiers (`parseConfig`,
`x-request-id`, `src/app.py`) and around them, and in scripts that put no spaces between words,
into pairs of neighbouring characters: whatever two characters or more are asked for, their pairs
are there.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import count, pairwise, starmap
from operator import add

from mymcp.contract.text import composed
from mymcp.plugins.mnemosyne.memory.folding import SHAPES, folded, plain
from mymcp.plugins.mnemosyne.memory.function_words import STOP_WORDS
from mymcp.plugins.mnemosyne.memory.scripts import HIRAGANA

WORD_MAX_CHARACTERS = 1_000
"""Longer words match nothing, and an answer could not name them."""

_WORD = r"[Uld][Uldm]*"
_PIECE = re.compile(rf"(?P<spaced>{_WORD}(?:-{{1,2}}{_WORD})*)|(?P<run>[HJKST][HJKSTm]*)")
_ASCII_PIECE = re.compile(r"[0-9A-Za-z]+(?:[-_./\\:@+#&~=]{1,2}[0-9A-Za-z]+)*")
_RUN = re.compile(_WORD)
_PART = re.compile(r"U+(?=U[lm])|U?[lm]+|U+|d[dm]*")
_ONE_PART = re.compile(r"U?[lm]+|U+|d[dm]*")
_UNIT = re.compile(r"[HJKST]m*|m+")
_COMMON = "\u3041-\u3096\u30a1-\u30fa\u30fc\u3005\u4e00-\u9fff\uac00-\ud7a3"
"""Kana, Han, Hangul: characters of runs without spaces that are their own plain forms."""
_COMMON_RUN = re.compile(f"[{_COMMON}]+")
_COMMON_TEXT = re.compile(f"[{_COMMON}\u3001\u3002\u300c\u300d\u30fb]+")


@dataclass(frozen=True, slots=True)
class Word:
    """One word as it stands, case folded.

    `keys` are what it is found by: its plain form, or its pairs in a script without spaces. An
    identifier, which is a compound, and its parts have one `group`. An ending is the hiragana
    between other Japanese characters.
    """

    text: str
    keys: tuple[str, ...]
    group: int
    is_run: bool = False
    is_compound: bool = False
    is_ending: bool = False


def words_of(text: str) -> Iterator[Word]:
    """Yield the words of `text` as a query is read: runs without spaces by script.

    A word is at least two characters long and not one of the few that say nothing in any text.
    """
    groups = count()
    for piece, shape, is_spaced in _pieces(text):
        if is_spaced:
            yield from _spaced(piece, shape, next(groups))
        else:
            yield from _by_script(piece, shape, groups)


def keys_of(text: str) -> tuple[set[str], set[str]]:
    """Return the keys by which the words of `text` are found, and its words that have stems.

    Those are folded; compounds and runs without spaces are none of them.
    """
    if text.isascii() and (text.isdecimal() or (text.isalpha() and text[1:].islower())):
        only = text.lower()
        return ({only}, {only}) if _is_telling(only) else (set(), set())
    keys: set[str] = set()
    words: set[str] = set()
    if not text.isascii():
        text = composed(text, "NFKC")
        rest = _COMMON_TEXT.sub(" ", text)
        if rest.isascii():  # or marks could belong to the runs
            keys.update(*map(_pairs, _COMMON_RUN.findall(text)))
            text = rest
    for piece, shape, is_spaced in set(_pieces(text)):
        if not is_spaced:
            keys.update(_pairs(_units(piece, shape)))
        elif _is_simple(shape):
            words.add(folded(piece))
        else:
            for word in _spaced(piece, shape, 0):
                keys.update(word.keys)
                if not word.is_compound:
                    words.add(word.text)
    words = {word for word in words if _is_telling(word)}
    keys.update(map(plain, words))
    return keys, words


def _pieces(text: str) -> Iterator[tuple[str, str, bool]]:
    """Yield words, identifiers and unspaced runs with their shapes, and whether spaced."""
    if text.isascii():
        for piece in _ASCII_PIECE.findall(text):
            yield piece, _ascii_shape(piece), True
        return
    text = composed(text, "NFKC")
    shape = text.translate(SHAPES)
    for found in _PIECE.finditer(shape):
        start, end = found.span()
        yield text[start:end], found[0], found.lastgroup == "spaced"


def _spaced(piece: str, shape: str, group: int) -> Iterator[Word]:
    runs = [found.span() for found in _RUN.finditer(shape)]
    for start, end in runs:
        yield from _single(piece[start:end], group)
        parts = [found.span() for found in _PART.finditer(shape, start, end)]
        if len(parts) > 1:
            for first, last in parts:
                yield from _single(piece[first:last], group)
    if len(runs) > 1:
        text, key = folded(piece), plain(folded(_joined(piece, shape, runs)))
        if max(len(text), len(key)) <= WORD_MAX_CHARACTERS:
            yield Word(text, (key,), group, is_compound=True)


def _single(surface: str, group: int) -> Iterator[Word]:
    text = folded(surface)
    if _is_telling(text):
        yield Word(text, (plain(text),), group)


def _is_telling(word: str) -> bool:
    is_long_enough = 1 < len(word) <= WORD_MAX_CHARACTERS and len(plain(word)) > 1
    return is_long_enough and word not in STOP_WORDS


def _is_simple(shape: str) -> bool:
    """Tell whether a piece is one word and not put together of several."""
    return _ONE_PART.fullmatch(shape) is not None


def _ascii_shape(piece: str) -> str:
    is_simple = piece.isalpha() and piece[1:].islower()
    return "l" * len(piece) if is_simple else piece.translate(SHAPES)


def _joined(piece: str, shape: str, runs: list[tuple[int, int]]) -> str:
    """Return a compound without its joints, so that `parse_config` is `parseConfig`.

    Between digits one joint stays: 4.2 is not 42.
    """
    joined = piece[runs[0][0] : runs[0][1]]
    for (_, before), (start, end) in pairwise(runs):
        between = "." if shape[before - 1] == shape[start] == "d" else ""
        joined += between + piece[start:end]
    return joined


def _by_script(piece: str, shape: str, groups: Iterator[int]) -> Iterator[Word]:
    units = _units(piece, shape)
    scripts = "".join(found[0][0] for found in _UNIT.finditer(shape))
    for found in re.finditer(r"(.)\1*", scripts):
        start, end = found.span()
        is_ending = found[1] == HIRAGANA and end - start < len(units)
        if end - start == 1 and len(units) > 1:
            if is_ending:
                continue  # or it is in a pair with its neighbour
            start, end = max(0, start - 1), min(len(units), end + 1)
        text = "".join(units[start:end])[:WORD_MAX_CHARACTERS]
        keys = tuple(dict.fromkeys(_pairs(units[start:end])))
        yield Word(text, keys, next(groups), is_run=True, is_ending=is_ending)


def _units(piece: str, shape: str) -> list[str]:
    """Return the characters of an unspaced run, each with its marks."""
    if "m" not in shape:
        return list(map(_PLAIN_UNITS.__getitem__, piece))
    spans = (found.span() for found in _UNIT.finditer(shape))
    return [_PLAIN_UNITS[piece[start:end]] for start, end in spans]


def _pairs(units: Sequence[str]) -> Iterable[str]:
    return units if len(units) == 1 else starmap(add, pairwise(units))


class _PlainUnits(dict[str, str]):
    """The plain forms of characters with their marks; bounded, since there are a million."""

    MAX_UNITS = 20_000
    MAX_CHARACTERS = 4

    def __missing__(self, unit: str) -> str:
        made = plain(folded(unit))
        if len(unit) <= self.MAX_CHARACTERS:
            if len(self) >= self.MAX_UNITS:
                self.clear()
            self[unit] = made
        return made


_PLAIN_UNITS = _PlainUnits()
