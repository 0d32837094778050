"""Generated from contracts/config/host-v7.json by nox -s codegen; do not edit."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import MISSING, Field, StrictBool

from mymcp.contract.model import ContractModel

from ..shared.host import (
    Adapter,
    LifetimeSeconds,
    OauthJwt,
    OperatorBearer,
    PluginDeclaration,
    Server,
    StrictProtocolVersion,
)


class Authentication(ContractModel):
    """Who may call."""

    anonymous_enabled: StrictBool
    """Serve callers that show no evidence."""

    adapters: Annotated[list[Adapter] | MISSING, Field(max_length=32)] = MISSING
    """Ways to prove who is calling."""

    operator_bearer: OperatorBearer | MISSING = MISSING
    oauth_jwt: OauthJwt | MISSING = MISSING


class Mcp(ContractModel):
    """How the protocol is spoken."""

    strict_protocol_version: StrictProtocolVersion
    session_inactivity_timeout_seconds: LifetimeSeconds
    """How long a session may rest, in seconds; 0: for ever."""

    session_absolute_lifetime_seconds: LifetimeSeconds
    """How long a session may last, in seconds; 0: for ever."""


class HostConfigV7(ContractModel):
    schema_version: Literal[7]
    """Format 7."""

    server: Server | MISSING = MISSING
    plugins: Annotated[list[PluginDeclaration] | MISSING, Field(max_length=4096)] = MISSING
    """Plugins that the operator installed, in the order of their tools."""

    authentication: Authentication
    mcp: Mcp
