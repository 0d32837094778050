"""A shelf: everything that is known of one scope, in memory.

It does no I/O. Storage tells it what lies where, and selections (`View`) are answered from it.
What is taken out leaves no trace: a shelf is the same as one that was filled anew.
"""

from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import NamedTuple, Protocol

from mymcp.plugins.mnemosyne.memory.entries import (
    MARK_BYTES,
    Entry,
    Path,
    Reading,
    SkipReason,
    Stamp,
)
from mymcp.plugins.mnemosyne.memory.identity import Identity
from mymcp.plugins.mnemosyne.memory.index.bits import BitSet
from mymcp.plugins.mnemosyne.memory.index.order import Order, rank_of
from mymcp.plugins.mnemosyne.memory.index.postings import Postings
from mymcp.plugins.mnemosyne.memory.index.recency import Recency, change_of
from mymcp.plugins.mnemosyne.memory.index.terms_index import TermsIndex
from mymcp.plugins.mnemosyne.memory.places import Container
from mymcp.plugins.mnemosyne.memory.records import CanonicalRecord, LegacyRecord
from mymcp.plugins.mnemosyne.memory.terms import terms_of

MARK_SUMS = 1 << (8 * MARK_BYTES)
UNUSED_SHARE = 2
"""Numbers are given anew once more than one in so many is unused: rarely, and it costs a load."""


@dataclass(slots=True)
class FolderState:
    """What lies in one folder, by name.

    `stamps` are those of all record files, valid or not; `skipped` says which of them cannot be
    served and why; `numbers` are those of the others. `subfolders` and `symlinks` are kept by
    whoever lists the folder.
    """

    stamps: dict[str, Stamp] = field(default_factory=dict)
    skipped: dict[str, SkipReason] = field(default_factory=dict)
    numbers: dict[str, int] = field(default_factory=dict)
    subfolders: set[str] = field(default_factory=set)
    symlinks: set[str] = field(default_factory=set)


class Census(NamedTuple):
    """How many record files lie in a selection, valid or not, and how much cannot be served."""

    candidate_count: int
    skipped_count: int


class Loaded(Protocol):
    """What can take many things at once, and put them in order when all are there."""

    def load(self) -> None:
        """Only collect what comes now."""

    def loaded(self) -> None:
        """Put it in order."""


