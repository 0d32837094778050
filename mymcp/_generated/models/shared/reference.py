"""Generated from contracts/shared/reference.json by nox -s codegen; do not edit."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field
from typing_extensions import TypeAliasType

from mymcp.contract.model import ContractModel

from .identifier import Identifier, LegacyId, MemoryId
from .scope import Scope


class CanonicalReference(ContractModel):
    """Exact address of a version-2 record."""

    schema_version: Literal[2]
    """Format 2."""

    scope: Scope
    namespace_id: Identifier
    """Namespace."""

    collection_id: Identifier | None
    """Collection, or null."""

    id: MemoryId


class LegacyReference(ContractModel):
    """Address of a version-1 record."""

    schema_version: Literal[1]
    """Format 1."""

    scope: Scope
    id: LegacyId


Reference = TypeAliasType(
    "Reference",
    Annotated[CanonicalReference | LegacyReference, Field(discriminator="schema_version")],
)
