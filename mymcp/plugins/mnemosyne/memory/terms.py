"""What recall can find in one record.

Most words of a record stood in others before, so what a piece of text is found by is remembered.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import chain
from string import punctuation
from sys import intern

from mymcp.plugins.mnemosyne.memory.folding import tag_key
from mymcp.plugins.mnemosyne.memory.records import LegacyRecord, Record
from mymcp.plugins.mnemosyne.memory.stems import LANGUAGES, stem_keys, stemmed_language
from mymcp.plugins.mnemosyne.memory.words import keys_of

TITLE, LABEL, CONTENT = 1, 2, 4
"""Where a key stands; a sum of them where it stands in several places."""
PIECES_MAX = 32_768
"""Remembered pieces, of all languages; beyond this all are forgotten."""
PIECE_MAX_CHARACTERS = 40
PIECE_MAX_KEYS = 8
"""What is longer or has more keys hardly ever comes again, and is not remembered."""

_OUTSIDE = punctuation + "“”„‘’‚«»‹›–—…、。「」『』（）！？，：；"  # noqa: RUF001
"""At the ends of a piece this is no part of a word."""


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
    pieces = _PIECES[language]
    places = dict.fromkeys(pieces.keys_in(record.content), CONTENT)
    for key in pieces.keys_in(record.title or ""):
        places[key] = places.get(key, 0) | TITLE
    for key in pieces.keys_in(" ".join((*folders, *record.tags))):
        places[key] = places.get(key, 0) | LABEL
    return Terms(places, frozenset([intern(tag_key(tag)) for tag in record.tags]), language)


class _Pieces(dict[str, tuple[str, ...]]):
    """The keys of pieces of text in one language, by piece.

    No key reaches across white space, so texts are cut there. Threads may share it: losing a race
    only costs making keys twice.
    """

    def __init__(self, language: str) -> None:
        super().__init__()
        self._language = language

    def keys_in(self, text: str) -> Iterator[str]:
        """Yield the keys of `text`; those of different pieces may be equal."""
        return chain.from_iterable(map(self.__getitem__, set(text.split())))

    def __missing__(self, piece: str) -> tuple[str, ...]:
        bare = piece.strip(_OUTSIDE)
        made = self[bare] if bare != piece else self._made(piece)
        if len(piece) <= PIECE_MAX_CHARACTERS and len(made) <= PIECE_MAX_KEYS:
            if len(self) % 64 == 0 and sum(map(len, _PIECES.values())) >= PIECES_MAX:
                forget()
            self[piece] = made
        return made

    def _made(self, piece: str) -> tuple[str, ...]:
        keys, words = keys_of(piece)
        keys |= stem_keys(words, self._language)
        return tuple(map(intern, keys))


_PIECES = {language: _Pieces(language) for language in LANGUAGES}


def forget() -> None:
    """Forget all pieces of text."""
    for pieces in _PIECES.values():
        pieces.clear()
