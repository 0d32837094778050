"""Memories in a dictionary: a second storage behind the port, so that it stays a port."""

from collections.abc import Iterator
from contextlib import contextmanager
from threading import RLock

from mymcp.plugins.mnemosyne.memory.entries import Path, reading_of, record_in
from mymcp.plugins.mnemosyne.memory.faults import NotFound, SourceUnavailable, WriteConflict
from mymcp.plugins.mnemosyne.memory.places import Address, Container
from mymcp.plugins.mnemosyne.memory.records import CanonicalRecord
from mymcp.plugins.mnemosyne.memory.shelf import Shelf
from mymcp.plugins.mnemosyne.memory.store import MemoryStore
from tests.plugins.mnemosyne.stores import KEY


class DictionaryStorage:
    """Reads and writes `rows`, which are bytes and a number that grows with every change."""

    def __init__(self) -> None:
        self.rows: dict[Path, tuple[int, bytes]] = {}
        self._lock = RLock()
        self._changes = 0

    def put(self, path: Path, data: bytes) -> None:
        with self._lock:
            self._changes += 1
            self.rows[path] = (self._changes, data)

    def catch_up(self, shelf: Shelf, container: Container) -> None:
        with self._lock:
            mine = {path: row for path, row in self.rows.items() if path[0] == shelf.scope}
            for folder, state in list(shelf.folders.items()):
                for name in list(state.stamps):
                    if (*folder, name) not in mine:
                        shelf.remove((*folder, name))
            with shelf.loading():
                for path, (change, data) in mine.items():
                    for depth in range(1, len(path) - 1):
                        shelf.folder(path[:depth]).subfolders.add(path[depth])
                    if shelf.folder(path[:-1]).stamps.get(path[-1]) != (change,):
                        shelf.place(path, (change,), reading_of(path, data, KEY))

    def record(self, address: Address) -> tuple[CanonicalRecord, bytes]:
        with self._lock:
            if address.path not in self.rows:
                raise NotFound
            _, data = self.rows[address.path]
        record = record_in(address.path, data)
        if isinstance(record, str):
            raise SourceUnavailable
        if not isinstance(record, CanonicalRecord):
            raise NotFound
        return record, data

    @contextmanager
    def writing(self, *, make: bool) -> Iterator["DictionaryStorage"]:
        del make  # a dictionary is always there
        with self._lock:
            yield self

    def create(self, address: Address, data: bytes, *, token: str) -> None:
        del token
        if address.path in self.rows:
            raise WriteConflict
        self.put(address.path, data)

    def replace(self, address: Address, data: bytes, *, over: bytes, token: str) -> None:
        del token
        self._require(address, over)
        self.put(address.path, data)

    def delete(self, address: Address, *, holding: bytes) -> None:
        self._require(address, holding)
        del self.rows[address.path]

    def _require(self, address: Address, data: bytes) -> None:
        if self.rows.get(address.path, (0, b""))[1] != data:
            raise WriteConflict


def store_in_memory() -> MemoryStore:
    """Return an empty memory that touches no file."""
    return MemoryStore(DictionaryStorage())
