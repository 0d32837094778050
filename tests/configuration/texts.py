"""Host configurations as an operator writes them, one for each format, with parts to exchange."""

from pathlib import Path

from mymcp.configuration.settings import DeclaredAdapter, DeclaredPlugin, HostSettings, Route

VERSIONS = range(1, 8)
WITH_MODULES = range(2, 8)
WITH_AUTHENTICATION = range(3, 8)
WITH_BEARER = range(4, 8)
WITH_OAUTH = range(5, 8)
WITH_PROTOCOL = range(6, 8)

SERVER = '[server]\naddress = "127.0.0.9"\nport = 8123\n'
VERIFIER = '[authentication.operator_bearer]\nverifier_path = "/etc/mymcp/verifier.json"\n'
ISSUER = '[authentication.oauth_jwt]\nissuer = "https://issuer.invalid/tenant"\n'

PLUGIN = {"id": '"alpha"', "enabled": "false"}
PLACE = {"manifest_path": '"/opt/alpha/manifest.json"', "module": '"alpha_plugin"'}
ADAPTER = {
    "id": '"local"',
    "type": '"demo-v1"',
    "enabled": "false",
    "route": '{source = "authorization", scheme = "bearer"}',
}
OTHER_ADAPTER = ADAPTER | {
    "id": '"other"',
    "route": '{source = "authorization", scheme = "bearer", profile = "other"}',
}
PROTOCOL = {
    "strict_protocol_version": "false",
    "session_inactivity_timeout_seconds": "60",
    "session_absolute_lifetime_seconds": "0",
}


def table(name: str, members: dict[str, str]) -> str:
    """Return a table; a member whose text is empty is left out."""
    lines = (f"{key} = {value}\n" for key, value in members.items() if value)
    return f"{name}\n{''.join(lines)}"


def plugin(version: int, **changes: str) -> str:
    return table("[[plugins]]", PLUGIN | (PLACE if version > 1 else {}) | changes)


def adapter(**changes: str) -> str:
    return table("[[authentication.adapters]]", ADAPTER | changes)


def other_adapter(**changes: str) -> str:
    return table("[[authentication.adapters]]", OTHER_ADAPTER | changes)


def bearer(**changes: str) -> str:
    return adapter(**{"type": '"operator-bearer-v1"'} | changes)


def oauth(**changes: str) -> str:
    return other_adapter(**{"type": '"oauth-jwt-jwks-v1"'} | changes)


def anonymous(value: str = "true") -> str:
    return table("[authentication]", {"anonymous_enabled": value})


def protocol(version: int, **changes: str) -> str:
    names = list(PROTOCOL)[: 1 if version == 6 else 3]
    return table("[mcp]", {name: PROTOCOL[name] for name in names} | changes)


def text(
    version: int,
    *parts: str,
    number: str | None = None,
    authentication: str | None = None,
    mcp: str | None = None,
) -> str:
    """Return a document: what its format asks for, unless given otherwise, and `parts`."""
    head = f"schema_version = {version}\n" if number is None else number
    if authentication is None:
        authentication = anonymous() if version >= 3 else ""
    if mcp is None:
        mcp = protocol(version) if version >= 6 else ""
    return "".join((head, *parts, authentication, mcp))


def expected(version: int, **changes: object) -> HostSettings:
    """Return what a document without `parts` says."""
    session = {name: int(PROTOCOL[name]) for name in list(PROTOCOL)[1:]} if version == 7 else {}
    strict = {"strict_protocol_version": False} if version >= 6 else {}
    return HostSettings(schema_version=version, **(strict | session | changes))  # type: ignore[arg-type]


def declared_plugin(version: int, **changes: object) -> DeclaredPlugin:
    place = {"manifest_path": Path("/opt/alpha/manifest.json"), "module": "alpha_plugin"}
    return DeclaredPlugin(
        **({"id": "alpha", "enabled": False} | (place if version > 1 else {}) | changes)  # type: ignore[arg-type]
    )


def declared_adapter(**changes: object) -> DeclaredAdapter:
    route = Route("authorization", "bearer")
    return DeclaredAdapter(
        **({"id": "local", "type": "demo-v1", "enabled": False, "route": route} | changes)  # type: ignore[arg-type]
    )
