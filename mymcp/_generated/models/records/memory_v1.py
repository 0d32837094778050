"""Generated from contracts/records/memory-v1.json by nox -s codegen; do not edit."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import MISSING, Field

from mymcp.contract.model import ContractModel

from ..shared.identifier import LegacyId
from ..shared.text import LegacyContent, LegacyTag, LegacyTitle


class MemoryRecordV1(ContractModel):
    schema_version: Literal[1]
    """Record format 1."""

    id: LegacyId
    title: LegacyTitle | None | MISSING = MISSING
    """Title; may be null or left out."""

    content: LegacyContent
    tags: Annotated[list[LegacyTag] | MISSING, Field(max_length=10, min_length=1)] = MISSING
    """1 to 10 different tags; may be left out, not empty."""
