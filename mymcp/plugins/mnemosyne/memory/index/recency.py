"""Which records changed last: the order of equally good answers."""

from collections.abc import Iterator
from itertools import islice
from typing import NamedTuple

from mymcp.plugins.mnemosyne.memory.entries import Entry, Path
from mymcp.plugins.mnemosyne.memory.index.sorting import SortedList
from mymcp.plugins.mnemosyne.memory.records import LegacyRecord


class Change(NamedTuple):
    """When one record changed last; version 1 does not know and comes before all others."""

    instant: str
    path: Path
    number: int


def change_of(entry: Entry, number: int) -> Change:
    """Return when `entry`, which has `number`, changed last."""
    record = entry.record
    return Change("" if isinstance(record, LegacyRecord) else record.updated_at, entry.path, number)


class Recency(SortedList[Change]):
    """All records of a scope by when they changed last, then by path."""

    __slots__ = ()

    def latest(self, among: int, wanted: int) -> list[int]:
        """Return the `wanted` records in `among` that changed last, those first by path first."""
        members = among.to_bytes(among.bit_length() // 8 + 1, "little")
        found = (
            change.number
            for change in self._backwards()
            if (at := change.number >> 3) < len(members) and members[at] >> (change.number & 7) & 1
        )
        return list(islice(found, wanted))

    def _backwards(self) -> Iterator[Change]:
        end = len(self.items)
        while end:
            start = self.position((self.items[end - 1].instant,))
            yield from islice(self.items, start, end)
            end = start
