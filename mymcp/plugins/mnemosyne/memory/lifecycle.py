"""The two states of a memory: active, or archived and no longer recalled."""

from dataclasses import replace

from mymcp.plugins.mnemosyne.memory.records import CanonicalRecord


def archived(record: CanonicalRecord) -> CanonicalRecord:
    """Return `record` as it is when archived."""
    return replace(record, state="archived")


def restored(record: CanonicalRecord) -> CanonicalRecord:
    """Return `record` as it is when active."""
    return replace(record, state="active")
