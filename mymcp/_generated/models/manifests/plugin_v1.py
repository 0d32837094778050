"""Generated from contracts/manifests/plugin-v1.json by nox -s codegen; do not edit."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import MISSING, Field, StrictBool, StrictInt, StrictStr
from typing_extensions import TypeAliasType

from mymcp.contract.model import ContractModel

PluginId = TypeAliasType(
    "PluginId", Annotated[StrictStr, Field(max_length=64, pattern="^[a-z][a-z0-9]*(-[a-z0-9]+)*$")]
)


LocalId = TypeAliasType(
    "LocalId", Annotated[StrictStr, Field(max_length=64, pattern="^[a-z][a-z0-9]*(_[a-z0-9]+)*$")]
)


Version = TypeAliasType(
    "Version",
    Annotated[
        StrictStr,
        Field(
            max_length=64,
            pattern="^(0|[1-9][0-9]*)\\.(0|[1-9][0-9]*)\\.(0|[1-9][0-9]*)(-(0|[1-9][0-9]*|[0-9]*[A-Za-z-][0-9A-Za-z-]*)(\\.(0|[1-9][0-9]*|[0-9]*[A-Za-z-][0-9A-Za-z-]*))*)?(\\+[0-9A-Za-z-]+(\\.[0-9A-Za-z-]+)*)?$",
        ),
    ],
)


class HostApi(ContractModel):
    """Range of host plugin APIs."""

    min: Annotated[StrictInt, Field(ge=1, le=255)]
    """Oldest plugin API that works."""

    max: Annotated[StrictInt, Field(ge=1, le=255)]
    """Newest plugin API that works; not below min."""


class Requirements(ContractModel):
    """What the plugin needs."""

    host_api: HostApi


class DeclaredCapability(ContractModel):
    """One capability as declared."""

    kind: Literal["tool"]
    """Only tools exist."""

    id: LocalId
    """Name of the tool within the plugin."""

    version: Version
    """Contract version of the tool."""

    read_only: StrictBool
    """No externally visible change."""

    destructive: StrictBool
    """May remove or replace for good."""

    idempotent: StrictBool
    """The same successful call again adds nothing."""

    open_world: StrictBool
    """May touch what lies outside its own domain."""

    consent: Literal["none", "per_call"]
    """per_call: the client asks the user for each exact call."""


class Configuration(ContractModel):
    """How the plugin may be configured."""

    schema_version: Literal[1]
    """Version of the schema sub-language."""

    schema_: Annotated[dict[str, Any], Field(alias="schema")]
    """Closed object schema of the plugin's configuration."""


class Authority(ContractModel):
    """What the plugin asks for; asking grants nothing."""

    filesystem: Annotated[
        list[
            Literal[
                "data_read", "data_write", "state_read", "state_write", "cache_read", "cache_write"
            ]
        ],
        Field(max_length=6, min_length=0),
    ]
    """Folders it asks for."""

    network: StrictBool
    """Whether it asks for the network."""


FieldSchema = TypeAliasType(
    "FieldSchema",
    Annotated[
        StrictStr, Field(max_length=2048, min_length=1, pattern="^[^\\u0000-\\u001F\\u007F]*$")
    ],
)


class PluginManifestV1(ContractModel):
    field_schema: Annotated[FieldSchema | None | MISSING, Field(alias="$schema")] = MISSING
    """Where the schema of this file is, for editors; null or left out."""

    manifest_version: Literal[1]
    """Manifest format 1."""

    id: PluginId
    """Id of the plugin."""

    title: Annotated[
        StrictStr, Field(max_length=128, min_length=1, pattern="^[^\\u0000-\\u001F\\u007F]*$")
    ]
    """Name for people."""

    description: Annotated[
        StrictStr, Field(max_length=4096, min_length=1, pattern="^[^\\u0000-\\u001F\\u007F]*$")
    ]
    """What the plugin is for, on one line."""

    version: Version
    """Version of the plugin."""

    requires: Requirements
    capabilities: Annotated[list[DeclaredCapability], Field(max_length=64, min_length=1)]
    """What the plugin may offer, in order."""

    configuration: Configuration
    secret_references: Annotated[list[LocalId], Field(max_length=32, min_length=0)]
    """Names of secret slots."""

    data_schema_version: Annotated[StrictInt, Field(ge=1, le=255)]
    """Version of the plugin's own data."""

    authority: Authority
