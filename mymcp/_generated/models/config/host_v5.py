"""Generated from contracts/config/host-v5.json by nox -s codegen; do not edit."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import MISSING, Field, StrictBool

from mymcp.contract.model import ContractModel

from ..shared.host import Adapter, OauthJwt, OperatorBearer, PluginDeclaration, Server


class Authentication(ContractModel):
    """Who may call."""

    anonymous_enabled: StrictBool
    """Serve callers that show no evidence."""

    adapters: Annotated[list[Adapter] | MISSING, Field(max_length=32)] = MISSING
    """Ways to prove who is calling."""

    operator_bearer: OperatorBearer | MISSING = MISSING
    oauth_jwt: OauthJwt | MISSING = MISSING


class HostConfigV5(ContractModel):
    schema_version: Literal[5]
    """Format 5."""

    server: Server | MISSING = MISSING
    plugins: Annotated[list[PluginDeclaration] | MISSING, Field(max_length=4096)] = MISSING
    """Plugins that the operator installed, in the order of their tools."""

    authentication: Authentication
