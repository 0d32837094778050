"""Records of about 900 bytes and what is asked of them: words of every day, and rare ones.

Each word of every day stands in nearly half of all records, each rare word in 2 to 20.
"""

import json
from collections.abc import Sequence
from random import Random

SCOPE = "project"
NAMESPACES = 10
RARE_WORDS_EACH = 2
RARE_WORD_RECORDS = (2, 2, 2, 3, 3, 4, 5, 7, 11, 20)
"""How many records have a rare word: this for the first ten words, and over again."""
_TEXT = (
    "archive branch build cache client commit contract cursor decision deploy draft error field "
    "file folder format gate handler header index issue journal key label layer ledger limit line "
    "list lock log marker memory merge module namespace note object order page parser path plan "
    "plugin policy project query queue reader record release report request result review rule "
    "schema scope search server session setting stamp store tag test token tool trace update user "
    "value version worker"
)
WORDS = _TEXT.split()
_SYLLABLES = [consonant + vowel for consonant in "bdfghjklmnprstvz" for vowel in "aeiou"]
_SCATTER = 7_919  # prime, so that neighbours look different and no two are alike
_TURNS = [turn for turn, records in enumerate(RARE_WORD_RECORDS) for _ in range(records)]
# Filled in by hand because the encoder that indents is slow.
_FORM = (
    json.dumps(
        {
            "schema_version": 2,
            "id": "%(id)s",
            "scope": SCOPE,
            "namespace": {"kind": "project", "id": "%(namespace)s", "label": None},
            "collection": None,
            "kind": "decision",
            "language": "en",
            "title": "%(title)s",
            "content": "%(content)s",
            "tags": ["%(tag_0)s", "%(tag_1)s", "%(tag_2)s"],
            "provenance": {"origin": "manual", "recorded_via": "filesystem"},
            "lifecycle": {"state": "active", "revision": 1},
            "created_at": "2026-01-%(day)02dT00:00:00Z",
            "updated_at": "2026-01-%(day)02dT12:00:00Z",
        },
        indent=2,
    )
    + "\n"
)


def identifier(chance: Random) -> str:
    """Return the id of a new record."""
    return f"mem_{chance.getrandbits(128):032x}"


def namespace(number: int) -> str:
    """Return the id of the namespace that record `number` belongs to."""
    return f"bench-{number % NAMESPACES}"


def rare_words(count: int) -> list[str]:
    """Return all rare words of `count` records, which is 1,000 or more."""
    return [_rare_word(index) for index in range(_rare_words_of_all(count))]


def rare_words_in(number: int, count: int) -> list[str]:
    """Return the rare words of record `number` of `count`: one after the other gets its turn."""
    found = []
    for turn in range(number, RARE_WORDS_EACH * count, count):
        rounds, rest = divmod(turn, len(_TURNS))
        index = rounds * len(RARE_WORD_RECORDS) + _TURNS[rest]
        if index < _rare_words_of_all(count):
            found.append(_rare_word(index))
    return found


def query(chance: Random, rare: Sequence[str]) -> str:
    """Return a query of one word of every day and two of the `rare` ones."""
    words = [chance.choice(WORDS), *chance.sample(rare, 2)]
    chance.shuffle(words)
    return " ".join(words)


def title_of(chance: Random, number: int) -> str:
    """Return a title that is like no other."""
    return f"{number}: {' '.join(chance.choices(WORDS, k=4))}"


def content_of(chance: Random, rare: Sequence[str]) -> str:
    """Return 48 words, or about 300 characters, the `rare` ones among them."""
    return " ".join([*chance.choices(WORDS, k=46), *rare]) + "."


def tags_of(chance: Random) -> list[str]:
    """Return three tags."""
    return chance.sample(WORDS, 3)


def file_of(record_id: str, number: int, title: str, content: str, tags: Sequence[str]) -> str:
    """Return the file of an active record the way a person or another program would write it."""
    return _FORM % {
        "id": record_id,
        "namespace": namespace(number),
        "title": title,
        "content": content,
        **{f"tag_{place}": tag for place, tag in enumerate(tags)},
        "day": number % 28 + 1,
    }


def _rare_words_of_all(count: int) -> int:
    """Return how many words get all their turns in `count` records."""
    return RARE_WORDS_EACH * count // len(_TURNS) * len(RARE_WORD_RECORDS)


def _rare_word(index: int) -> str:
    number = index * _SCATTER % len(_SYLLABLES) ** 3
    letters = ""
    for _ in range(3):
        number, syllable = divmod(number, len(_SYLLABLES))
        letters += _SYLLABLES[syllable]
    return letters + "n"
