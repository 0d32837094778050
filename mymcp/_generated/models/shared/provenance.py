"""Generated from contracts/shared/provenance.json by nox -s codegen; do not edit."""

from __future__ import annotations

from typing import Literal

from typing_extensions import TypeAliasType

from mymcp.contract.model import ContractModel

PublicOrigin = TypeAliasType(
    "PublicOrigin", Literal["explicit_user_statement", "user_approved_proposal"]
)


class Provenance(ContractModel):
    """Origin and the way of recording."""

    origin: Literal["explicit_user_statement", "user_approved_proposal", "manual", "import"]
    """Who it comes from."""

    recorded_via: Literal["memory_remember", "filesystem", "migration", "import"]
    """How it was written."""
