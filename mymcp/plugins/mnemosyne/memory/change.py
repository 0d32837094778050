"""One record, held from the moment it was read until it was replaced or deleted."""

from dataclasses import replace

from mymcp.plugins.mnemosyne.memory.faults import (
    DeletionUncertain,
    ReplacementUncertain,
    SourceUnavailable,
    WriteConflict,
)
from mymcp.plugins.mnemosyne.memory.folder import Folder
from mymcp.plugins.mnemosyne.memory.publication import (
    FileChanged,
    PublicationUncertain,
    republish,
    withdraw,
)
from mymcp.plugins.mnemosyne.memory.records import REVISION_MAX, CanonicalRecord, serialise


class Change:
    """What may be done to `record` while the root is held. Made by `MemoryStore.changing`.

    Other servers are kept out by the lock; people with an editor are not. So the file has to hold
    the very bytes that were read, or nothing is done to it.
    """

    def __init__(self, folder: Folder, record: CanonicalRecord, data: bytes) -> None:
        self.record = record
        self._folder = folder
        self._data = data

    def replace(self, desired: CanonicalRecord, *, instant: str, token: str) -> CanonicalRecord:
        """Write `desired` as the next revision, and return that.

        A clock that runs behind does not date it before the last change. `token` is random, for a
        temporary name. Raises `WriteConflict` if the file changed meanwhile or `desired` is
        another memory, `SourceUnavailable` if nothing was written (there may be no next revision),
        `ReplacementUncertain` if the disk did not confirm what is visible already.
        """
        before = self.record
        if before.revision >= REVISION_MAX:
            raise SourceUnavailable
        after = replace(
            desired,
            revision=before.revision + 1,
            updated_at=max(instant, before.updated_at),  # equal widths: text order is time order
        )
        if not _is_same_memory(before, after):
            raise WriteConflict
        data = serialise(after)
        try:
            republish(self._folder, self._name, data, over=self._data, token=token)
        except FileChanged:
            raise WriteConflict from None
        except PublicationUncertain as error:
            raise ReplacementUncertain from error
        except OSError as error:
            raise SourceUnavailable from error
        return after

    def delete(self) -> None:
        """Delete the record and what a killed process may have left of it; its folders stay.

        Raises `WriteConflict` if the file changed meanwhile, `SourceUnavailable` if it is still
        there, `DeletionUncertain` if the disk did not confirm that it is gone.
        """
        try:
            withdraw(self._folder, self._name, holding=self._data)
        except FileChanged:
            raise WriteConflict from None
        except PublicationUncertain as error:
            raise DeletionUncertain from error
        except OSError as error:
            raise SourceUnavailable from error

    @property
    def _name(self) -> str:
        return self.record.address.file_name


def _is_same_memory(before: CanonicalRecord, after: CanonicalRecord) -> bool:
    """Tell whether only what may change differs: state, texts, tags, labels, revision, time."""
    return _unchanging(before) == _unchanging(after)


def _unchanging(record: CanonicalRecord) -> tuple[object, ...]:
    return (
        record.address,
        record.namespace.kind,
        record.kind,
        record.language,
        record.origin,
        record.recorded_via,
        record.created_at,
        record.occurred_at,
    )
