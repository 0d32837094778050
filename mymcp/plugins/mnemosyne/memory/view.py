"""Views: one selection of a shelf, as recall, listing and counting ask for it.

They are good while the shelf is held and does not change.
"""

from collections.abc import Iterable
from functools import reduce
from operator import or_

from mymcp.plugins.mnemosyne.memory.entries import Entry
from mymcp.plugins.mnemosyne.memory.identity import Identity
from mymcp.plugins.mnemosyne.memory.index.bits import numbers_of
from mymcp.plugins.mnemosyne.memory.index.recency import change_of
from mymcp.plugins.mnemosyne.memory.index.terms_index import Places
from mymcp.plugins.mnemosyne.memory.places import Container
from mymcp.plugins.mnemosyne.memory.records import CanonicalRecord
from mymcp.plugins.mnemosyne.memory.shelf import Census, Shelf

FEW = 256
"""So many records are put in order by looking at each of them."""


class Listing:
    """The records of one selection in the order of a listing."""

    def __init__(self, shelf: Shelf, container: Container) -> None:
        self._shelf = shelf
        self._selection = _selection(container)
        self._start, end = shelf.order.range_of(*self._selection)
        self.count = end - self._start

    @property
    def mark_sum(self) -> int:
        """A number that differs for every two states of the selection."""
        names = (name for name in self._selection if name is not None)
        return self._shelf.mark_sum(*names)

    def entries(self, offset: int, size: int) -> list[Entry]:
        """Return `size` entries, or as many as there are, from number `offset` on."""
        start = self._start + offset
        end = self._start + min(offset + size, self.count)
        return [self._shelf.entry(number) for number in self._shelf.order.numbers(start, end)]

    def is_ambiguous(self, entry: Entry) -> bool:
        """Tell whether other version-1 records of the scope have the id of this one."""
        return len(self._shelf.legacy_ids.get(entry.record.id, ())) > 1


class View:
    """All that one call asks of `container`, a part or all of a scope."""

    def __init__(self, shelf: Shelf, container: Container) -> None:
        self._shelf = shelf
        self._container = container

    @property
    def census(self) -> Census:
        """How much lies there."""
        return self._shelf.census(self._container)

    def listing(self) -> Listing:
        """Return its records in the order of a listing."""
        return Listing(self._shelf, self._container)

    def search(self, *, archived: bool = False) -> "Search":
        """Return its active or its archived records, to be searched."""
        return Search(self._shelf, self._container, archived=archived)

    def legacy(self, identifier: str) -> list[Entry]:
        """Return the version-1 records of the scope that have this id."""
        numbers = self._shelf.legacy_ids.get(identifier, ())
        return [self._shelf.entry(number) for number in numbers]

    def twin(self, identity: Identity) -> CanonicalRecord | None:
        """Return the record of the scope that is the same memory, if there is one."""
        return self._shelf.twin(identity)


class Search:
    """The records of one selection that are searched: the active ones, or the archived ones.

    A namespace leaves version-1 records out.
    """

    def __init__(self, shelf: Shelf, container: Container, *, archived: bool = False) -> None:
        self._shelf = shelf
        self._places: dict[str, Places] = {}
        namespace_id, _ = _selection(container)
        self._among = (shelf.archived if archived else shelf.active).bits
        if namespace_id is not None:
            self._among &= shelf.namespaces.bits(namespace_id)
        elif not archived:
            self._among |= shelf.legacy.bits

    @property
    def count(self) -> int:
        """How many records are searched."""
        return self._among.bit_count()

    @property
    def languages(self) -> set[str]:
        """The languages of these records."""
        return self._shelf.terms.languages(self._among)

    def places(self, key: str) -> Places:
        """Return the records that have `key`, place by place."""
        found = self._places.get(key)
        if found is None:
            everywhere = self._shelf.terms.places(key)
            found = tuple(members & self._among for members in everywhere)
            self._places[key] = found
        return found

    def anywhere(self, key: str) -> int:
        """Return the records that have `key` in any place."""
        return reduce(or_, self.places(key))

    def tagged(self, tag: str) -> int:
        """Return the records that have the whole `tag`, given as its key."""
        return self._shelf.terms.tagged(tag) & self._among

    def count_any(self, keys: Iterable[str]) -> int:
        """Return how many records have any of `keys`."""
        return reduce(or_, map(self.anywhere, keys), 0).bit_count()

    def like(self, word: str) -> frozenset[str]:
        """Return the words of these records that `word` may be a misspelling of."""
        return self._shelf.terms.vocabulary.like(word, lambda other: bool(self.anywhere(other)))

    def latest(self, among: int, wanted: int) -> list[int]:
        """Return the `wanted` records in `among` that changed last, then those first by path."""
        if among.bit_count() > FEW:
            return self._shelf.recency.latest(among, wanted)
        changes = [change_of(self.entry(number), number) for number in numbers_of(among)]
        changes.sort(key=lambda change: change.path)
        changes.sort(key=lambda change: change.instant, reverse=True)
        return [change.number for change in changes[:wanted]]

    def entry(self, number: int) -> Entry:
        """Return the entry that has `number`."""
        return self._shelf.entry(number)

    def places_of(self, number: int, keys: Iterable[str]) -> dict[str, int]:
        """Return where record `number` has those of `keys` that it has."""
        return self._shelf.terms.places_of(number, keys)

    def tags_of(self, number: int, tags: Iterable[str]) -> frozenset[str]:
        """Return those of `tags` that record `number` has."""
        return self._shelf.terms.tags_of(number, tags)


def _selection(container: Container) -> tuple[str | None, str | None]:
    """Return the namespace and the collection that `container` stands for.

    No namespace is the scope, no collection all of the namespace, an empty one no collection.
    """
    _, *names = container.folders
    namespace_id = names[0] if names else None
    collection_id = names[1] if len(names) > 1 else "" if container.exact else None
    return namespace_id, collection_id
