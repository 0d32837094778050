"""Generated from contracts/tools/mnemosyne/memory_restore.json by nox -s codegen; do not edit."""

from collections.abc import Mapping
from typing import Literal, Protocol

from mymcp.contract.errors import ToolError
from mymcp.contract.events import LogField
from mymcp.contract.faults import Condition, DeclaredError
from mymcp.contract.reader import Reader
from mymcp.contract.rules import NativeInteger
from mymcp.contract.tool import ToolContract

from .. import data, registry
from ..models.tools.mnemosyne.memory_restore import MemoryRestoreRequest, MemoryRestoreResult

__all__ = [
    "MEMORY_RESTORE",
    "MemoryRestoreCode",
    "MemoryRestoreError",
    "MemoryRestoreHandler",
    "MemoryRestoreRequest",
    "MemoryRestoreResult",
]

MemoryRestoreCode = Literal[
    "invalid_reference",
    "invalid_expected_revision",
    "mutation_disabled",
    "not_found",
    "revision_conflict",
    "write_conflict",
    "memory_source_unavailable",
    "replacement_outcome_uncertain",
    "internal_error",
]


class MemoryRestoreError(ToolError):
    """A declared error of `memory_restore`; its message is in the contract."""

    def __init__(
        self,
        code: MemoryRestoreCode,
        *,
        field: Literal["reference", "expected_revision"] | None = None,
        reason: None = None,
        details: Mapping[str, object] | None = None,
    ) -> None:
        super().__init__(code, field=field, reason=reason, details=details)


class MemoryRestoreHandler(Protocol):
    """What a person writes for `memory_restore`; says no with `MemoryRestoreError`."""

    def __call__(self, request: MemoryRestoreRequest, /) -> MemoryRestoreResult: ...


MEMORY_RESTORE = ToolContract(
    capability=registry.MEMORY_RESTORE,
    reader=Reader(
        MemoryRestoreRequest, rules=(NativeInteger(path=("reference", "schema_version")),)
    ),
    result=MemoryRestoreResult,
    errors=(
        DeclaredError(
            code="invalid_reference",
            status="invalid_request",
            message="Only reference and expected_revision are accepted, and reference is required.",
            field="reference",
            when=(Condition(on="unknown"), Condition(on="missing", path=("reference",))),
        ),
        DeclaredError(
            code="invalid_expected_revision",
            status="invalid_request",
            message="expected_revision must be the record's current revision, an integer of 1 or more. Inspect the record to learn it.",
            field="expected_revision",
            when=(Condition(on="missing", path=("expected_revision",)),),
        ),
        DeclaredError(
            code="invalid_reference",
            status="invalid_request",
            message="The reference must be an object with exactly schema_version 2, scope, namespace_id, collection_id and id, as inspect gives it.",
            field="reference",
            when=(
                Condition(on="shape", path=("reference",)),
                Condition(on="invalid", path=("reference", "schema_version")),
            ),
        ),
        DeclaredError(
            code="invalid_reference",
            status="invalid_request",
            message="This part of the reference is not well-formed. Copy the reference from recall, list or inspect.",
            field="reference.*",
            when=(Condition(on="invalid", path=("reference",)),),
        ),
        DeclaredError(
            code="invalid_expected_revision",
            status="invalid_request",
            message="expected_revision must be the record's current revision, an integer of 1 or more. Inspect the record to learn it.",
            field="expected_revision",
            when=(Condition(on="invalid", path=("expected_revision",)),),
        ),
        DeclaredError(
            code="mutation_disabled",
            status="policy_error",
            message="The operator has switched this tool off.",
        ),
        DeclaredError(
            code="not_found", status="not_found", message="No record has this reference."
        ),
        DeclaredError(
            code="revision_conflict",
            status="conflict",
            message="The record has another revision by now. Inspect it, review it with the user and ask anew.",
        ),
        DeclaredError(
            code="write_conflict",
            status="conflict",
            message="The file changed during the call; nothing was written. Inspect the record and ask anew.",
        ),
        DeclaredError(
            code="memory_source_unavailable",
            status="storage_error",
            message="The record cannot be read or replaced just now: its file is unusable, the disk refuses, or another writer holds the memory. Nothing was changed; try again later or tell the user.",
        ),
        DeclaredError(
            code="replacement_outcome_uncertain",
            status="uncertain",
            message="The change may be visible already, but the disk did not confirm it. Do not retry blindly: inspect the same reference first.",
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
        LogField(name="lifecycle_state", source="result", path=("lifecycle", "state")),
        LogField(name="revision", source="result", path=("lifecycle", "revision")),
    ),
    published=data.published("memory_restore"),
    input_schema=data.input_schema("mnemosyne", "memory_restore"),
)
"""Restore an archived memory: everything that its contract says."""
