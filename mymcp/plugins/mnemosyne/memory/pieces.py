"""Pieces of text and the keys that they are found by, remembered.

Most words of a record stood in others before. What is remembered only saves time: keys are the
same without it.
"""

from collections.abc import Callable, Iterator
from itertools import chain
from string import punctuation
from sys import intern

from mymcp.plugins.mnemosyne.memory.stems import LANGUAGES, stem_keys
from mymcp.plugins.mnemosyne.memory.words import keys_of

PIECES_MAX = 32_768
"""Remembered pieces of all languages; beyond this all are forgotten."""
PIECE_MAX_CHARACTERS = 40
PIECE_MAX_KEYS = 8
"""What is longer, has more keys or is a number hardly comes again, and is not remembered."""
COUNTED_EVERY = 64
"""Pieces of a language are counted when so many are new: counting costs as much as a stem."""

_OUTSIDE = punctuation + "“”„‘’‚«»‹›–—…、。「」『』（）！？，：；"  # noqa: RUF001
"""At the ends of a piece this is no part of a word."""


class Pieces:
    """The keys of pieces of text, by language.

    Threads may share it: losing a race only costs making keys twice.
    """

    def __init__(self, most: int = PIECES_MAX) -> None:
        self._most = most
        self._kept = {language: _Kept(language, self._make_room) for language in LANGUAGES}

    def __len__(self) -> int:
        return sum(map(len, self._kept.values()))

    def keys_in(self, text: str, language: str) -> Iterator[str]:
        """Yield the keys of `text`, read as one of `stems.LANGUAGES`; some may come twice.

        Equal keys are one object. No key reaches across white space, so texts are cut there.
        """
        return chain.from_iterable(map(self._kept[language].__getitem__, text.split()))

    def forget(self) -> None:
        """Forget all pieces."""
        for kept in self._kept.values():
            kept.clear()

    def _make_room(self) -> None:
        if len(self) >= self._most:
            self.forget()


class _Kept(dict[str, tuple[str, ...]]):
    """Keys by piece of text in one language; makes those that are asked for and not there."""

    def __init__(self, language: str, make_room: Callable[[], None]) -> None:
        super().__init__()
        self._language = language
        self._make_room = make_room

    def __missing__(self, piece: str) -> tuple[str, ...]:
        word = piece.strip(_OUTSIDE)
        if len(word) <= PIECE_MAX_CHARACTERS and word.isdecimal() and word.isascii():
            return (intern(word),) if len(word) > 1 else ()  # never comes again, has no stem
        keys = self._made(piece) if word == piece else self[word]
        if _comes_again(piece, keys):
            if len(self) % COUNTED_EVERY == 0:
                self._make_room()
            self[piece] = keys
        return keys

    def _made(self, piece: str) -> tuple[str, ...]:
        keys, words = keys_of(piece)
        return tuple(map(intern, keys | stem_keys(words, self._language)))


def _comes_again(piece: str, keys: tuple[str, ...]) -> bool:
    return len(piece) <= PIECE_MAX_CHARACTERS and len(keys) <= PIECE_MAX_KEYS
