"""Generated from contracts/tools/mnemosyne/memory_revise.json by nox -s codegen; do not edit."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import MISSING, Field

from mymcp.contract.model import ContractModel

from ...shared.lifecycle import Lifecycle
from ...shared.reference import CanonicalReference
from ...shared.revision import Revision
from ...shared.text import Content, Label, Tag, Title


class MemoryReviseRequest(ContractModel):
    reference: CanonicalReference
    expected_revision: Revision
    """Revision that was reviewed; the call fails if the record has another by now."""

    namespace_label: Label | None
    """New label of the namespace, at most 100 characters; null removes it."""

    collection_label: Label | None | MISSING = MISSING
    """New label of the collection, at most 100 characters; null removes it. Required where the
    record has a collection."""

    title: Title | None
    """New title of at most 200 characters; null removes it."""

    content: Content
    """New content in plain text, at most 4,000 characters."""

    tags: Annotated[list[Tag], Field(max_length=10, min_length=0)]
    """All tags, up to 10 of at most 50 characters, different also when letter case is ignored; may
    be empty."""


class MemoryReviseResult(ContractModel):
    status: Literal["revised", "already_current"]
    """revised: replaced now. already_current: nothing differs."""

    reference: CanonicalReference
    lifecycle: Lifecycle
    """State and revision of the record."""
