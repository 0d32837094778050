"""Values that the word before them makes a secret: `password=...`, `Authorization: Bearer ...`."""

import re
from collections.abc import Iterable, Iterator

from mymcp._generated.policy import CONTENT_V1
from mymcp.plugins.mnemosyne.memory.policy.harmless import (
    is_call,
    is_placeholder,
    looks_random,
    trimmed,
)
from mymcp.plugins.mnemosyne.memory.policy.keys import Span
from mymcp.plugins.mnemosyne.memory.policy.reading import Reading

_ASSIGNMENTS, _AUTHORIZATION = CONTENT_V1.assignments, CONTENT_V1.authorization


def _any_of(words: Iterable[str]) -> str:
    """Return the alternatives of `words`, by first letter: most places fail at once then."""
    by_letter: dict[str, list[str]] = {}
    for word in words:
        by_letter.setdefault(word[0], []).append(word[1:].replace(" ", "[_-]?"))
    return "|".join(f"{letter}(?:{'|'.join(rest)})" for letter, rest in by_letter.items())


_QUOTES = r"[\"'`*\\]"
_SEPARATOR = rf"{_QUOTES}{{0,4}}+\s{{0,32}}+[:=](?![=>:])"
_KEYWORD = re.compile(f"({_any_of((*_ASSIGNMENTS.keywords, *_ASSIGNMENTS.prose))}){_SEPARATOR}")
_PROSE = frozenset(_ASSIGNMENTS.prose)
"""These stand in sentences too. They have no blank, so they are found as they are."""
_VALUE = re.compile(
    r"(\s{0,32}+)(?:\*\*|`)?+\s{0,4}+(?:(\\?[\"'])([^\"'\s\\]{0,256}+)|(\S{0,256}+))"
)
_HEADER = re.compile(
    f"({_any_of(_AUTHORIZATION.names)}){_SEPARATOR}\\s{{0,32}}+{_QUOTES}{{0,4}}+"
    f"({_any_of(dict(_AUTHORIZATION.schemes))})[ \\t]{{1,8}}+(\\S{{1,256}}+)"
)
_LEAST = dict(_AUTHORIZATION.schemes)
_BARE = re.compile(
    f"({_any_of(_AUTHORIZATION.bare)})[ \\t]{{1,8}}+"
    f"([a-z0-9._~+/=-]{{{_AUTHORIZATION.bare_least},256}}+)"
)
_BEFORE_ALONE = frozenset(" \t\"'`*->")
_AFTER_ALONE = re.compile(r"[ \t\"'`*.,;]{0,16}+(?:\n|$)")


def authorization(reading: Reading) -> Span | None:
    """Find the header of HTTP with its value, or a bearer value without it."""
    text = reading.text
    for found in _hits(_HEADER, reading):
        value = trimmed(text[found.start(3) : found.end(3)])
        if len(value) >= _LEAST[found[2]] and not is_placeholder(text, *found.span(3)):
            return found.span()
    for found in _hits(_BARE, reading):
        value = text[found.start(2) : found.end(2)]
        if is_placeholder(text, *found.span(2)):
            continue
        if looks_random(trimmed(value)) or _is_alone(text, found):
            return found.span()
    return None


def assignment(reading: Reading) -> Span | None:
    """Find a key word with a value that could be a secret."""
    for found in _hits(_KEYWORD, reading):
        value = _VALUE.match(reading.text, found.end())
        if value is not None and _is_secret(reading.text, found[1], value):
            return found.start(), value.end()
    return None


def _is_secret(text: str, keyword: str, found: re.Match[str]) -> bool:
    blanks, quote, quoted, bare = found.groups()
    value = trimmed(bare if quote is None else quoted)
    if len(value) < _ASSIGNMENTS.least:
        return False
    is_prose = keyword in _PROSE
    if is_prose and value.isdigit():
        return False
    if blanks and quote is None and ((is_prose and not looks_random(value)) or is_call(value)):
        return False
    return not is_placeholder(text, *found.span(4 if quote is None else 3))


def _hits(pattern: re.Pattern[str], reading: Reading) -> Iterator[re.Match[str]]:
    """Yield where a key word of `pattern` begins a word, or the capital part of one.

    After one that does not the search goes on at its second character: `myaccess_token` has no
    `access_token`, but a `token`.
    """
    text, search = reading.text, pattern.search
    found = search(reading.lowered)
    while found is not None:
        start, end = found.span()
        before = text[start - 1] if start else " "
        if before.isalnum() and (before.isupper() or not text[start].isupper()):
            end = start + 1
        else:
            yield found
        found = search(reading.lowered, end)


def _is_alone(text: str, found: re.Match[str]) -> bool:
    """Tell whether nothing but quotes and marks stands on the line of `found`."""
    start = found.start()
    while start and text[start - 1] in _BEFORE_ALONE:
        start -= 1
    return (start == 0 or text[start - 1] == "\n") and bool(_AFTER_ALONE.match(text, found.end()))
