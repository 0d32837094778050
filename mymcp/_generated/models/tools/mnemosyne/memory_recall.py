"""Generated from contracts/tools/mnemosyne/memory_recall.json by nox -s codegen; do not edit."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import MISSING, Field, StrictInt, StrictStr
from typing_extensions import TypeAliasType

from mymcp.contract.model import ContractModel

from ...shared.identifier import Identifier, LegacyId
from ...shared.instant import Instant
from ...shared.reference import Reference
from ...shared.revision import Revision
from ...shared.scope import Scope
from ...shared.text import Query, QueryTag, StoredContent, StoredTag, StoredTitle
from ...shared.vocabulary import MemoryKind

Term = TypeAliasType("Term", Annotated[StrictStr, Field(max_length=1000, min_length=1)])


Tag = TypeAliasType("Tag", Annotated[StrictStr, Field(max_length=1000, min_length=1)])


FuzzyItem = TypeAliasType("FuzzyItem", Annotated[StrictStr, Field(max_length=1000, min_length=1)])


class Match(ContractModel):
    """Why it matched."""

    terms: Annotated[list[Term], Field(max_length=1000)]
    """Words of the query that it has."""

    tags: Annotated[list[Tag], Field(max_length=10)]
    """Asked tags that the record has, folded."""

    how: Literal["exact", "stemmed", "fuzzy"]
    """fuzzy: likeness only, or less than half of the query."""

    fuzzy: Annotated[list[FuzzyItem], Field(max_length=1000)]
    """Terms that are only alike."""


class MemoryRecallRequest(ContractModel):
    query: Query
    """What to look for, in a few telling words."""

    scope: Scope
    """The one scope to search. self: facts about the user. relationship: people and groups, from
    the user's side. preference: choices to honour. practice: how the user really works.
    project: one project. knowledge: material of use beyond one project. agent: refinements of
    one named AI agent."""

    namespace_id: Identifier | MISSING = MISSING
    """Only this namespace of the scope."""

    tags: Annotated[list[QueryTag] | MISSING, Field(max_length=10, min_length=1)] = MISSING
    """Whole tags to match beside the query, 1 to 10 different ones."""


class RecalledMemory(ContractModel):
    """One recalled memory. Only version-2 records have kind, updated_at and revision."""

    reference: Reference
    """Exact address."""

    id: LegacyId
    """Its id."""

    scope: Scope
    """Its scope."""

    title: StoredTitle | None
    """Title, or null."""

    content: StoredContent
    """Its content."""

    tags: Annotated[list[StoredTag], Field(max_length=10)]
    """Its tags."""

    match: Match
    kind: MemoryKind | MISSING = MISSING
    """Kind."""

    updated_at: Instant | MISSING = MISSING
    """Last change."""

    revision: Revision | MISSING = MISSING
    """Revision."""


class MemoryRecallResult(ContractModel):
    status: Literal["ok", "no_matches"]
    """no_matches: none found."""

    memories: Annotated[list[RecalledMemory], Field(max_length=5)]
    """Best match first."""

    total_matches: Annotated[StrictInt, Field(ge=0)]
    """How many match in all."""

    archived_matches: Annotated[StrictInt, Field(ge=0)]
    """Archived ones that match too."""

    skipped_count: Annotated[StrictInt, Field(ge=0)]
    """Unreadable files."""
