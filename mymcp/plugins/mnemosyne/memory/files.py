"""Memories as files below one root: read whole or not at all, written by one at a time.

What a call names (root, scope, namespace, collection, record) must be a real folder or file.
Missing, it is empty; a symlink or anything else is `SourceUnavailable`. Below that, what cannot
be served is skipped and counted.
"""

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from time import time_ns

from mymcp.plugins.mnemosyne.memory.descent import if_there, opened_below
from mymcp.plugins.mnemosyne.memory.entries import record_in
from mymcp.plugins.mnemosyne.memory.faults import (
    CreationUncertain,
    DeletionUncertain,
    NotFound,
    ReplacementUncertain,
    SourceUnavailable,
    WriteConflict,
)
from mymcp.plugins.mnemosyne.memory.folder import Folder
from mymcp.plugins.mnemosyne.memory.freshness import Freshness
from mymcp.plugins.mnemosyne.memory.lock import LOCK_WAIT_SECONDS, RootLock
from mymcp.plugins.mnemosyne.memory.places import Address, Container
from mymcp.plugins.mnemosyne.memory.publication import (
    FileChanged,
    PublicationUncertain,
    publish,
    republish,
    withdraw,
)
from mymcp.plugins.mnemosyne.memory.records import RECORD_MAX_BYTES, CanonicalRecord, LegacyRecord
from mymcp.plugins.mnemosyne.memory.shelf import Shelf
from mymcp.plugins.mnemosyne.memory.temporaries import sweep


class FileStorage:
    """The files below `root`, an absolute path. Safe to share between threads.

    `key` is secret and random; `candidate_limit` bounds the files of one selection.
    """

    def __init__(
        self,
        root: Path,
        *,
        key: bytes,
        candidate_limit: int,
        lock_wait_seconds: float = LOCK_WAIT_SECONDS,
        now_ns: Callable[[], int] = time_ns,
    ) -> None:
        self._root = root
        self._lock = RootLock(root, wait_seconds=lock_wait_seconds)
        self._freshness = Freshness(limit=candidate_limit, key=key, now_ns=now_ns)
        self._is_swept = False

    def catch_up(self, shelf: Shelf, container: Container) -> None:
        """Do what `storage.Reader.catch_up` says."""
        root = self._root_folder()
        if root is None:
            self._freshness.catch_up(None, shelf, container)
            return
        with root:
            self._freshness.catch_up(root, shelf, container)

    def record(self, address: Address) -> tuple[CanonicalRecord, bytes]:
        """Do what `storage.Reader.record` says."""
        root = self._root_folder()
        if root is None:
            raise NotFound
        with root:
            return record_below(root, address)

    @contextmanager
    def writing(self, *, make: bool) -> Iterator["FileWriter"]:
        """Do what `storage.Storage.writing` says.

        The first time, what a killed process left behind is removed.
        """
        if not make:
            root = self._root_folder()
            if root is None:
                raise NotFound  # holding the root would make it
            root.close()
        with self._lock.held() as held:
            if not self._is_swept:
                self._is_swept = True
                sweep(held)
            yield FileWriter(held, self._freshness)

    def _root_folder(self) -> Folder | None:
        folder = if_there(lambda: Folder.at(self._root))
        if folder is None and leads_nowhere(self._root):
            raise SourceUnavailable
        return folder


class FileWriter:
    """What may be done below `root` while it is held."""

    def __init__(self, root: Folder, freshness: Freshness) -> None:
        self._root = root
        self._freshness = freshness

    def catch_up(self, shelf: Shelf, container: Container) -> None:
        """Do what `storage.Reader.catch_up` says."""
        self._freshness.catch_up(self._root, shelf, container)

    def record(self, address: Address) -> tuple[CanonicalRecord, bytes]:
        """Do what `storage.Reader.record` says."""
        return record_below(self._root, address)

    def create(self, address: Address, data: bytes, *, token: str) -> None:
        """Do what `storage.Writer.create` says."""
        try:
            with self._made(address.folders) as folder:
                publish(folder, address.file_name, data, token=token)
        except FileExistsError:
            raise WriteConflict from None
        except PublicationUncertain as error:
            raise CreationUncertain(address) from error
        except OSError as error:
            raise SourceUnavailable from error

    def replace(self, address: Address, data: bytes, *, over: bytes, token: str) -> None:
        """Do what `storage.Writer.replace` says."""
        try:
            with self._home_of(address) as folder:
                republish(folder, address.file_name, data, over=over, token=token)
        except PublicationUncertain as error:
            raise ReplacementUncertain from error

    def delete(self, address: Address, *, holding: bytes) -> None:
        """Do what `storage.Writer.delete` says; folders stay."""
        try:
            with self._home_of(address) as folder:
                withdraw(folder, address.file_name, holding=holding)
        except PublicationUncertain as error:
            raise DeletionUncertain from error

    @contextmanager
    def _home_of(self, address: Address) -> Iterator[Folder]:
        """Open the folder of the record at `address`, and say what it means if it is not there."""
        try:
            with self._root.below(address.folders) as folder:
                yield folder
        except (FileNotFoundError, FileChanged):
            raise WriteConflict from None
        except OSError as error:
            raise SourceUnavailable from error

    @contextmanager
    def _made(self, names: tuple[str, ...]) -> Iterator[Folder]:
        with ExitStack() as opened:
            folder = self._root
            for name in names:
                folder = opened.enter_context(folder.made(name))
            yield folder


def record_below(root: Folder, address: Address) -> tuple[CanonicalRecord, bytes]:
    """Return the version-2 record at `address` below `root`, and its bytes.

    Raises `NotFound`, `SourceUnavailable` as `storage.Reader.record` does.
    """
    with opened_below(root, address.folders) as folder:
        if folder is None:
            raise NotFound
        try:
            data, _ = folder.read(address.file_name, RECORD_MAX_BYTES + 1)
        except FileNotFoundError:
            raise NotFound from None
        except OSError as error:
            raise SourceUnavailable from error
    record = record_in(address.path, data)
    if isinstance(record, LegacyRecord):
        raise NotFound
    if not isinstance(record, CanonicalRecord):
        raise SourceUnavailable
    return record, data


def leads_nowhere(path: Path) -> bool:
    """Tell whether a folder above the missing `path` is a dangling link: a disk not mounted, say.

    That is not an empty memory, and nothing may be concluded from it.
    """
    for above in path.parents:
        try:
            above.stat()
        except FileNotFoundError:
            if above.is_symlink():
                return True
        except OSError:
            return True
        else:
            return False
    return False
