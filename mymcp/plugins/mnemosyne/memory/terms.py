"""What recall can find in one record."""

from dataclasses import dataclass
from sys import intern

from mymcp.plugins.mnemosyne.memory.folding import tag_key
from mymcp.plugins.mnemosyne.memory.pieces import Pieces
from mymcp.plugins.mnemosyne.memory.records import LegacyRecord, Record
from mymcp.plugins.mnemosyne.memory.stems import stemmed_language

TITLE, LABEL, CONTENT = 1, 2, 4
"""Where a key stands; a sum of them where it stands in several places."""
PLACES = (TITLE, LABEL, CONTENT)
_PIECES = Pieces()


@dataclass(frozen=True, slots=True)
class Terms:
    """The keys in each place of a record, its whole tags, its language.

    Keys are plain words, pairs of characters, and stems behind a mark. Equal keys of different
    records are one object.
    """

    title: frozenset[str]
    label: frozenset[str]
    content: frozenset[str]
    tags: frozenset[str]
    language: str

    @property
    def by_place(self) -> tuple[frozenset[str], ...]:
        """The keys in each of `PLACES`."""
        return self.title, self.label, self.content

    @property
    def places(self) -> dict[str, int]:
        """Where each key stands."""
        found: dict[str, int] = {}
        for place, keys in zip(PLACES, self.by_place, strict=True):
            for key in keys:
                found[key] = found.get(key, 0) | place
        return found


def terms_of(record: Record, folders: tuple[str, ...]) -> Terms:
    """Return the terms of `record`, which lies in `folders` below its scope.

    Folder names are namespace and collection ids; file names never count, or every record would
    match `mem` and `json`.
    """
    language = stemmed_language("" if isinstance(record, LegacyRecord) else record.language)
    return Terms(
        title=frozenset(_PIECES.keys_in(record.title or "", language)),
        label=frozenset(_PIECES.keys_in(" ".join((*folders, *record.tags)), language)),
        content=frozenset(_PIECES.keys_in(record.content, language)),
        tags=frozenset([intern(tag_key(tag)) for tag in record.tags]),
        language=language,
    )
