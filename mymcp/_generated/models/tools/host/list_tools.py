"""Generated from contracts/tools/host/list_tools.json by nox -s codegen; do not edit."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field, StrictStr
from typing_extensions import TypeAliasType

from mymcp.contract.model import ContractModel


class Server(ContractModel):
    """The server."""

    name: Annotated[StrictStr, Field(max_length=64, min_length=1)]
    """Name of the server."""

    version: Annotated[StrictStr, Field(max_length=64, min_length=1)]
    """Version of the server."""


ToolName = TypeAliasType("ToolName", Annotated[StrictStr, Field(pattern="^[A-Za-z0-9_-]{1,64}$")])


class ListToolsRequest(ContractModel):
    pass


class ListToolsResult(ContractModel):
    server: Server
    """Who answers."""

    tools: Annotated[list[ToolName], Field(max_length=512)]
    """Names of the tools, in the order of tools/list."""
