"""Generated from contracts/tools/mnemosyne/memory_remember.json by nox -s codegen; do not edit."""

from collections.abc import Mapping
from typing import Literal, Protocol

from mymcp.contract.errors import ToolError
from mymcp.contract.events import LogField
from mymcp.contract.faults import Condition, DeclaredError
from mymcp.contract.reader import Reader
from mymcp.contract.rules import Allows, Distinct, PresentExactlyWhen
from mymcp.contract.text import collapsed
from mymcp.contract.tool import ToolContract

from .. import data, registry
from ..models.tools.mnemosyne.memory_remember import MemoryRememberRequest, MemoryRememberResult

__all__ = [
    "MEMORY_REMEMBER",
    "MemoryRememberCode",
    "MemoryRememberError",
    "MemoryRememberHandler",
    "MemoryRememberRequest",
    "MemoryRememberResult",
]

MemoryRememberCode = Literal[
    "invalid_origin",
    "invalid_record",
    "invalid_scope",
    "invalid_namespace",
    "invalid_collection",
    "invalid_kind",
    "mutation_disabled",
    "disallowed_content",
    "candidate_limit_exceeded",
    "write_conflict",
    "memory_source_unavailable",
    "creation_outcome_uncertain",
    "internal_error",
]


class MemoryRememberError(ToolError):
    """A declared error of `memory_remember`; its message is in the contract."""

    def __init__(
        self,
        code: MemoryRememberCode,
        *,
        field: Literal[
            "origin",
            "memory",
            "scope",
            "namespace",
            "namespace.kind",
            "namespace.id",
            "namespace.label",
            "collection",
            "collection.id",
            "collection.label",
            "kind",
            "occurred_at",
            "language",
            "title",
            "content",
            "tags",
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


class MemoryRememberHandler(Protocol):
    """What a person writes for `memory_remember`; says no with `MemoryRememberError`."""

    def __call__(self, request: MemoryRememberRequest, /) -> MemoryRememberResult: ...


MEMORY_REMEMBER = ToolContract(
    capability=registry.MEMORY_REMEMBER,
    reader=Reader(
        MemoryRememberRequest,
        rules=(
            Allows(
                rule="namespace_kind_of_scope",
                key=("scope",),
                path=("namespace", "kind"),
                table={
                    "self": frozenset(("aspect",)),
                    "relationship": frozenset(("group", "person", "relationship")),
                    "preference": frozenset(("domain",)),
                    "practice": frozenset(("domain",)),
                    "project": frozenset(("project",)),
                    "knowledge": frozenset(("topic",)),
                    "agent": frozenset(("agent",)),
                },
            ),
            Allows(
                rule="kind_of_scope",
                key=("scope",),
                path=("kind",),
                table={
                    "self": frozenset(("attribute",)),
                    "relationship": frozenset(("perspective", "summary")),
                    "preference": frozenset(("preference",)),
                    "practice": frozenset(("practice",)),
                    "project": frozenset(
                        (
                            "constraint",
                            "decision",
                            "event",
                            "question",
                            "reference",
                            "state",
                            "summary",
                        )
                    ),
                    "knowledge": frozenset(("reference", "summary")),
                    "agent": frozenset(("checklist", "failure_mode", "persona", "policy")),
                },
            ),
            PresentExactlyWhen(
                rule="occurred_at_of_event", name="occurred_at", key=("kind",), text="event"
            ),
            Distinct(path=("tags",), normalise=collapsed, casefold=True),
        ),
    ),
    result=MemoryRememberResult,
    errors=(
        DeclaredError(
            code="invalid_origin",
            status="invalid_request",
            message="origin must be explicit_user_statement or user_approved_proposal.",
            field="origin",
            when=(
                Condition(on="missing", path=("origin",)),
                Condition(on="invalid", path=("origin",)),
            ),
        ),
        DeclaredError(
            code="invalid_record",
            status="invalid_request",
            message="Give scope, namespace, collection, kind, language, title, content, tags and origin, null where there is nothing to say, occurred_at for an event, and nothing else.",
            field="memory",
            when=(Condition(on="shape"),),
        ),
        DeclaredError(
            code="invalid_scope",
            status="invalid_request",
            message="scope must be one of self, relationship, preference, practice, project, knowledge, agent.",
            field="scope",
            when=(Condition(on="invalid", path=("scope",)),),
        ),
        DeclaredError(
            code="invalid_record",
            status="invalid_request",
            message="namespace must be an object with exactly kind, id and label.",
            field="namespace",
            when=(Condition(on="shape", path=("namespace",)),),
        ),
        DeclaredError(
            code="invalid_namespace",
            status="invalid_request",
            message="namespace.kind must be one of aspect, person, group, relationship, domain, project, topic, agent.",
            field="namespace.kind",
            when=(Condition(on="invalid", path=("namespace", "kind")),),
        ),
        DeclaredError(
            code="invalid_namespace",
            status="invalid_request",
            message="namespace.id must be 1 to 64 of a-z, 0-9, _ and -, first and last a letter or digit.",
            field="namespace.id",
            when=(Condition(on="invalid", path=("namespace", "id")),),
        ),
        DeclaredError(
            code="invalid_record",
            status="invalid_request",
            message="namespace.label must be null or text of 1 to 100 characters without control characters.",
            field="namespace.label",
            when=(Condition(on="invalid", path=("namespace", "label")),),
        ),
        DeclaredError(
            code="invalid_record",
            status="invalid_request",
            message="collection must be null or an object with exactly id and label.",
            field="collection",
            when=(Condition(on="shape", path=("collection",)),),
        ),
        DeclaredError(
            code="invalid_collection",
            status="invalid_request",
            message="collection.id must be 1 to 64 of a-z, 0-9, _ and -, first and last a letter or digit.",
            field="collection.id",
            when=(Condition(on="invalid", path=("collection", "id")),),
        ),
        DeclaredError(
            code="invalid_record",
            status="invalid_request",
            message="collection.label must be null or text of 1 to 100 characters without control characters.",
            field="collection.label",
            when=(Condition(on="invalid", path=("collection", "label")),),
        ),
        DeclaredError(
            code="invalid_kind",
            status="invalid_request",
            message="kind must be one of the kinds that the tool's description lists.",
            field="kind",
            when=(Condition(on="invalid", path=("kind",)),),
        ),
        DeclaredError(
            code="invalid_namespace",
            status="invalid_request",
            message="This scope has other kinds of namespace. self: aspect. relationship: person, group, relationship. preference, practice: domain. project: project. knowledge: topic. agent: agent.",
            field="namespace.kind",
            when=(Condition(on="rule", rule="namespace_kind_of_scope"),),
        ),
        DeclaredError(
            code="invalid_kind",
            status="invalid_request",
            message="This scope has other kinds. self: attribute. relationship: perspective, summary. preference: preference. practice: practice. project: decision, constraint, state, event, question, reference, summary. knowledge: reference, summary. agent: persona, policy, checklist, failure_mode.",
            field="kind",
            when=(Condition(on="rule", rule="kind_of_scope"),),
        ),
        DeclaredError(
            code="invalid_record",
            status="invalid_request",
            message="occurred_at must be YYYY-MM-DDTHH:MM:SSZ of a real day for kind event, and left out for every other kind.",
            field="occurred_at",
            when=(
                Condition(on="rule", rule="occurred_at_of_event"),
                Condition(on="invalid", path=("occurred_at",)),
            ),
        ),
        DeclaredError(
            code="invalid_record",
            status="invalid_request",
            message="language must be null or a language tag such as en or pt-br, of at most 35 characters.",
            field="language",
            when=(Condition(on="invalid", path=("language",)),),
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
            fields=("namespace", "collection", "title", "content", "tags"),
            reasons=(
                "private_key_shape",
                "credential_shape",
                "compact_token_shape",
                "payment_card_shape",
                "government_identifier_shape",
            ),
        ),
        DeclaredError(
            code="candidate_limit_exceeded",
            status="storage_error",
            message="The scope is full: one more record would cross the operator's limit. Forget or move records, or raise the limit.",
        ),
        DeclaredError(
            code="write_conflict",
            status="conflict",
            message="The new record's file was taken by another writer; nothing was written. Try again.",
        ),
        DeclaredError(
            code="memory_source_unavailable",
            status="storage_error",
            message="The memory cannot be read or written just now: the disk refuses, or another writer holds it. Nothing was stored; try again later or tell the user.",
        ),
        DeclaredError(
            code="creation_outcome_uncertain",
            status="uncertain",
            message="The record may be visible already, but the disk did not confirm it. Do not retry blindly: inspect this reference first.",
            details=("reference",),
        ),
        DeclaredError(
            code="internal_error",
            status="internal_error",
            message="The server failed; nothing about your call is known to be wrong. Try once more, then tell the operator.",
        ),
    ),
    log=(
        LogField(name="scope", source="request", path=("scope",)),
        LogField(name="namespace_kind", source="request", path=("namespace", "kind")),
        LogField(name="memory_kind", source="request", path=("kind",)),
        LogField(name="collection_present", source="presence", path=("collection", "id")),
        LogField(name="origin", source="request", path=("origin",)),
        LogField(name="memory_id", source="result", path=("reference", "id")),
        LogField(name="lifecycle_state", source="result", path=("lifecycle", "state")),
        LogField(name="revision", source="result", path=("lifecycle", "revision")),
    ),
    published=data.published("memory_remember"),
    input_schema=data.input_schema("mnemosyne", "memory_remember"),
)
"""Remember something: everything that its contract says."""
