"""The index of terms: which records have a key in which place, a tag, a language."""

from collections import defaultdict
from collections.abc import Iterable

from mymcp.plugins.mnemosyne.memory.index.bits import BitSet
from mymcp.plugins.mnemosyne.memory.index.postings import Postings
from mymcp.plugins.mnemosyne.memory.likeness import Vocabulary
from mymcp.plugins.mnemosyne.memory.terms import CONTENT, LABEL, TITLE, Terms

PLACES = (TITLE, LABEL, CONTENT)
Places = tuple[int, ...]
"""The records that have a key in each of `PLACES`, as sets of bits."""


class TermsIndex:
    """The terms of numbered records. Whatever is removed leaves no trace."""

    def __init__(self) -> None:
        self._keys = tuple(Postings() for _ in PLACES)
        self._tags = Postings()
        self._languages: dict[str, BitSet] = defaultdict(BitSet)
        self.vocabulary = Vocabulary()

    def add(self, number: int, terms: Terms) -> None:
        """Say that record `number`, which is new, has `terms`."""
        for key, where in terms.places.items():
            if not self._knows(key):
                self.vocabulary.add(key)
            for place, postings in zip(PLACES, self._keys, strict=True):
                if where & place:
                    postings.add(key, number)
        for tag in terms.tags:
            self._tags.add(tag, number)
        self._languages[terms.language].add(number)

    def remove(self, number: int, terms: Terms) -> None:
        """Say that record `number`, which has `terms`, is gone."""
        for key, where in terms.places.items():
            for place, postings in zip(PLACES, self._keys, strict=True):
                if where & place:
                    postings.remove(key, number)
            if not self._knows(key):
                self.vocabulary.discard(key)
        for tag in terms.tags:
            self._tags.remove(tag, number)
        self._languages[terms.language].discard(number)

    def places(self, key: str) -> Places:
        """Return the records that have `key`, place by place."""
        return tuple(postings.bits(key) for postings in self._keys)

    def places_of(self, number: int, keys: Iterable[str]) -> dict[str, int]:
        """Return where record `number` has those of `keys` that it has, as `Terms` tells it."""
        found = {}
        for key in keys:
            where = 0
            for place, postings in zip(PLACES, self._keys, strict=True):
                if postings.has(key, number):
                    where |= place
            if where:
                found[key] = where
        return found

    def tagged(self, tag: str) -> int:
        """Return the records that have the whole `tag`, given as its key."""
        return self._tags.bits(tag)

    def tags_of(self, number: int, tags: Iterable[str]) -> frozenset[str]:
        """Return those of `tags` that record `number` has."""
        return frozenset(tag for tag in tags if self._tags.has(tag, number))

    def languages(self, among: int) -> set[str]:
        """Return the languages of the records in the set `among`."""
        return {name for name, members in self._languages.items() if members.bits & among}

    def _knows(self, key: str) -> bool:
        return any(key in postings for postings in self._keys)
