"""The order of a listing, kept sorted, so that a page is a slice and a selection a range.

Version 1 comes before version 2; version 1 by id, version 2 by namespace, then without before
with a collection, then collection and id; paths settle what is left.
"""

from typing import NamedTuple

from mymcp.plugins.mnemosyne.memory.entries import Entry
from mymcp.plugins.mnemosyne.memory.index.sorting import SortedList
from mymcp.plugins.mnemosyne.memory.records import LegacyRecord

_JUST_AFTER = "\0"
"""No id has this character, so a name with it behind comes next after the name alone."""


class Rank(NamedTuple):
    """Where one record stands. `collection_id` is empty where there is none: no id is empty."""

    schema_version: int
    namespace_id: str
    collection_id: str
    id: str
    location: str
    number: int


def rank_of(entry: Entry, number: int) -> Rank:
    """Return where `entry`, which has `number`, stands."""
    record = entry.record
    if isinstance(record, LegacyRecord):
        return Rank(1, "", "", record.id, entry.location, number)
    collection_id = "" if record.collection is None else record.collection.id
    # A version-2 id is unique in its collection: nothing is left for the path to settle.
    return Rank(2, record.namespace.id, collection_id, record.id, "", number)


class Order(SortedList[Rank]):
    """All records of a scope in the order of their ranks."""

    __slots__ = ()

    def range_of(
        self, namespace_id: str | None = None, collection_id: str | None = None
    ) -> tuple[int, int]:
        """Return where the records of a selection begin and end.

        Without a namespace it is everything; with one its version-2 records, and with
        `collection_id` those of this collection, or of none if it is empty.
        """
        if namespace_id is None:
            return 0, len(self.items)
        if collection_id is None:
            return self._between((2, namespace_id), (2, namespace_id + _JUST_AFTER))
        return self._between(
            (2, namespace_id, collection_id), (2, namespace_id, collection_id + _JUST_AFTER)
        )

    def numbers(self, start: int, end: int) -> list[int]:
        """Return the numbers of the records from `start` up to `end`."""
        return [rank.number for rank in self.items[start:end]]

    def _between(self, first: tuple[object, ...], after: tuple[object, ...]) -> tuple[int, int]:
        return self.position(first), self.position(after)
