"""Generated from contracts/tools/mnemosyne/memory_list.json by nox -s codegen; do not edit."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import MISSING, Field, StrictBool, StrictInt, StrictStr
from typing_extensions import TypeAliasType

from mymcp.contract.model import ContractModel

from ...shared.identifier import Identifier
from ...shared.lifecycle import LifecycleState
from ...shared.reference import Reference
from ...shared.scope import Scope
from ...shared.text import StoredTitle
from ...shared.vocabulary import MemoryKind


class ListedLifecycle(ContractModel):
    """State of the record."""

    state: LifecycleState


NextCursor = TypeAliasType("NextCursor", Annotated[StrictStr, Field(max_length=4096, min_length=1)])


class Page(ContractModel):
    """Where this page stands."""

    number: Annotated[StrictInt, Field(ge=1)]
    """From 1."""

    count: Annotated[StrictInt, Field(ge=0, le=100)]
    """On this page."""

    total_count: Annotated[StrictInt, Field(ge=0)]
    """Records in all."""

    total_pages: Annotated[StrictInt, Field(ge=0)]
    """Pages in all."""

    truncated: StrictBool
    """More follow."""

    next_cursor: NextCursor | None
    """Of the next page, or null."""

    skipped_count: Annotated[StrictInt, Field(ge=0)]
    """Unreadable files."""


class MemoryListRequest(ContractModel):
    scope: Scope
    """The one scope to list."""

    namespace_id: Identifier | MISSING = MISSING
    """Only this namespace of the scope."""

    collection_id: Identifier | None | MISSING = MISSING
    """Needs namespace_id. A name: that collection; null: the records without one; left out: both."""

    page_size: Annotated[StrictInt | MISSING, Field(ge=1, le=100)] = MISSING
    """Records a page, 1 to 100; 50 when left out. Not together with cursor."""

    cursor: Annotated[StrictStr | MISSING, Field(max_length=4096, min_length=1)] = MISSING
    """next_cursor of the page before, with the same selection."""


class ListedMemory(ContractModel):
    """One listed memory. Only version-2 records have kind and lifecycle."""

    reference: Reference
    """Exact address."""

    title: StoredTitle | None
    """Title, or null."""

    inspectability: Literal["exact", "ambiguous"]
    """ambiguous: several version-1 records share the id."""

    kind: MemoryKind | MISSING = MISSING
    """Kind."""

    lifecycle: ListedLifecycle | MISSING = MISSING
    """State."""


class MemoryListResult(ContractModel):
    status: Literal["ok"]
    """Always ok."""

    memories: Annotated[list[ListedMemory], Field(max_length=100)]
    """This page."""

    page: Page
