"""What stands where a secret could and is none: placeholders, references, words."""

import re

from mymcp._generated.policy import CONTENT_V1

_HARMLESS = CONTENT_V1.harmless
_WORDS = frozenset(_HARMLESS.words)
_OPENINGS = frozenset(opening[0] for opening, _ in _HARMLESS.brackets)
_PLACEHOLDER_MAX_CHARACTERS = 80
_TRAILING = ",.;:!)]}>\"'`*\\"
_MASK_MIN_CHARACTERS = 3
_MASK = "*.-_x#"
_VARIABLE = re.compile(r"\$[A-Za-z_][A-Za-z0-9_]*+")
_PATH = re.compile(r"[.~]?/[a-z0-9._/-]*+")
_CALL = re.compile(r"[A-Za-z_][A-Za-z0-9_.]*+[(\[]")
_UNBROKEN = re.compile(rf"(?<![^-_/.])[A-Za-z0-9]{{{_HARMLESS.unbroken},}}+(?![^-_/.])")
_MIXED = re.compile("[A-Za-z][0-9]|[0-9][A-Za-z]|[^A-Za-z0-9_/.-]")
"""What words and numbers with one of these marks between them have not."""
_LETTER, _DIGIT = re.compile("[A-Za-z]"), re.compile("[0-9]")


def trimmed(value: str) -> str:
    """Return `value` without the punctuation that ends a sentence or a document's member."""
    return value.rstrip(_TRAILING)


def is_placeholder(text: str, start: int, end: int) -> bool:
    """Tell whether what stands in `text` from `start` to `end` only says where a secret goes.

    There is at least one character. A bracket that opens there may close after `end`, because
    placeholders have blanks.
    """
    limit = start + _PLACEHOLDER_MAX_CHARACTERS
    if text[start] in _OPENINGS:
        for opening, closing in _HARMLESS.brackets:
            if text.startswith(opening, start) and closing in text[start + len(opening) : limit]:
                return True
    value = trimmed(text[start:end])
    if value.lower() in _WORDS or (len(value) >= _MASK_MIN_CHARACTERS and not value.strip(_MASK)):
        return True
    return (
        value.startswith(_HARMLESS.starts)
        or _VARIABLE.fullmatch(value) is not None
        or _PATH.fullmatch(value) is not None
    )


def is_call(value: str) -> bool:
    """Tell whether an unquoted `value` is code that will give one."""
    return _CALL.match(value) is not None


def looks_random(value: str) -> bool:
    """Tell whether no one would write `value` as a word, or as words and numbers in a row."""
    has_digit = _DIGIT.search(value) is not None
    if len(value) >= _HARMLESS.unbroken:
        if _UNBROKEN.search(value):
            return True
    elif not has_digit:
        return False
    has_both = has_digit and _LETTER.search(value) is not None
    return has_both and len(value) >= _HARMLESS.random_least and _MIXED.search(value) is not None
