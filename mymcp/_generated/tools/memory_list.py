"""Generated from contracts/tools/mnemosyne/memory_list.json by nox -s codegen; do not edit."""

from collections.abc import Mapping
from typing import Literal, Protocol

from mymcp.contract.errors import ToolError
from mymcp.contract.events import LogField
from mymcp.contract.faults import Condition, DeclaredError
from mymcp.contract.reader import Reader
from mymcp.contract.rules import Excludes, Requires
from mymcp.contract.tool import ToolContract

from .. import data, registry
from ..models.tools.mnemosyne.memory_list import MemoryListRequest, MemoryListResult

__all__ = [
    "MEMORY_LIST",
    "MemoryListCode",
    "MemoryListError",
    "MemoryListHandler",
    "MemoryListRequest",
    "MemoryListResult",
]

MemoryListCode = Literal[
    "invalid_request",
    "invalid_scope",
    "invalid_namespace",
    "invalid_collection",
    "invalid_cursor",
    "invalid_page_size",
    "stale_cursor",
    "candidate_limit_exceeded",
    "memory_source_unavailable",
    "internal_error",
]


class MemoryListError(ToolError):
    """A declared error of `memory_list`; its message is in the contract."""

    def __init__(
        self,
        code: MemoryListCode,
        *,
        field: Literal["request", "scope", "namespace_id", "collection_id", "cursor", "page_size"]
        | None = None,
        reason: None = None,
        details: Mapping[str, object] | None = None,
    ) -> None:
        super().__init__(code, field=field, reason=reason, details=details)


class MemoryListHandler(Protocol):
    """What a person writes for `memory_list`; says no with `MemoryListError`."""

    def __call__(self, request: MemoryListRequest, /) -> MemoryListResult: ...


MEMORY_LIST = ToolContract(
    capability=registry.MEMORY_LIST,
    reader=Reader(
        MemoryListRequest,
        rules=(
            Requires(rule="collection_needs_namespace", name="collection_id", other="namespace_id"),
            Excludes(rule="cursor_without_page_size", names=("cursor", "page_size")),
        ),
    ),
    result=MemoryListResult,
    errors=(
        DeclaredError(
            code="invalid_request",
            status="invalid_request",
            message="Only scope, namespace_id, collection_id, page_size and cursor are accepted.",
            field="request",
            when=(Condition(on="unknown"),),
        ),
        DeclaredError(
            code="invalid_scope",
            status="invalid_request",
            message="scope must be one of self, relationship, preference, practice, project, knowledge, agent.",
            field="scope",
            when=(
                Condition(on="missing", path=("scope",)),
                Condition(on="invalid", path=("scope",)),
            ),
        ),
        DeclaredError(
            code="invalid_namespace",
            status="invalid_request",
            message="namespace_id must be 1 to 64 of a-z, 0-9, _ and -, first and last a letter or digit. Leave it out to list the whole scope.",
            field="namespace_id",
            when=(Condition(on="invalid", path=("namespace_id",)),),
        ),
        DeclaredError(
            code="invalid_collection",
            status="invalid_request",
            message="collection_id needs namespace_id, and must be null or 1 to 64 of a-z, 0-9, _ and -, first and last a letter or digit.",
            field="collection_id",
            when=(
                Condition(on="rule", rule="collection_needs_namespace"),
                Condition(on="invalid", path=("collection_id",)),
            ),
        ),
        DeclaredError(
            code="invalid_cursor",
            status="invalid_request",
            message="cursor must be the next_cursor of the same selection, sent without page_size. Start a new listing.",
            field="cursor",
            when=(
                Condition(on="rule", rule="cursor_without_page_size"),
                Condition(on="invalid", path=("cursor",)),
            ),
        ),
        DeclaredError(
            code="invalid_page_size",
            status="invalid_request",
            message="page_size must be an integer from 1 to 100.",
            field="page_size",
            when=(Condition(on="invalid", path=("page_size",)),),
        ),
        DeclaredError(
            code="stale_cursor",
            status="conflict",
            message="The listed records changed, or the server was restarted. Start a new listing without cursor.",
        ),
        DeclaredError(
            code="candidate_limit_exceeded",
            status="storage_error",
            message="There are more records here than the operator's limit. Narrow the selection to a namespace or collection.",
        ),
        DeclaredError(
            code="memory_source_unavailable",
            status="storage_error",
            message="The memory cannot be read as a whole just now. Nothing was concluded from it; tell the user.",
        ),
        DeclaredError(
            code="internal_error",
            status="internal_error",
            message="The server failed; nothing about your call is known to be wrong. Try once more, then tell the operator.",
        ),
    ),
    log=(
        LogField(name="scope", source="request", path=("scope",)),
        LogField(name="namespace_selector_present", source="presence", path=("namespace_id",)),
        LogField(name="collection_selector_present", source="presence", path=("collection_id",)),
        LogField(name="returned_count", source="result", path=("page", "count")),
        LogField(name="total_count", source="result", path=("page", "total_count")),
        LogField(name="page_number", source="result", path=("page", "number")),
        LogField(name="truncated", source="result", path=("page", "truncated")),
    ),
    published=data.published("memory_list"),
    input_schema=data.input_schema("mnemosyne", "memory_list"),
)
"""List memories: everything that its contract says."""
