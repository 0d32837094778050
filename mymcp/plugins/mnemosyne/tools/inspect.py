"""`memory_inspect`. Contract: `contracts/tools/mnemosyne/memory_inspect.json`."""

from dataclasses import dataclass

from pydantic import MISSING

from mymcp._generated.models.shared.lifecycle import Lifecycle
from mymcp._generated.models.shared.provenance import Provenance
from mymcp._generated.models.shared.reference import CanonicalReference, LegacyReference
from mymcp._generated.models.tools.mnemosyne.memory_inspect import (
    CanonicalMemory,
    LegacyMemory,
    StoredCollection,
    StoredNamespace,
)
from mymcp._generated.tools.memory_inspect import (
    MemoryInspectCode,
    MemoryInspectError,
    MemoryInspectRequest,
    MemoryInspectResult,
)
from mymcp.plugins.mnemosyne.memory import faults
from mymcp.plugins.mnemosyne.memory.inspection import legacy_record
from mymcp.plugins.mnemosyne.memory.records import CanonicalRecord, LegacyRecord
from mymcp.plugins.mnemosyne.memory.store import MemoryStore
from mymcp.plugins.mnemosyne.tools.reference import address_of

_CODES: dict[type[faults.MemoryFault], MemoryInspectCode] = {
    faults.NotFound: "not_found",
    faults.AmbiguousReference: "ambiguous_reference",
    faults.CandidateLimitExceeded: "candidate_limit_exceeded",
    faults.SourceUnavailable: "memory_source_unavailable",
}


@dataclass(frozen=True, slots=True)
class Inspect:
    """Handler of `memory_inspect`."""

    store: MemoryStore

    def __call__(self, request: MemoryInspectRequest, /) -> MemoryInspectResult:
        """Return the one record that is asked for. Raises `MemoryInspectError`."""
        try:
            memory = self._memory(request.reference)
        except tuple(_CODES) as fault:
            raise MemoryInspectError(_CODES[type(fault)]) from fault
        return MemoryInspectResult(status="ok", memory=memory)

    def _memory(
        self, reference: CanonicalReference | LegacyReference
    ) -> CanonicalMemory | LegacyMemory:
        if isinstance(reference, LegacyReference):
            return _legacy(reference, legacy_record(self.store, reference.scope, reference.id))
        return _canonical(reference, self.store.record(address_of(reference)))


def _legacy(reference: LegacyReference, record: LegacyRecord) -> LegacyMemory:
    return LegacyMemory(
        reference=reference,
        schema_version=1,
        id=record.id,
        content=record.content,
        title=record.title,
        tags=list(record.tags),
    )


def _canonical(reference: CanonicalReference, record: CanonicalRecord) -> CanonicalMemory:
    namespace, collection = record.namespace, record.collection
    return CanonicalMemory(
        reference=reference,
        schema_version=2,
        id=record.id,
        scope=record.scope,
        namespace=StoredNamespace(kind=namespace.kind, id=namespace.id, label=namespace.label),
        collection=None
        if collection is None
        else StoredCollection(id=collection.id, label=collection.label),
        kind=record.kind,
        language=record.language,
        title=record.title,
        content=record.content,
        tags=list(record.tags),
        provenance=Provenance(origin=record.origin, recorded_via=record.recorded_via),
        lifecycle=Lifecycle(state=record.state, revision=record.revision),
        created_at=record.created_at,
        updated_at=record.updated_at,
        occurred_at=MISSING if record.occurred_at is None else record.occurred_at,
    )
