"""What the tools that change one record have in common."""

from typing import Literal

from mymcp._generated.models.shared.lifecycle import Lifecycle
from mymcp.plugins.mnemosyne.memory import faults
from mymcp.plugins.mnemosyne.memory.records import CanonicalRecord

ChangeCode = Literal[
    "not_found", "revision_conflict", "write_conflict", "memory_source_unavailable"
]
CHANGE_CODES: dict[type[faults.MemoryFault], ChangeCode] = {
    faults.NotFound: "not_found",
    faults.RevisionConflict: "revision_conflict",
    faults.WriteConflict: "write_conflict",
    faults.SourceUnavailable: "memory_source_unavailable",
}

EditCode = ChangeCode | Literal["replacement_outcome_uncertain"]
EDIT_CODES: dict[type[faults.MemoryFault], EditCode] = {
    **CHANGE_CODES,
    faults.ReplacementUncertain: "replacement_outcome_uncertain",
}


def lifecycle_of(record: CanonicalRecord) -> Lifecycle:
    """Return state and revision of `record`."""
    return Lifecycle(state=record.state, revision=record.revision)
