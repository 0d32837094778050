"""Keys and tokens that say themselves what they are."""

import re
from collections.abc import Callable
from dataclasses import dataclass

from mymcp._generated.policy import CONTENT_V1
from mymcp.contract.policy import Prefix
from mymcp.plugins.mnemosyne.memory.policy.harmless import is_placeholder
from mymcp.plugins.mnemosyne.memory.policy.reading import Reading

Span = tuple[int, int]
"""Start and end of what was found."""

_PREFIXED_MAX_CHARACTERS = 160
"""How far a key is looked at: a slug of words shows itself before."""
_SCHEME = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789+.-")


def _header() -> re.Pattern[str]:
    keys = CONTENT_V1.private_keys
    hyphens, gap = "-" * keys.hyphens, f"[ ]{{0,{keys.gap}}}"
    endings = "|".join(map(re.escape, keys.endings))
    return re.compile(
        f"{hyphens}{gap}{keys.opening}[a-z0-9 ]{{0,{keys.words}}}{keys.name}"
        f"(?:{endings})?{gap}{hyphens}"
    )


def _compact() -> re.Pattern[str]:
    tokens = CONTENT_V1.compact_tokens
    body = f"[{tokens.body}]"
    first = f"(?<!{body}){tokens.start}{body}{{{tokens.least},}}+"
    return re.compile(f"{first}\\.{body}++\\.{body}++")


_HEADER = _header()
_COMPACT = _compact()
_URL_LOGIN = re.compile(r"://[^/\s:@]++:([^/\s@]++)@")


def private_key(reading: Reading) -> Span | None:
    """Find the header of a private key, or what every body of its kind has."""
    found = _HEADER.search(reading.lowered)
    if found is not None:
        return found.span()
    for body in CONTENT_V1.private_keys.bodies:
        start = reading.text.find(body)
        if start >= 0:
            return start, start + len(body)
    return None


def prefixed_key(reading: Reading) -> Span | None:
    """Find a key by its first characters."""
    for mark, beginnings in _BEGINNINGS.items():
        if mark not in reading.text:
            continue
        for beginning in beginnings:
            start = reading.text.find(beginning.text)
            for found in beginning.whole.finditer(reading.text, start) if start >= 0 else ():
                if beginning.judge is None or beginning.judge(found[0]):
                    return found.span()
    return None


def login_in_url(reading: Reading) -> Span | None:
    """Find `scheme://user:password@`; from each `://` back, or letters and hyphens cost n^2."""
    for found in _URL_LOGIN.finditer(reading.text):
        start = _scheme_before(reading.text, found.start())
        if start is not None and not is_placeholder(reading.text, found.start(1), found.end(1)):
            return start, found.end()
    return None


def compact_token(reading: Reading) -> Span | None:
    """Find a signed token: three parts joined by dots."""
    start = reading.text.find(CONTENT_V1.compact_tokens.start)
    found = _COMPACT.search(reading.text, start) if start >= 0 else None
    return None if found is None else found.span()


@dataclass(frozen=True, slots=True)
class _Beginning:
    """One prefix, compiled."""

    text: str
    whole: re.Pattern[str]
    judge: Callable[[str], bool] | None


def _beginning(prefix: Prefix) -> _Beginning:
    guard, text = f"[{prefix.guard}]", re.escape(prefix.text)
    most = _PREFIXED_MAX_CHARACTERS if prefix.unbroken else prefix.least
    after = f"(?!{guard})" if prefix.exact else ""
    # The guard stands after the text that it guards, so that the text is searched for in one go.
    whole = f"{text}(?<!{guard}{text})[{prefix.body}]{{{prefix.least},{most}}}+{after}"
    return _Beginning(prefix.text, re.compile(whole), _judge(prefix))


def _judge(prefix: Prefix) -> Callable[[str], bool] | None:
    """Return what tells a key from a slug of words, where words are possible."""
    if not prefix.unbroken:
        return None
    unbroken = re.compile(f"[A-Za-z0-9]{{{prefix.unbroken}}}").search
    kinds = [re.compile(kind).search for kind in ("[a-z]", "[A-Z]", "[0-9]")]

    def looks_like_a_key(whole: str) -> bool:
        body = whole[len(prefix.text) :]
        if unbroken(body):
            return True
        return len(body) >= prefix.mixed and all(search(body) for search in kinds)

    return looks_like_a_key


def _by_last() -> dict[str, list[_Beginning]]:
    """Return the beginnings by their last character: many texts have no `_`."""
    found: dict[str, list[_Beginning]] = {}
    for prefix in CONTENT_V1.prefixes:
        found.setdefault(prefix.text[-1], []).append(_beginning(prefix))
    return found


_BEGINNINGS = _by_last()


def _scheme_before(text: str, end: int) -> int | None:
    """Return where a scheme that begins at a word's start and ends at `end` begins, if one does."""
    for position in range(end - 1, max(-1, end - 1 - CONTENT_V1.scheme_reach), -1):
        if text[position] not in _SCHEME:
            return None
        starts_word = position == 0 or not _is_word(text[position - 1])
        if starts_word and text[position].isalpha():
            return position
    return None


def _is_word(character: str) -> bool:
    return character.isalnum() or character == "_"
