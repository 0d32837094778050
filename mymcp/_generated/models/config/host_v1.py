"""Generated from contracts/config/host-v1.json by nox -s codegen; do not edit."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import MISSING, Field, StrictBool

from mymcp.contract.model import ContractModel

from ..shared.host import DeclarationId, Server


class NamedPlugin(ContractModel):
    """One plugin, by its name alone."""

    id: DeclarationId
    """Id of the plugin. No two are equal."""

    enabled: StrictBool
    """Must be false: this format cannot say where a plugin is."""


class HostConfigV1(ContractModel):
    schema_version: Literal[1]
    """Format 1."""

    server: Server | MISSING = MISSING
    plugins: Annotated[list[NamedPlugin] | MISSING, Field(max_length=4096)] = MISSING
    """Plugins that the operator installed, in the order of their tools."""
