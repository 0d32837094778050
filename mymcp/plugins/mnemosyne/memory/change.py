"""One record, held from the moment it was read until it was replaced or deleted."""

from dataclasses import replace

from mymcp.plugins.mnemosyne.memory.faults import SourceUnavailable, WriteConflict
from mymcp.plugins.mnemosyne.memory.records import REVISION_MAX, CanonicalRecord, serialise
from mymcp.plugins.mnemosyne.memory.storage import Writer


class Change:
    """What may be done to `record` while the root is held. Made by `MemoryStore.changing`.

    Other servers are kept out by the lock; people with an editor are not. So the record has to
    hold the very bytes that were read, or nothing is done to it.
    """

    def __init__(self, writer: Writer, record: CanonicalRecord, data: bytes) -> None:
        self.record = record
        self._writer = writer
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
        self._writer.replace(before.address, data, over=self._data, token=token)
        return after

    def delete(self) -> None:
        """Delete the record and what a killed process may have left of it; its folders stay.

        Raises `WriteConflict` if the file changed meanwhile, `SourceUnavailable` if it is still
        there, `DeletionUncertain` if the disk did not confirm that it is gone.
        """
        self._writer.delete(self.record.address, holding=self._data)


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
