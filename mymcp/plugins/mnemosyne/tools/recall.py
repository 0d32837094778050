"""`memory_recall`. Contract: `contracts/tools/mnemosyne/memory_recall.json`."""

from dataclasses import dataclass

from pydantic import MISSING

from mymcp._generated.models.shared.scope import Scope
from mymcp._generated.models.tools.mnemosyne.memory_recall import Match, RecalledMemory
from mymcp._generated.tools.memory_recall import (
    MemoryRecallError,
    MemoryRecallRequest,
    MemoryRecallResult,
)
from mymcp.plugins.mnemosyne.memory import retrieval
from mymcp.plugins.mnemosyne.memory.faults import CandidateLimitExceeded, SourceUnavailable
from mymcp.plugins.mnemosyne.memory.records import LegacyRecord
from mymcp.plugins.mnemosyne.memory.store import MemoryStore
from mymcp.plugins.mnemosyne.tools.reference import reference_of


@dataclass(frozen=True, slots=True)
class Recall:
    """Handler of `memory_recall`."""

    store: MemoryStore

    def __call__(self, request: MemoryRecallRequest, /) -> MemoryRecallResult:
        """Return the best matches. Raises `MemoryRecallError`."""
        try:
            found = retrieval.recall(
                self.store,
                query=request.query,
                scope=request.scope,
                namespace_id=None if request.namespace_id is MISSING else request.namespace_id,
                tags=() if request.tags is MISSING else request.tags,
            )
        except CandidateLimitExceeded as fault:
            raise MemoryRecallError("candidate_limit_exceeded") from fault
        except SourceUnavailable as fault:
            raise MemoryRecallError("memory_source_unavailable") from fault
        return MemoryRecallResult(
            status="ok" if found.matches else "no_matches",
            memories=[_recalled(match, request.scope) for match in found.matches],
            total_matches=found.total_matches,
            archived_matches=found.archived_matches,
            skipped_count=found.skipped_count,
        )


def _recalled(match: retrieval.Match, scope: Scope) -> RecalledMemory:
    record = match.entry.record
    return RecalledMemory(
        reference=reference_of(record, scope),
        id=record.id,
        scope=scope,
        title=record.title,
        content=record.content,
        tags=list(record.tags),
        match=Match(
            terms=list(match.words),
            tags=list(match.tags),
            how=match.how,
            fuzzy=list(match.fuzzy),
        ),
        kind=MISSING if isinstance(record, LegacyRecord) else record.kind,
        updated_at=MISSING if isinstance(record, LegacyRecord) else record.updated_at,
        revision=MISSING if isinstance(record, LegacyRecord) else record.revision,
    )
