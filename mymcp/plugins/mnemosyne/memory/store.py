"""The memory: one shelf a scope over whatever stores the records, read by many, written by one.

Before each look a shelf is brought up to date with the storage. What cannot be served is skipped
and counted; what cannot be seen at all is `SourceUnavailable`, for every tool: an answer that
leaves it out would read as "nothing is known".
"""

from collections.abc import Iterator
from contextlib import contextmanager
from threading import Lock
from typing import get_args

from mymcp._generated.models.shared.scope import Scope
from mymcp.plugins.mnemosyne.memory import storage
from mymcp.plugins.mnemosyne.memory.change import Change
from mymcp.plugins.mnemosyne.memory.faults import (
    CandidateLimitExceeded,
    MemoryFault,
    RevisionConflict,
)
from mymcp.plugins.mnemosyne.memory.places import Address, Container, scope_container
from mymcp.plugins.mnemosyne.memory.records import CanonicalRecord, serialise
from mymcp.plugins.mnemosyne.memory.shelf import Shelf
from mymcp.plugins.mnemosyne.memory.view import View

CANDIDATE_LIMIT = 1_000
"""Records that one selection may hold, valid or not."""


class MemoryStore:
    """The memory in `storage`. Safe to share between threads."""

    def __init__(self, storage: storage.Storage, *, candidate_limit: int = CANDIDATE_LIMIT) -> None:
        self._storage = storage
        self._shelves = _Shelves(candidate_limit)

    @contextmanager
    def viewing(self, container: Container) -> Iterator[View]:
        """Hold what lies in `container` for one look at it; empty if there is nothing.

        Raises `SourceUnavailable`, `CandidateLimitExceeded`.
        """
        with self._shelves.viewing(self._storage, container) as view:
            yield view

    def record(self, address: Address) -> CanonicalRecord:
        """Return the version-2 record at `address`.

        Raises `NotFound` if there is none, `SourceUnavailable` if something is there that cannot
        be read as one: absence must mean absence.
        """
        record, _ = self._storage.record(address)
        return record

    @contextmanager
    def writing(self) -> Iterator["Writer"]:
        """Keep other writers out for one read-decide-write; makes the storage if it is missing.

        Raises `SourceUnavailable` if the storage is unsafe or stays busy.
        """
        with self._storage.writing(make=True) as writer:
            yield Writer(writer, self._shelves)

    @contextmanager
    def changing(self, address: Address, revision: int) -> Iterator[Change]:
        """Hold the record at `address` for one read-decide-write; makes nothing.

        Raises as `record` and `writing` do, and `RevisionConflict` if the record is not at
        `revision`.
        """
        with self._storage.writing(make=False) as writer:
            record, data = writer.record(address)
            if record.revision != revision:
                raise RevisionConflict
            yield Change(writer, record, data)


class Writer:
    """What may be done while other writers are kept out. Made by `MemoryStore.writing`."""

    def __init__(self, writer: storage.Writer, shelves: "_Shelves") -> None:
        self._writer = writer
        self._shelves = shelves

    @contextmanager
    def viewing(self, scope: str) -> Iterator[View]:
        """Hold all of `scope` for one look at it. Raises as `MemoryStore.viewing` does."""
        with self._shelves.viewing(self._writer, scope_container(scope)) as view:
            yield view

    def has_room(self, view: View) -> bool:
        """Tell whether one more record may come to what `view` shows."""
        return view.census.candidate_count < self._shelves.candidate_limit

    def create(self, record: CanonicalRecord, *, token: str) -> None:
        """Store a new record; `token` is random, for a temporary name.

        Raises `WriteConflict` if its place is taken, `SourceUnavailable` if nothing was written,
        `CreationUncertain` if that is not certain, `ValueError` if the record is not fit to be
        written.
        """
        self._writer.create(record.address, serialise(record), token=token)


class _Shelves:
    """The shelves of all scopes, each with its lock."""

    def __init__(self, candidate_limit: int) -> None:
        self.candidate_limit = candidate_limit
        self._all = {scope: (Lock(), Shelf(scope)) for scope in get_args(Scope.__value__)}

    @contextmanager
    def viewing(self, reader: storage.Reader, container: Container) -> Iterator[View]:
        lock, shelf = self._all[container.folders[0]]
        with lock:
            _catch_up(reader, shelf, container)
            view = View(shelf, container)
            if view.census.candidate_count > self.candidate_limit:
                raise CandidateLimitExceeded
            yield view


def _catch_up(reader: storage.Reader, shelf: Shelf, container: Container) -> None:
    try:
        reader.catch_up(shelf, container)
    except MemoryFault:
        raise
    except BaseException:
        shelf.clear()  # nobody knows how far it came; nothing is better than half
        raise
