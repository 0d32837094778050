"""Generated from contracts/records/memory-v2.json by nox -s codegen; do not edit."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import MISSING, Field

from mymcp.contract.model import ContractModel

from ..shared.identifier import Identifier, MemoryId
from ..shared.instant import Instant
from ..shared.lifecycle import Lifecycle
from ..shared.provenance import Provenance
from ..shared.scope import Scope
from ..shared.text import RecordContent, RecordLabel, RecordLanguage, RecordTag, RecordTitle
from ..shared.vocabulary import MemoryKind, NamespaceKind


class RecordNamespace(ContractModel):
    """Namespace of the record."""

    kind: NamespaceKind
    id: Identifier
    """Namespace id; the folder's name."""

    label: RecordLabel | None
    """Label, or null."""


class RecordCollection(ContractModel):
    """Collection of the record."""

    id: Identifier
    """Collection id; the folder's name."""

    label: RecordLabel | None
    """Label, or null."""


class MemoryRecordV2(ContractModel):
    schema_version: Literal[2]
    """Record format 2."""

    id: MemoryId
    scope: Scope
    namespace: RecordNamespace
    collection: RecordCollection | None
    """Collection, or null."""

    kind: MemoryKind
    language: RecordLanguage | None
    """Language tag; null is read as und."""

    title: RecordTitle | None
    """Title, or null."""

    content: RecordContent
    tags: Annotated[list[RecordTag], Field(max_length=10, min_length=0)]
    """Tags, different also when letter case is ignored."""

    provenance: Provenance
    lifecycle: Lifecycle
    created_at: Instant
    """When it was recorded."""

    updated_at: Instant
    """When it last changed; not before created_at."""

    occurred_at: Instant | MISSING = MISSING
    """When the event happened; events only."""
