"""Generated from contracts/tools/mnemosyne/memory_recall.json by nox -s codegen; do not edit."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import MISSING, Field, StrictStr
from typing_extensions import TypeAliasType

from mymcp.contract.model import ContractModel

from ...shared.identifier import Identifier, LegacyId
from ...shared.reference import Reference
from ...shared.scope import Scope
from ...shared.text import Query, QueryTag, StoredContent, StoredTag, StoredTitle

Term = TypeAliasType("Term", Annotated[StrictStr, Field(max_length=1000, min_length=1)])


Tag = TypeAliasType("Tag", Annotated[StrictStr, Field(max_length=1000, min_length=1)])


class Match(ContractModel):
    """Why the record matched."""

    terms: Annotated[list[Term], Field(max_length=1000)]
    """Words of the query that the record has."""

    tags: Annotated[list[Tag], Field(max_length=10)]
    """Asked tags that the record has, as they are compared: folded, which can make them longer."""


class MemoryRecallRequest(ContractModel):
    query: Query
    """What to look for, in a few telling words. At most 1,000 characters."""

    scope: Scope
    """The one scope to search."""

    namespace_id: Identifier | MISSING = MISSING
    """Search only this namespace of the scope."""

    tags: Annotated[list[QueryTag] | MISSING, Field(max_length=10, min_length=1)] = MISSING
    """Whole tags to match beside the query, 1 to 10 different ones of at most 50 characters."""


class RecalledMemory(ContractModel):
    """One recalled memory."""

    reference: Reference
    id: LegacyId
    """Id of the record within its scope."""

    scope: Scope
    title: StoredTitle | None
    """Title, or null."""

    content: StoredContent
    tags: Annotated[list[StoredTag], Field(max_length=10)]
    """Tags of the record."""

    match: Match


class MemoryRecallResult(ContractModel):
    status: Literal["ok", "no_matches"]
    """ok with memories, no_matches without."""

    memories: Annotated[list[RecalledMemory], Field(max_length=5)]
    """Best match first."""
