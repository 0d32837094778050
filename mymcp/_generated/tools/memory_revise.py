"""Generated from contracts/tools/mnemosyne/memory_revise.json by nox -s codegen; do not edit."""

from collections.abc import Mapping
from typing import Literal, Protocol

from mymcp.contract.errors import ToolError
from mymcp.contract.events import LogField
from mymcp.contract.faults import Condition, DeclaredError
from mymcp.contract.reader import Reader
from mymcp.contract.rules import Distinct, NativeInteger, RequiredWithText
from mymcp.contract.text import collapsed
from mymcp.contract.tool import ToolContract

from .. import data, registry
from ..models.tools.mnemosyne.memory_revise import MemoryReviseRequest, MemoryReviseResult

__all__ = [
    "MEMORY_REVISE",
    "MemoryReviseCode",
    "MemoryReviseError",
    "MemoryReviseHandler",
    "MemoryReviseRequest",
    "MemoryReviseResult",
]

MemoryReviseCode = Literal[
    "invalid_record",
    "invalid_reference",
    "invalid_expected_revision",
    "mutation_disabled",
    "disallowed_content",
    "not_found",
    "revision_conflict",
    "invalid_collection",
    "write_conflict",
    "memory_source_unavailable",
    "replacement_outcome_uncertain",
    "internal_error",
]


class MemoryReviseError(ToolError):
    """A declared error of `memory_revise`; its message is in the contract."""

    def __init__(
        self,
        code: MemoryReviseCode,
        *,
        field: Literal[
            "revision",
            "reference",
            "expected_revision",
            "namespace_label",
            "title",
            "content",
            "tags",
            "collection_label",
        ]
        | None = None,
        reason: Literal[
            "private_key_shape",
            "credential_shape",
            "compact_token_shape",
            "payment_card_shape",
            "government_identifier_shape",
        ]
        | None = None,
        details: Mapping[str, object] | None = None,
    ) -> None:
        super().__init__(code, field=field, reason=reason, details=details)


class MemoryReviseHandler(Protocol):
    """What a person writes for `memory_revise`; says no with `MemoryReviseError`."""

    def __call__(self, request: MemoryReviseRequest, /) -> MemoryReviseResult: ...


MEMORY_REVISE = ToolContract(
    capability=registry.MEMORY_REVISE,
    reader=Reader(
        MemoryReviseRequest,
        rules=(
            RequiredWithText(
                rule="label_of_collection",
                name="collection_label",
                key=("reference", "collection_id"),
            ),
            NativeInteger(path=("reference", "schema_version")),
            Distinct(path=("tags",), normalise=collapsed, casefold=True),
        ),
    ),
    result=MemoryReviseResult,
    errors=(
        DeclaredError(
            code="invalid_record",
            status="invalid_request",
            message="Only reference, expected_revision, namespace_label, collection_label, title, content and tags are accepted.",
            field="revision",
            when=(Condition(on="unknown"),),
        ),
        DeclaredError(
            code="invalid_reference",
            status="invalid_request",
            message="reference is required; copy it from inspect.",
            field="reference",
            when=(Condition(on="missing", path=("reference",)),),
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
            code="invalid_record",
            status="invalid_request",
            message="namespace_label is required, null where there is none.",
            field="namespace_label",
            when=(Condition(on="missing", path=("namespace_label",)),),
        ),
        DeclaredError(
            code="invalid_record",
            status="invalid_request",
            message="title is required, null where there is none.",
            field="title",
            when=(Condition(on="missing", path=("title",)),),
        ),
        DeclaredError(
            code="invalid_record",
            status="invalid_request",
            message="content is required.",
            field="content",
            when=(Condition(on="missing", path=("content",)),),
        ),
        DeclaredError(
            code="invalid_record",
            status="invalid_request",
            message="tags is required.",
            field="tags",
            when=(Condition(on="missing", path=("tags",)),),
        ),
        DeclaredError(
            code="invalid_record",
            status="invalid_request",
            message="collection_label is required, null to remove it, because the record has a collection.",
            field="collection_label",
            when=(Condition(on="rule", rule="label_of_collection"),),
        ),
        DeclaredError(
            code="invalid_record",
            status="invalid_request",
            message="namespace_label must be null or text of 1 to 100 characters without control characters.",
            field="namespace_label",
            when=(Condition(on="invalid", path=("namespace_label",)),),
        ),
        DeclaredError(
            code="invalid_record",
            status="invalid_request",
            message="collection_label must be null or text of 1 to 100 characters without control characters.",
            field="collection_label",
            when=(Condition(on="invalid", path=("collection_label",)),),
        ),
        DeclaredError(
            code="invalid_record",
            status="invalid_request",
            message="title must be null or text of 1 to 200 characters without control characters.",
            field="title",
            when=(Condition(on="invalid", path=("title",)),),
        ),
        DeclaredError(
            code="invalid_record",
            status="invalid_request",
            message="content must be text of 1 to 4,000 characters without control characters.",
            field="content",
            when=(Condition(on="invalid", path=("content",)),),
        ),
        DeclaredError(
            code="invalid_record",
            status="invalid_request",
            message="tags must be at most 10 texts of 1 to 50 characters, different also when letter case is ignored.",
            field="tags",
            when=(Condition(on="invalid", path=("tags",)),),
        ),
        DeclaredError(
            code="mutation_disabled",
            status="policy_error",
            message="The operator has switched this tool off.",
        ),
        DeclaredError(
            code="disallowed_content",
            status="refused",
            message="This field looks like a secret or an identifier that must not be stored. Do not rephrase it to get around this; show the user the named field and try again only if they confirm that it is harmless.",
            fields=("namespace_label", "collection_label", "title", "content", "tags"),
            reasons=(
                "private_key_shape",
                "credential_shape",
                "compact_token_shape",
                "payment_card_shape",
                "government_identifier_shape",
            ),
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
            code="invalid_collection",
            status="invalid_request",
            message="The record has no collection, so collection_label must be null or left out.",
            field="collection_label",
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
    published=data.published("memory_revise"),
    input_schema=data.input_schema("mnemosyne", "memory_revise"),
)
"""Revise a memory: everything that its contract says."""
