"""The index of terms: which records have a key in which place, a tag, a language."""

from collections import defaultdict
from collections.abc import Iterable

from mymcp.plugins.mnemosyne.memory.index.bits import BitSet
from mymcp.plugins.mnemosyne.memory.index.postings import Postings
from mymcp.plugins.mnemosyne.memory.likeness import Vocabulary
from mymcp.plugins.mnemosyne.memory.terms import PLACES, Terms

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
        for postings, keys in zip(self._keys, terms.by_place, strict=True):
            for key in postings.add(keys, number):
                self.vocabulary.add(key)
        self._tags.add(terms.tags, number)
        self._languages[terms.language].add(number)

    def remove(self, number: int, terms: Terms) -> None:
        """Say that record `number`, which has `terms`, is gone."""
        for postings, keys in zip(self._keys, terms.by_place, strict=True):
            for key in postings.remove(keys, number):
                if not any(key in other for other in self._keys):
                    self.vocabulary.discard(key)
        self._tags.remove(terms.tags, number)
        self._languages[terms.language].discard(number)

    def load(self) -> None:
        """Only collect what comes now, in ascending order of numbers, until `loaded`."""
        for postings in (*self._keys, self._tags):
            postings.load()

    def loaded(self) -> None:
        """Put what came since `load` into the form in which it is asked for."""
        for postings in (*self._keys, self._tags):
            postings.loaded()

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
