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
    """Number of this page, from 1."""

    count: Annotated[StrictInt, Field(ge=0, le=100)]
    """Records on this page."""

    total_count: Annotated[StrictInt, Field(ge=0)]
    """Records in the selection."""

    total_pages: Annotated[StrictInt, Field(ge=0)]
    """Pages in the selection."""

    truncated: StrictBool
    """Whether records follow."""

    next_cursor: NextCursor | None
    """Cursor of the next page, or null on the last."""


class MemoryListRequest(ContractModel):
    scope: Scope
    """The one scope to list."""

    namespace_id: Identifier | MISSING = MISSING
    """List only this namespace of the scope."""

    collection_id: Identifier | None | MISSING = MISSING
    """Needs namespace_id. A name lists that collection; null lists the records without a
    collection; left out, both."""

    page_size: Annotated[StrictInt | MISSING, Field(ge=1, le=100)] = MISSING
    """Records a page, 1 to 100; 50 when left out. Not together with cursor."""

    cursor: Annotated[StrictStr | MISSING, Field(max_length=4096, min_length=1)] = MISSING
    """next_cursor of the page before, with the same selection."""


class ListedMemory(ContractModel):
    """One listed memory."""

    reference: Reference
    title: StoredTitle | None
    """Title, or null."""

    inspectability: Literal["exact", "ambiguous"]
    """ambiguous: several version-1 records share the id."""

    kind: MemoryKind | MISSING = MISSING
    """Kind; version-2 records only."""

    lifecycle: ListedLifecycle | MISSING = MISSING
    """State; version-2 records only."""


class MemoryListResult(ContractModel):
    status: Literal["ok"]
    """Always ok."""

    memories: Annotated[list[ListedMemory], Field(max_length=100)]
    """The records of this page."""

    page: Page
