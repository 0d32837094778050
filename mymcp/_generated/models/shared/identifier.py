"""Generated from contracts/shared/identifier.json by nox -s codegen; do not edit."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field, StrictStr
from typing_extensions import TypeAliasType

Identifier = TypeAliasType(
    "Identifier", Annotated[StrictStr, Field(pattern="^[a-z0-9]([a-z0-9_-]{0,62}[a-z0-9])?$")]
)


MemoryId = TypeAliasType("MemoryId", Annotated[StrictStr, Field(pattern="^mem_[0-9a-f]{32}$")])


LegacyId = TypeAliasType("LegacyId", Annotated[StrictStr, Field(pattern="^[A-Za-z0-9._-]{1,100}$")])
