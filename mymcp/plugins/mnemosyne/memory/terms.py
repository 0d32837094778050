"""What recall can find in one record."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from mymcp.plugins.mnemosyne.memory.folding import tag_key
from mymcp.plugins.mnemosyne.memory.records import LegacyRecord, Record
from mymcp.plugins.mnemosyne.memory.stems import stem_keys, stemmed_language
from mymcp.plugins.mnemosyne.memory.words import keys_of

TITLE, LABEL, CONTENT = 1, 2, 4
"""Where a key stands; a sum of them where it stands in several places."""


@dataclass(frozen=True, slots=True)
class Terms:
    """The keys of a record with the places where they stand, its whole tags, its language.

    Keys are plain words, pairs of characters, and stems behind a mark.
    """

    places: Mapping[str, int]
    tags: frozenset[str]
    language: str


def terms_of(record: Record, folders: tuple[str, ...]) -> Terms:
    """Return the terms of `record`, which lies in `folders` below its scope.

    Folder names are namespace and collection ids; file names never count, or every record would
    match `mem` and `json`.
    """
    language = stemmed_language("" if isinstance(record, LegacyRecord) else record.language)
    places: dict[str, int] = {}
    for place, texts in (
        (TITLE, (record.title or "",)),
        (LABEL, (*folders, *record.tags)),
        (CONTENT, (record.content,)),
    ):
        for key in _keys(texts, language):
            places[key] = places.get(key, 0) | place
    return Terms(places, frozenset(tag_key(tag) for tag in record.tags), language)


def _keys(texts: Iterable[str], language: str) -> set[str]:
    found: set[str] = set()
    for text in texts:
        keys, words = keys_of(text)
        found |= keys
        found |= stem_keys(words, language)
    return found
