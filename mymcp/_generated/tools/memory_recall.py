"""Generated from contracts/tools/mnemosyne/memory_recall.json by nox -s codegen; do not edit."""

from collections.abc import Mapping
from typing import Literal, Protocol

from mymcp.contract.errors import ToolError
from mymcp.contract.events import LogField
from mymcp.contract.faults import Condition, DeclaredError
from mymcp.contract.reader import Reader
from mymcp.contract.rules import Distinct
from mymcp.contract.text import collapsed
from mymcp.contract.tool import ToolContract

from .. import data, registry
from ..models.tools.mnemosyne.memory_recall import MemoryRecallRequest, MemoryRecallResult

__all__ = [
    "MEMORY_RECALL",
    "MemoryRecallCode",
    "MemoryRecallError",
    "MemoryRecallHandler",
    "MemoryRecallRequest",
    "MemoryRecallResult",
]

MemoryRecallCode = Literal[
    "invalid_request",
    "invalid_query",
    "invalid_scope",
    "invalid_namespace",
    "invalid_tags",
    "candidate_limit_exceeded",
    "memory_source_unavailable",
    "internal_error",
]


class MemoryRecallError(ToolError):
    """A declared error of `memory_recall`; its message is in the contract."""

    def __init__(
        self,
        code: MemoryRecallCode,
        *,
        field: None = None,
        reason: None = None,
        details: Mapping[str, object] | None = None,
    ) -> None:
        super().__init__(code, field=field, reason=reason, details=details)


class MemoryRecallHandler(Protocol):
    """What a person writes for `memory_recall`; says no with `MemoryRecallError`."""

    def __call__(self, request: MemoryRecallRequest, /) -> MemoryRecallResult: ...


MEMORY_RECALL = ToolContract(
    capability=registry.MEMORY_RECALL,
    reader=Reader(MemoryRecallRequest, rules=(Distinct(path=("tags",), normalise=collapsed),)),
    result=MemoryRecallResult,
    errors=(
        DeclaredError(
            code="invalid_request",
            status="invalid_request",
            message="Only query, scope, namespace_id and tags are accepted.",
            when=(Condition(on="unknown"),),
        ),
        DeclaredError(
            code="invalid_query",
            status="invalid_request",
            message="query must be text of 1 to 1,000 characters that is not blank.",
            when=(
                Condition(on="missing", path=("query",)),
                Condition(on="invalid", path=("query",)),
            ),
        ),
        DeclaredError(
            code="invalid_scope",
            status="invalid_request",
            message="scope must be one of self, relationship, preference, practice, project, knowledge, agent.",
            when=(
                Condition(on="missing", path=("scope",)),
                Condition(on="invalid", path=("scope",)),
            ),
        ),
        DeclaredError(
            code="invalid_namespace",
            status="invalid_request",
            message="namespace_id must be 1 to 64 of a-z, 0-9, _ and -, first and last a letter or digit. Leave it out to search the whole scope.",
            when=(Condition(on="invalid", path=("namespace_id",)),),
        ),
        DeclaredError(
            code="invalid_tags",
            status="invalid_request",
            message="tags must be 1 to 10 different texts of 1 to 50 characters. Leave it out to search by words alone.",
            when=(Condition(on="invalid", path=("tags",)),),
        ),
        DeclaredError(
            code="candidate_limit_exceeded",
            status="retrieval_error",
            message="There are more records here than the operator's limit. Narrow the selection to a namespace or collection.",
        ),
        DeclaredError(
            code="memory_source_unavailable",
            status="retrieval_error",
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
        LogField(name="tag_selector_present", source="presence", path=("tags",)),
        LogField(name="returned_count", source="count", path=("memories",)),
    ),
    published=data.published("memory_recall"),
    input_schema=data.input_schema("mnemosyne", "memory_recall"),
)
"""Recall memories: everything that its contract says."""
