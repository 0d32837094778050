"""Generated from contracts/tools/mnemosyne/memory_inspect.json by nox -s codegen; do not edit."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import MISSING, Field

from mymcp.contract.model import ContractModel

from ...shared.identifier import Identifier, LegacyId, MemoryId
from ...shared.instant import Instant
from ...shared.lifecycle import Lifecycle
from ...shared.provenance import Provenance
from ...shared.reference import CanonicalReference, LegacyReference, Reference
from ...shared.scope import Scope
from ...shared.text import StoredContent, StoredLabel, StoredLanguage, StoredTag, StoredTitle
from ...shared.vocabulary import MemoryKind, NamespaceKind


class StoredNamespace(ContractModel):
    """Namespace of the record."""

    kind: NamespaceKind
    """Its kind."""

    id: Identifier
    """Namespace id."""

    label: StoredLabel | None
    """Label, or null."""


class StoredCollection(ContractModel):
    """Collection of the record."""

    id: Identifier
    """Collection id."""

    label: StoredLabel | None
    """Label, or null."""


class CanonicalMemory(ContractModel):
    """A version-2 record, whole."""

    reference: CanonicalReference
    """Its reference."""

    schema_version: Literal[2]
    """Format 2."""

    id: MemoryId
    """Its id."""

    scope: Scope
    """Its scope."""

    namespace: StoredNamespace
    collection: StoredCollection | None
    """Collection, or null."""

    kind: MemoryKind
    """Its kind."""

    language: StoredLanguage
    title: StoredTitle | None
    """Title, or null."""

    content: StoredContent
    """Its content."""

    tags: Annotated[list[StoredTag], Field(max_length=10)]
    """Tags."""

    provenance: Provenance
    """Its origin."""

    lifecycle: Lifecycle
    created_at: Instant
    """When it was recorded."""

    updated_at: Instant
    """When it last changed."""

    occurred_at: Instant | MISSING = MISSING
    """When the event happened; events only."""


class LegacyMemory(ContractModel):
    """A version-1 record, whole."""

    reference: LegacyReference
    """Its reference."""

    schema_version: Literal[1]
    """Format 1."""

    id: LegacyId
    """Its id."""

    content: StoredContent
    """Its content."""

    title: StoredTitle | None
    """Title, or null."""

    tags: Annotated[list[StoredTag], Field(max_length=10)]
    """Tags."""


class MemoryInspectRequest(ContractModel):
    reference: Reference


class MemoryInspectResult(ContractModel):
    status: Literal["ok"]
    """Always ok."""

    memory: Annotated[CanonicalMemory | LegacyMemory, Field(discriminator="schema_version")]
    """The record."""
