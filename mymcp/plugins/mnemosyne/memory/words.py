"""How recall reads text: folded, cut into words, without the words that say nothing."""

import re
from unicodedata import category

from mymcp.contract.text import composed

WORD_MAX_CHARACTERS = 1_000
"""Longer runs match nothing but themselves, and an answer could not name them."""

_STOP_WORDS = frozenset(
    (
        "a",
        "an",
        "and",
        "are",
        "do",
        "does",
        "for",
        "how",
        "i",
        "in",
        "is",
        "it",
        "of",
        "on",
        "or",
        "the",
        "to",
        "user",
        "what",
        "when",
        "where",
        "which",
        "who",
        "why",
    )
)
_ASCII_RUN = re.compile(r"[0-9a-z]+")
_WORD_CATEGORIES = frozenset("LMN")


def folded(text: str) -> str:
    """Return `text` in the one form in which texts are compared: NFKC, case folded."""
    if text.isascii():
        return text.lower()
    return composed(composed(text, "NFKC").casefold(), "NFKC")


def words(text: str) -> frozenset[str]:
    """Return the words of `text`: runs of at least two letters, marks and numerals.

    Marks belong to a word, or scripts that write vowels as marks would fall into single letters.
    """
    plain = folded(text)
    runs = _ASCII_RUN.findall(plain) if plain.isascii() else _runs(plain)
    return frozenset(
        run for run in runs if 1 < len(run) <= WORD_MAX_CHARACTERS and run not in _STOP_WORDS
    )


def tag_key(tag: str) -> str:
    """Return what makes two tags equal: folded, every run of white space one space."""
    return " ".join(folded(tag).split())


def _runs(text: str) -> list[str]:
    return "".join(c if category(c)[0] in _WORD_CATEGORIES else " " for c in text).split()
