"""Inspection: one exact record, active or archived."""

from mymcp.plugins.mnemosyne.memory.faults import AmbiguousReference, NotFound
from mymcp.plugins.mnemosyne.memory.places import scope_container
from mymcp.plugins.mnemosyne.memory.records import LegacyRecord
from mymcp.plugins.mnemosyne.memory.store import MemoryStore


def legacy_record(store: MemoryStore, scope: str, identifier: str) -> LegacyRecord:
    """Return the version-1 record of `scope` with this id, wherever its file lies.

    Raises `NotFound`, `AmbiguousReference` if several have the id, `SourceUnavailable` and
    `CandidateLimitExceeded`. Version-2 records have `MemoryStore.record`.
    """
    with store.viewing(scope_container(scope)) as view:
        found = [entry.record for entry in view.legacy(identifier)]
    if len(found) > 1:
        raise AmbiguousReference
    for record in found:
        if isinstance(record, LegacyRecord):
            return record
    raise NotFound
