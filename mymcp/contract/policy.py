"""What a policy of content says, as data. Contract: `contracts/meta/policy.json`.

Character sets are written as the inside of a class of a regular expression, `A-Za-z0-9_`; the
texts of everything that ignores letter case are in lower case.
"""

from dataclasses import dataclass
from typing import Literal

Reason = Literal[
    "private_key_shape",
    "credential_shape",
    "compact_token_shape",
    "government_identifier_shape",
    "payment_card_shape",
]


@dataclass(frozen=True, slots=True)
class Folding:
    """How the second reading of a text comes about, after NFKC.

    `ignorable` are the first and last characters of the ranges that are left out, `zeros` the
    digits nought of other scripts, each followed by its one to nine.
    """

    ignorable: tuple[tuple[str, str], ...]
    zeros: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Joined:
    """Fields that are also read one after the other; each gives `reach` characters of its ends."""

    fields: tuple[str, ...]
    reach: int


@dataclass(frozen=True, slots=True)
class PrivateKeys:
    """Header lines, and what every body of a kind of key has in it.

    A header is `hyphens`, at most `gap` blanks, `opening`, at most `words` characters of letters,
    digits and blanks, `name`, one of `endings` or nothing, blanks and hyphens again.
    """

    hyphens: int
    gap: int
    opening: str
    words: int
    name: str
    endings: tuple[str, ...]
    bodies: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Prefix:
    """A key that says by its first characters whose it is; at least `least` of `body` follow.

    With `exact` no character of `guard` follows these; never does one go before. With `unbroken`
    so many letters and digits must follow each other somewhere, or `mixed` characters with capital
    letters, small ones and digits; otherwise it is a slug of words. 0 asks for nothing.
    """

    text: str
    body: str
    least: int
    guard: str
    exact: bool = False
    unbroken: int = 0
    mixed: int = 0


@dataclass(frozen=True, slots=True)
class Authorization:
    """A header or member `names`, a scheme with the shortest value it has there, and the value.

    `bare` are schemes that need no name before them if the value has `bare_least` characters.
    """

    names: tuple[str, ...]
    schemes: tuple[tuple[str, int], ...]
    bare: tuple[str, ...]
    bare_least: int


@dataclass(frozen=True, slots=True)
class Assignments:
    """Key words, `:` or `=`, and a value of at least `least` characters.

    A blank in a key word stands for `_`, `-` or nothing. After the key words of `prose` a blank
    and a word are a sentence: there a bare value counts only when it looks like no word.
    """

    keywords: tuple[str, ...]
    prose: tuple[str, ...]
    least: int


@dataclass(frozen=True, slots=True)
class Harmless:
    """What stands in the place of a secret and is none: words, brackets, references.

    `random_least` and `unbroken` tell words from what no one would write as one: so many characters
    with letters and digits among them, or so many letters and digits in one run.
    """

    words: tuple[str, ...]
    brackets: tuple[tuple[str, str], ...]
    starts: tuple[str, ...]
    random_least: int
    unbroken: int


@dataclass(frozen=True, slots=True)
class CompactTokens:
    """Three parts of `body` joined by dots; the first begins with `start` and `least` more."""

    start: str
    body: str
    least: int


@dataclass(frozen=True, slots=True)
class Identifiers:
    """Groups of digits joined by hyphens, but for the first and last of each range left out."""

    groups: tuple[int, ...]
    excluded: tuple[tuple[tuple[str, str], ...], ...]


@dataclass(frozen=True, slots=True)
class Issuer:
    """Who issues cards: the first digits, as ranges of equal length, and the lengths."""

    name: str
    ranges: tuple[tuple[str, str], ...]
    lengths: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Cards:
    """Payment cards: issuers, and how their digits are set.

    Between groups stand at most `gap` equal characters that are neither letters nor digits, and the
    groups are one of `groupings`; with single `joiners` any `groups` groups will do. Numbers of a
    length in `retail` whose last digit is the check digit of a GTIN are goods.
    """

    issuers: tuple[Issuer, ...]
    gap: int
    groupings: tuple[tuple[int, ...], ...]
    joiners: str
    groups: int
    retail: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class ContentPolicy:
    """All of it, in the order in which the shapes are sought."""

    folding: Folding
    joined: Joined
    private_keys: PrivateKeys
    prefixes: tuple[Prefix, ...]
    authorization: Authorization
    assignments: Assignments
    harmless: Harmless
    scheme_reach: int
    compact_tokens: CompactTokens
    identifiers: Identifiers
    cards: Cards
