"""Generated from contracts/tools/mnemosyne/memory_inspect.json by nox -s codegen; do not edit."""

from collections.abc import Mapping
from typing import Literal, Protocol

from mymcp.contract.errors import ToolError
from mymcp.contract.events import LogField
from mymcp.contract.faults import Condition, DeclaredError
from mymcp.contract.reader import Reader
from mymcp.contract.rules import NativeInteger
from mymcp.contract.tool import ToolContract

from .. import data, registry
from ..models.tools.mnemosyne.memory_inspect import MemoryInspectRequest, MemoryInspectResult

__all__ = [
    "MEMORY_INSPECT",
    "MemoryInspectCode",
    "MemoryInspectError",
    "MemoryInspectHandler",
    "MemoryInspectRequest",
    "MemoryInspectResult",
]

MemoryInspectCode = Literal[
    "invalid_reference",
    "not_found",
    "ambiguous_reference",
    "candidate_limit_exceeded",
    "memory_source_unavailable",
    "internal_error",
]


class MemoryInspectError(ToolError):
    """A declared error of `memory_inspect`; its message is in the contract."""

    def __init__(
        self,
        code: MemoryInspectCode,
        *,
        field: Literal["reference"] | None = None,
        reason: None = None,
        details: Mapping[str, object] | None = None,
    ) -> None:
        super().__init__(code, field=field, reason=reason, details=details)


class MemoryInspectHandler(Protocol):
    """What a person writes for `memory_inspect`; says no with `MemoryInspectError`."""

    def __call__(self, request: MemoryInspectRequest, /) -> MemoryInspectResult: ...


MEMORY_INSPECT = ToolContract(
    capability=registry.MEMORY_INSPECT,
    reader=Reader(
        MemoryInspectRequest,
        rules=(NativeInteger(path=("reference", "schema_version")),),
        unions=frozenset((("reference",),)),
    ),
    result=MemoryInspectResult,
    errors=(
        DeclaredError(
            code="invalid_reference",
            status="invalid_request",
            message="The reference must be an object: schema_version 2 with scope, namespace_id, collection_id and id, or schema_version 1 with scope and id. Copy it from recall or list.",
            field="reference",
            when=(
                Condition(on="unknown"),
                Condition(on="missing", path=("reference",)),
                Condition(on="shape", path=("reference",)),
                Condition(on="invalid", path=("reference", "schema_version")),
            ),
        ),
        DeclaredError(
            code="invalid_reference",
            status="invalid_request",
            message="This part of the reference is not well-formed. Copy the reference from recall or list.",
            field="reference.*",
            when=(Condition(on="invalid", path=("reference",)),),
        ),
        DeclaredError(
            code="not_found", status="not_found", message="No record has this reference."
        ),
        DeclaredError(
            code="ambiguous_reference",
            status="conflict",
            message="Several version-1 records share this id; only the user can tell their files apart.",
        ),
        DeclaredError(
            code="candidate_limit_exceeded",
            status="storage_error",
            message="There are more records in this scope than the operator's limit, so a version-1 id cannot be looked up.",
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
        LogField(name="schema_version", source="request", path=("reference", "schema_version")),
        LogField(name="scope", source="request", path=("reference", "scope")),
    ),
    published=data.published("memory_inspect"),
    input_schema=data.input_schema("mnemosyne", "memory_inspect"),
)
"""Inspect one memory: everything that its contract says."""
