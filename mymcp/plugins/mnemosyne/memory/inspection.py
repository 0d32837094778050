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
    found = [
        entry.record
        for entry in store.survey(scope_container(scope)).entries
        if isinstance(entry.record, LegacyRecord) and entry.record.id == identifier
    ]
    if not found:
        raise NotFound
    if len(found) > 1:
        raise AmbiguousReference
    return found[0]
