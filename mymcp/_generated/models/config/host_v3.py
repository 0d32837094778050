"""Generated from contracts/config/host-v3.json by nox -s codegen; do not edit."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import MISSING, Field, StrictBool

from mymcp.contract.model import ContractModel

from ..shared.host import Adapter, PluginDeclaration, Server


class Authentication(ContractModel):
    """Who may call."""

    anonymous_enabled: StrictBool
    """Serve callers that show no evidence."""

    adapters: Annotated[list[Adapter] | MISSING, Field(max_length=32)] = MISSING
    """Ways to prove who is calling."""


class HostConfigV3(ContractModel):
    schema_version: Literal[3]
    """Format 3."""

    server: Server | MISSING = MISSING
    plugins: Annotated[list[PluginDeclaration] | MISSING, Field(max_length=4096)] = MISSING
    """Plugins that the operator installed, in the order of their tools."""

    authentication: Authentication
