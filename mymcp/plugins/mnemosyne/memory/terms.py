"""What recall can find in one record."""

from collections.abc import Mapping
from dataclasses import dataclass
from sys import intern

from mymcp.plugins.mnemosyne.memory.folding import tag_key
from mymcp.plugins.mnemosyne.memory.pieces import Pieces
from mymcp.plugins.mnemosyne.memory.records import LegacyRecord, Record
from mymcp.plugins.mnemosyne.memory.stems import stemmed_language

TITLE, LABEL, CONTENT = 1, 2, 4
"""Where a key stands; a sum of them where it stands in several places."""
_PIECES = Pieces()


@dataclass(frozen=True, slots=True)
class Terms:
    """The keys of a record with the places where they stand, its whole tags, its language.

    Keys are plain words, pairs of characters, and stems behind a mark. Equal keys of different
    records are one object.
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
    places = dict.fromkeys(_PIECES.keys_in(record.content, language), CONTENT)
    for place, text in (
        (TITLE, record.title or ""),
        (LABEL, " ".join((*folders, *record.tags))),
    ):
        for key in _PIECES.keys_in(text, language):
            places[key] = places.get(key, 0) | place
    return Terms(places, frozenset([intern(tag_key(tag)) for tag in record.tags]), language)