class Shelf:
    """All of one scope. Whoever uses it holds its lock."""

    def __init__(self, scope: str) -> None:
        self.scope = scope
        self.clear()

    def clear(self) -> None:
        """Forget everything."""
        self.folders: dict[Path, FolderState] = {}
        self.candidate_count = 0
        self._counted: dict[Container, Census] = {}
        self._is_loading = False
        self._forget_records()

    def _forget_records(self) -> None:
        self.terms = TermsIndex()
        self.order, self.recency = Order(), Recency()
        self.active, self.archived, self.legacy = BitSet(), BitSet(), BitSet()
        self.namespaces = Postings()
        self.legacy_ids: dict[str, set[int]] = defaultdict(set)
        self._entries: list[Entry | None] = []
        self._unused: list[int] = []
        self._sums: dict[tuple[str, ...], int] = defaultdict(int)
        self._twins: dict[int, tuple[int, ...]] = {}

    def folder(self, path: Path) -> FolderState:
        """Return what is known of the folder at `path`, for a change of it.

        From now on it is known to be there.
        """
        self._counted.clear()
        state = self.folders.get(path)
        if state is None:
            state = self.folders[path] = FolderState()
        return state

    def place(self, path: Path, stamp: Stamp, reading: Reading) -> None:
        """Learn that the file at `path` was read at `stamp`; its folder is known."""
        state, name = self.folders[path[:-1]], path[-1]
        self._counted.clear()
        if name in state.stamps:
            self._take_out(state, name)
        state.stamps[name] = stamp
        self.candidate_count += 1
        if isinstance(reading, Entry):
            state.numbers[name] = self._put_in(reading)
        else:
            state.skipped[name] = reading

    def remove(self, path: Path) -> None:
        """Learn that the file at `path`, which is known, is gone."""
        self._counted.clear()
        self._take_out(self.folders[path[:-1]], path[-1])

    def remove_folder(self, path: Path) -> None:
        """Learn that the folder at `path` is gone with all that was below it; it may be unknown."""
        state = self.folders.get(path)
        if state is None:
            return
        self._counted.clear()
        for name in state.subfolders:
            self.remove_folder((*path, name))
        for name in list(state.stamps):
            self._take_out(state, name)
        del self.folders[path]

    @contextmanager
    def loading(self) -> Iterator[None]:
        """Put what is placed meanwhile in order only at the end: for many files at once."""
        if len(self._unused) * UNUSED_SHARE > len(self._entries):
            self._number_anew()
        with self._loading():
            yield

    @contextmanager
    def _loading(self) -> Iterator[None]:
        parts: tuple[Loaded, ...] = (self.order, self.recency, self.terms, self.namespaces)
        for part in parts:
            part.load()
        self._is_loading = True
        try:
            yield
        finally:
            self._is_loading = False
            for part in parts:
                part.loaded()

    def entry(self, number: int) -> Entry:
        """Return the entry that has `number`."""
        entry = self._entries[number]
        if entry is None:
            raise LookupError("no entry has this number")
        return entry

    def census(self, container: Container) -> Census:
        """Return how much lies in `container`, a part or all of the scope."""
        census = self._counted.get(container)
        if census is None:
            census = self._count(container.folders, container)
            if container.folders in self.folders:  # what is not there may have endless names
                self._counted[container] = census
        return census

    def mark_sum(self, *selection: str) -> int:
        """Return the sum of the marks of all entries in a selection, modulo `MARK_SUMS`.

        A selection is a namespace id, and after it a collection id or nothing for no collection;
        without both it is the scope.
        """
        return self._sums.get(selection, 0)

    def twin(self, identity: Identity) -> CanonicalRecord | None:
        """Return the record that is the same memory; of several, the first by path."""
        found = (self.entry(number) for number in self._twins.get(hash(identity), ()))
        same = [each for each in found if _identity_of(each) == identity]
        first = min(same, key=lambda each: each.path, default=None)
        return first.record if first and isinstance(first.record, CanonicalRecord) else None

    def _count(self, path: Path, container: Container) -> Census:
        state = self.folders.get(path)
        if state is None:
            return Census(0, 0)
        candidates = len(state.stamps)
        skipped = len(state.skipped) + len(state.symlinks)
        if len(path) - len(container.folders) < container.levels:
            for name in state.subfolders:
                below = self._count((*path, name), container)
                candidates += below.candidate_count
                skipped += below.skipped_count
        elif not container.exact:
            skipped += len(state.subfolders)
        return Census(candidates, skipped)

    def _number_anew(self) -> None:
        """Close the gaps that loading left in the numbers: sets are as long as the highest."""
        kept = [
            (state, name, self.entry(number))
            for state in self.folders.values()
            for name, number in state.numbers.items()
        ]
        self._forget_records()
        with self._loading():
            for state, name, entry in kept:
                state.numbers[name] = self._put_in(entry)

    def _put_in(self, entry: Entry) -> int:
        if self._unused and not self._is_loading:  # while loading numbers ascend
            number = self._unused.pop()
            self._entries[number] = entry
        else:
            number = len(self._entries)
            self._entries.append(entry)
        self.terms.add(number, terms_of(entry.record, entry.path[1:-1]))
        self.order.add(rank_of(entry, number))
        self.recency.add(change_of(entry, number))
        self._add_marks(entry, entry.mark)
        record = entry.record
        if isinstance(record, LegacyRecord):
            self.legacy.add(number)
            self.legacy_ids[record.id].add(number)
        else:
            (self.active if record.state == "active" else self.archived).add(number)
            self.namespaces.add((record.namespace.id,), number)
            twins = hash(record.identity)
            self._twins[twins] = (*self._twins.get(twins, ()), number)
        return number

    def _take_out(self, state: FolderState, name: str) -> None:
        del state.stamps[name]
        self.candidate_count -= 1
        state.skipped.pop(name, None)
        number = state.numbers.pop(name, None)
        if number is None:
            return
        entry = self.entry(number)
        self._entries[number] = None
        self._unused.append(number)
        self.terms.remove(number, terms_of(entry.record, entry.path[1:-1]))
        self.order.remove(rank_of(entry, number))
        self.recency.remove(change_of(entry, number))
        self._add_marks(entry, -entry.mark)
        for members in (self.active, self.archived, self.legacy):
            members.discard(number)
        record = entry.record
        if isinstance(record, LegacyRecord):
            self.legacy_ids[record.id].discard(number)
            if not self.legacy_ids[record.id]:
                del self.legacy_ids[record.id]
        else:
            self._forget_canonical(number, record)

    def _forget_canonical(self, number: int, record: CanonicalRecord) -> None:
        self.namespaces.remove((record.namespace.id,), number)
        twins = hash(record.identity)
        others = tuple(other for other in self._twins[twins] if other != number)
        if others:
            self._twins[twins] = others
        else:
            del self._twins[twins]

    def _add_marks(self, entry: Entry, mark: int) -> None:
        for selection in _selections_of(entry):
            total = (self._sums[selection] + mark) % MARK_SUMS
            if total:
                self._sums[selection] = total
            else:
                del self._sums[selection]


def _identity_of(entry: Entry) -> Identity | None:
    return entry.record.identity if isinstance(entry.record, CanonicalRecord) else None


def _selections_of(entry: Entry) -> tuple[tuple[str, ...], ...]:
    """Return the selections that `entry` belongs to, as `Shelf.mark_sum` names them."""
    record = entry.record
    if isinstance(record, LegacyRecord):
        return ((),)
    return ((), (record.namespace.id,), (record.namespace.id, record.collection_id or ""))
