"""Generated from contracts/config/host-v2.json by nox -s codegen; do not edit."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import MISSING, Field

from mymcp.contract.model import ContractModel

from ..shared.host import PluginDeclaration, Server


class HostConfigV2(ContractModel):
    schema_version: Literal[2]
    """Format 2."""

    server: Server | MISSING = MISSING
    plugins: Annotated[list[PluginDeclaration] | MISSING, Field(max_length=4096)] = MISSING
    """Plugins that the operator installed, in the order of their tools."""
