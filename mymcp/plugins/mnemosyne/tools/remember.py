"""`memory_remember`. Contract: `contracts/tools/mnemosyne/memory_remember.json`."""

from dataclasses import dataclass, field

from pydantic import MISSING

from mymcp._generated.models.shared.lifecycle import Lifecycle
from mymcp._generated.tools.memory_remember import (
    MemoryRememberCode,
    MemoryRememberError,
    MemoryRememberRequest,
    MemoryRememberResult,
)
from mymcp.plugins.mnemosyne.memory import faults
from mymcp.plugins.mnemosyne.memory.content_policy import refusal
from mymcp.plugins.mnemosyne.memory.records import Collection, Namespace
from mymcp.plugins.mnemosyne.memory.remembering import Draft, Remembering
from mymcp.plugins.mnemosyne.memory.texts import texts_of
from mymcp.plugins.mnemosyne.tools.reference import canonical_reference

_CODES: dict[type[faults.MemoryFault], MemoryRememberCode] = {
    faults.CandidateLimitExceeded: "candidate_limit_exceeded",
    faults.WriteConflict: "write_conflict",
    faults.SourceUnavailable: "memory_source_unavailable",
}


@dataclass(frozen=True, slots=True)
class Remember:
    """Handler of `memory_remember`. It refuses when not `enabled`, even if it was offered."""

    remember: Remembering
    enabled: bool = field(kw_only=True)

    def __call__(self, request: MemoryRememberRequest, /) -> MemoryRememberResult:
        """Store the memory or find its equal. Raises `MemoryRememberError`."""
        if not self.enabled:
            raise MemoryRememberError("mutation_disabled")
        draft = _draft(request)
        refused = refusal(texts_of(draft))
        if refused is not None:
            raise MemoryRememberError(
                "disallowed_content", field=refused.field, reason=refused.reason
            )
        try:
            remembered = self.remember(draft)
        except faults.CreationUncertain as fault:
            reference = canonical_reference(fault.address).model_dump()
            raise MemoryRememberError(
                "creation_outcome_uncertain", details={"reference": reference}
            ) from fault
        except tuple(_CODES) as fault:
            raise MemoryRememberError(_CODES[type(fault)]) from fault
        record = remembered.record
        return MemoryRememberResult(
            status=remembered.status,
            reference=canonical_reference(record.address),
            lifecycle=Lifecycle(state=record.state, revision=record.revision),
        )


def _draft(request: MemoryRememberRequest) -> Draft:
    namespace, collection = request.namespace, request.collection
    return Draft(
        scope=request.scope,
        namespace=Namespace(namespace.kind, namespace.id, namespace.label),
        collection=None if collection is None else Collection(collection.id, collection.label),
        kind=request.kind,
        language=request.language,
        title=request.title,
        content=request.content,
        tags=tuple(request.tags),
        origin=request.origin,
        occurred_at=None if request.occurred_at is MISSING else request.occurred_at,
    )
