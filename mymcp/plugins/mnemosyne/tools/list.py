"""`memory_list`. Contract: `contracts/tools/mnemosyne/memory_list.json`."""

from dataclasses import dataclass

from pydantic import MISSING

from mymcp._generated.models.shared.scope import Scope
from mymcp._generated.tools.memory_list import (
    MemoryListCode,
    MemoryListError,
    MemoryListRequest,
    MemoryListResult,
)
from mymcp.plugins.mnemosyne.memory import faults, listing
from mymcp.plugins.mnemosyne.memory.cursor import CursorSeal
from mymcp.plugins.mnemosyne.memory.records import LegacyRecord
from mymcp.plugins.mnemosyne.memory.store import MemoryStore

_CODES: dict[type[faults.MemoryFault], MemoryListCode] = {
    faults.InvalidCursor: "invalid_cursor",
    faults.StaleCursor: "stale_cursor",
    faults.CandidateLimitExceeded: "candidate_limit_exceeded",
    faults.SourceUnavailable: "memory_source_unavailable",
}


@dataclass(frozen=True, slots=True)
class List:
    """Handler of `memory_list`."""

    store: MemoryStore
    seal: CursorSeal

    def __call__(self, request: MemoryListRequest, /) -> MemoryListResult:
        """Return the page that is asked for. Raises `MemoryListError`."""
        try:
            page = self._page(request)
        except tuple(_CODES) as fault:
            raise MemoryListError(_CODES[type(fault)]) from fault
        # Validated once as a whole: making a model for each record costs three times as much.
        return MemoryListResult.model_validate(
            {
                "status": "ok",
                "memories": [_listed(item, request.scope) for item in page.items],
                "page": {
                    "number": page.number,
                    "count": len(page.items),
                    "total_count": page.total_count,
                    "total_pages": page.total_pages,
                    "truncated": page.next_cursor is not None,
                    "next_cursor": page.next_cursor,
                    "skipped_count": page.skipped_count,
                },
            }
        )

    def _page(self, request: MemoryListRequest) -> listing.Page:
        selection = _selection(request)
        if request.cursor is not MISSING:
            return listing.next_page(self.store, self.seal, selection, request.cursor)
        if request.page_size is not MISSING:
            return listing.first_page(self.store, self.seal, selection, request.page_size)
        return listing.first_page(self.store, self.seal, selection)


def _selection(request: MemoryListRequest) -> listing.Selection:
    if request.namespace_id is MISSING:
        return listing.Selection(request.scope)
    if request.collection_id is MISSING:
        return listing.Selection(request.scope, request.namespace_id)
    return listing.Selection(
        request.scope,
        request.namespace_id,
        in_collection=True,
        collection_id=request.collection_id,
    )


def _listed(item: listing.Listed, scope: Scope) -> dict[str, object]:
    record = item.entry.record
    if isinstance(record, LegacyRecord):
        return {
            "reference": {"schema_version": 1, "scope": scope, "id": record.id},
            "title": record.title,
            "inspectability": "ambiguous" if item.ambiguous else "exact",
        }
    return {
        "reference": {
            "schema_version": 2,
            "scope": scope,
            "namespace_id": record.namespace.id,
            "collection_id": record.collection_id,
            "id": record.id,
        },
        "title": record.title,
        "inspectability": "exact",
        "kind": record.kind,
        "lifecycle": {"state": record.state},
    }
