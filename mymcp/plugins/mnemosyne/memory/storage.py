"""The port behind which memories are stored: what the domain asks of it, and no more.

Files are one implementation; a database could stand beside them.
"""

from contextlib import AbstractContextManager
from typing import Protocol

from mymcp.plugins.mnemosyne.memory.places import Address, Container
from mymcp.plugins.mnemosyne.memory.records import CanonicalRecord
from mymcp.plugins.mnemosyne.memory.shelf import Shelf


class Reader(Protocol):
    """What may be read."""

    def catch_up(self, shelf: Shelf, container: Container) -> None:
        """Bring `shelf`, which is held, up to date with `container`, a part or all of its scope.

        What is missing is empty. Raises `SourceUnavailable` if part of it cannot be seen, and
        `CandidateLimitExceeded` rather than read more files than one selection may hold.
        """

    def record(self, address: Address) -> tuple[CanonicalRecord, bytes]:
        """Return the version-2 record at `address` and its bytes.

        Raises `NotFound` if there is none, `SourceUnavailable` if something is there that cannot
        be read as one: absence must mean absence.
        """


class Writer(Reader, Protocol):
    """What may be done besides while nobody else writes."""

    def create(self, address: Address, data: bytes, *, token: str) -> None:
        """Put a new record at `address`; `token` is random, for a temporary name.

        Raises `WriteConflict` if its place is taken, `SourceUnavailable` if nothing was written,
        `CreationUncertain` if it is not certain what a later reader will find.
        """

    def replace(self, address: Address, data: bytes, *, over: bytes, token: str) -> None:
        """Put `data` in the place of the record at `address`, which holds `over`.

        Raises `WriteConflict` if it holds something else, `SourceUnavailable` if it stays as it
        was, `ReplacementUncertain`.
        """

    def delete(self, address: Address, *, holding: bytes) -> None:
        """Delete the record at `address`, which holds `holding`, and every copy made of it.

        Raises `WriteConflict`, `SourceUnavailable` if it is still there, `DeletionUncertain`.
        """


class Storage(Reader, Protocol):
    """Where memories are stored."""

    def writing(self, *, make: bool) -> AbstractContextManager[Writer]:
        """Keep every other writer out, in this process and in all others.

        Raises `SourceUnavailable` if that takes too long or the storage is unsafe, and `NotFound`
        if there is no storage yet and none is to be made.
        """
