"""`memory_revise`. Contract: `contracts/tools/mnemosyne/memory_revise.json`."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Literal

from pydantic import MISSING

from mymcp._generated.tools.memory_revise import (
    MemoryReviseError,
    MemoryReviseRequest,
    MemoryReviseResult,
)
from mymcp.plugins.mnemosyne.memory.content_policy import refusal
from mymcp.plugins.mnemosyne.memory.editing import Editing
from mymcp.plugins.mnemosyne.memory.faults import NoCollection
from mymcp.plugins.mnemosyne.memory.revising import Statement
from mymcp.plugins.mnemosyne.tools.changing import EDIT_CODES, lifecycle_of
from mymcp.plugins.mnemosyne.tools.reference import address_of

Field = Literal["namespace_label", "collection_label", "title", "content", "tags"]


@dataclass(frozen=True, slots=True)
class Revise:
    """Handler of `memory_revise`. It refuses when not `enabled`, even if it was offered."""

    edit: Editing
    enabled: bool = field(kw_only=True)

    def __call__(self, request: MemoryReviseRequest, /) -> MemoryReviseResult:
        """Replace what the memory says. Raises `MemoryReviseError`."""
        if not self.enabled:
            raise MemoryReviseError("mutation_disabled")
        statement = _statement(request)
        refused = refusal(_inspected(statement))
        if refused is not None:
            raise MemoryReviseError(
                "disallowed_content", field=refused.field, reason=refused.reason
            )
        address = address_of(request.reference)
        try:
            edited = self.edit(address, request.expected_revision, statement.told_by)
        except NoCollection as fault:
            raise MemoryReviseError("invalid_collection") from fault
        except tuple(EDIT_CODES) as fault:
            raise MemoryReviseError(EDIT_CODES[type(fault)]) from fault
        return MemoryReviseResult(
            status="revised" if edited.was_written else "already_current",
            reference=request.reference,
            lifecycle=lifecycle_of(edited.record),
        )


def _statement(request: MemoryReviseRequest) -> Statement:
    label = request.collection_label
    return Statement(
        namespace_label=request.namespace_label,
        collection_label=None if label is MISSING else label,
        title=request.title,
        content=request.content,
        tags=tuple(request.tags),
    )


def _inspected(statement: Statement) -> Iterator[tuple[Field, str | None]]:
    """Give every text that a person would read, in the order in which refusals are reported."""
    yield "namespace_label", statement.namespace_label
    yield "collection_label", statement.collection_label
    yield "title", statement.title
    yield "content", statement.content
    for tag in statement.tags:
        yield "tags", tag
