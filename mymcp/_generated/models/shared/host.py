"""Generated from contracts/shared/host.json by nox -s codegen; do not edit."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import MISSING, Field, StrictBool, StrictInt, StrictStr
from typing_extensions import TypeAliasType

from mymcp.contract.model import ContractModel

DeclarationId = TypeAliasType(
    "DeclarationId",
    Annotated[
        StrictStr, Field(max_length=64, min_length=1, pattern="^[a-z][a-z0-9]*(-[a-z0-9]+)*$")
    ],
)


RouteName = TypeAliasType(
    "RouteName",
    Annotated[
        StrictStr, Field(max_length=64, min_length=1, pattern="^[a-z][a-z0-9]*([_-][a-z0-9]+)*$")
    ],
)


OperatorPath = TypeAliasType(
    "OperatorPath",
    Annotated[
        StrictStr,
        Field(
            pattern="^/(([^./\\\\~$%\\u0000][^/\\\\~$%\\u0000]*|\\.[^./\\\\~$%\\u0000][^/\\\\~$%\\u0000]*|\\.\\.[^/\\\\~$%\\u0000]+)?[/\\\\])*([^./\\\\~$%\\u0000][^/\\\\~$%\\u0000]*|\\.[^./\\\\~$%\\u0000][^/\\\\~$%\\u0000]*|\\.\\.[^/\\\\~$%\\u0000]+)?$"
        ),
    ],
)


ModuleName = TypeAliasType(
    "ModuleName",
    Annotated[
        StrictStr,
        Field(
            max_length=255,
            min_length=1,
            pattern="^[A-Za-z_][A-Za-z0-9_]*(\\.[A-Za-z_][A-Za-z0-9_]*)*$",
        ),
    ],
)


Issuer = TypeAliasType(
    "Issuer",
    Annotated[
        StrictStr,
        Field(
            max_length=2048,
            min_length=1,
            pattern="^https://[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?(\\.[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?)+(:[1-9][0-9]{0,4})?(/|(/([A-Za-z0-9_~!$&'()*+,;=:@-][A-Za-z0-9._~!$&'()*+,;=:@-]*|\\.[A-Za-z0-9_~!$&'()*+,;=:@-][A-Za-z0-9._~!$&'()*+,;=:@-]*|\\.\\.[A-Za-z0-9._~!$&'()*+,;=:@-]+))+)?$",
        ),
    ],
)


class Server(ContractModel):
    """Where the host listens."""

    address: Annotated[StrictStr | MISSING, Field(max_length=45, min_length=2)] = MISSING
    """Literal loopback address: 127.0.0.0/8 or ::1 in any of its forms. The host refuses every
    other text."""

    port: Annotated[StrictInt | MISSING, Field(ge=1, le=65535)] = MISSING
    """TCP port."""


class PluginDeclaration(ContractModel):
    """One plugin that the operator installed."""

    id: DeclarationId
    """Id that its manifest must have. No two are equal."""

    enabled: StrictBool
    """Load it. One that is off is not touched."""

    manifest_path: OperatorPath
    """Absolute path of its manifest."""

    module: ModuleName
    """Module with its entry point, as Python imports it."""


class AdapterRoute(ContractModel):
    """Which evidence the adapter judges. No two adapters have the same."""

    source: Literal["authorization"]
    """Where the evidence stands: the header Authorization."""

    scheme: RouteName
    """Authentication scheme, such as bearer."""

    profile: RouteName | MISSING = MISSING
    """Tells routes of one scheme apart."""


class Adapter(ContractModel):
    """One way to prove who is calling."""

    id: DeclarationId
    """Name of the adapter. No two are equal."""

    type: DeclarationId
    """Method, such as operator-bearer-v1 or oauth-jwt-jwks-v1."""

    enabled: StrictBool
    """Use it. One that is off touches no file and no network."""

    route: AdapterRoute


class OperatorBearer(ContractModel):
    """Source of operator-bearer-v1. Present exactly when an adapter of that type is declared,
    enabled or not."""

    verifier_path: OperatorPath
    """Absolute path of the file with the verifiers; it is no secret."""


class OauthJwt(ContractModel):
    """Source of oauth-jwt-jwks-v1. Present exactly when an adapter of that type is declared,
    enabled or not."""

    issuer: Issuer
    """Who issues the tokens."""


StrictProtocolVersion = TypeAliasType("StrictProtocolVersion", StrictBool)


LifetimeSeconds = TypeAliasType("LifetimeSeconds", Annotated[StrictInt, Field(ge=0, le=2592000)])
