"""Documents that are read, and the settings that they say."""

from collections.abc import Iterator
from pathlib import Path

from mymcp.configuration.settings import HostSettings, Route
from tests.configuration.texts import (
    ISSUER,
    SERVER,
    VERIFIER,
    VERSIONS,
    WITH_AUTHENTICATION,
    WITH_BEARER,
    WITH_MODULES,
    WITH_OAUTH,
    WITH_PROTOCOL,
    adapter,
    anonymous,
    bearer,
    declared_adapter,
    declared_plugin,
    expected,
    oauth,
    other_adapter,
    plugin,
    protocol,
    text,
)

Row = tuple[str, str, HostSettings]

OTHER_ROUTE = Route("authorization", "bearer", "other")

ADDRESSES = [
    "127.0.0.1",
    "127.255.255.255",
    "127.0.0.0",
    "::1",
    "0:0:0:0:0:0:0:1",
    "0000:0000:0000:0000:0000:0000:0000:0001",
    "::0.0.0.1",
]
PATHS = ["/", "/a", "/a/", "//a//b", "/.a/..b/...", "/a b\\c", "/ä/日本", "/a\n", "/" + "a" * 5_000]
MODULES = ["a", "_a.B9", "alpha.json", "a." * 127 + "a"]
IDS = ["a", "a0-b1", "a-0", "x" * 64]
ISSUERS = [
    "https://issuer.invalid",
    "https://issuer.invalid/",
    "https://issuer.invalid:443",
    "https://issuer.invalid:8443/realms/one",
    "https://a.b-c.1x/a.b/..c/~!$&'()*+,;=:@-_",
    "https://1.2.3.x/.well-known",
    "https://issuer.invalid:65535/",
    f"https://{'a' * 63}.{'b' * 63}.{'c' * 63}.{'d' * 61}",
]


def rows() -> Iterator[Row]:
    """Yield (what it shows, document, settings)."""
    for version in VERSIONS:
        yield f"v{version}: the least", text(version), expected(version)
        server = {"address": "127.0.0.9", "port": 8123}
        yield f"v{version}: a server", text(version, SERVER), expected(version, **server)
        yield f"v{version}: an empty server", text(version, "[server]\n"), expected(version)
        port = expected(version, port=1)
        yield f"v{version}: a port alone", text(version, "[server]\nport = 1\n"), port
        none = text(version, "plugins = []\n")
        yield f"v{version}: no plugins", none, expected(version)
        one = expected(version, plugins=(declared_plugin(version),))
        yield f"v{version}: a plugin that is off", text(version, plugin(version)), one
        two = text(version, plugin(version), plugin(version, id='"beta"'))
        plugins = (declared_plugin(version), declared_plugin(version, id="beta"))
        yield f"v{version}: two plugins", two, expected(version, plugins=plugins)
    yield from _servers()
    yield from _plugins()
    yield from _authentication()
    yield from _sources()
    yield from _protocol()


def _servers() -> Iterator[Row]:
    for address in ADDRESSES:
        document = text(1, f'[server]\naddress = "{address}"\n')
        yield f"address {address}", document, expected(1, address=address)
    document = text(7, "[server]\nport = 0xffff\n")
    yield "port in another notation", document, expected(7, port=65_535)
    comments = "# all\r\n" + text(2).replace("\n", " # ä\r\n")
    yield "comments and other line ends", comments, expected(2)


def _plugins() -> Iterator[Row]:
    for version in WITH_MODULES:
        on = text(version, plugin(version, enabled="true"))
        plugins = (declared_plugin(version, enabled=True),)
        yield f"v{version}: a plugin that is on", on, expected(version, plugins=plugins)
    for path in PATHS:
        document = text(2, plugin(2, manifest_path=_quoted(path)))
        plugins = (declared_plugin(2, manifest_path=Path(path)),)
        yield f"path {path[:20]!r}", document, expected(2, plugins=plugins)
    for module in MODULES:
        document = text(3, plugin(3, module=f'"{module}"'))
        plugins = (declared_plugin(3, module=module),)
        yield f"module {module[:20]}", document, expected(3, plugins=plugins)
    for name in IDS:
        document = text(1, plugin(1, id=f'"{name}"'))
        yield f"id {name[:20]}", document, expected(1, plugins=(declared_plugin(1, id=name),))


def _authentication() -> Iterator[Row]:
    for version in WITH_AUTHENTICATION:
        closed = text(version, authentication=anonymous("false"))
        yield f"v{version}: nobody anonymous", closed, expected(version, anonymous_enabled=False)
        none = text(version, authentication=f"{anonymous()}adapters = []\n")
        yield f"v{version}: no adapters", none, expected(version)
        two = text(version, authentication=anonymous() + adapter() + other_adapter(enabled="true"))
        adapters = (
            declared_adapter(),
            declared_adapter(id="other", enabled=True, route=OTHER_ROUTE),
        )
        yield f"v{version}: two adapters", two, expected(version, adapters=adapters)
        many = text(version, authentication=anonymous() + _adapters(32))
        adapters = tuple(
            declared_adapter(id=f"a{n}", route=Route("authorization", f"s{n}")) for n in range(32)
        )
        yield f"v{version}: 32 adapters", many, expected(version, adapters=adapters)
    both = text(3, authentication=anonymous() + bearer() + oauth())
    adapters = (
        declared_adapter(type="operator-bearer-v1"),
        declared_adapter(id="other", type="oauth-jwt-jwks-v1", route=OTHER_ROUTE),
    )
    yield "v3: both methods are words", both, expected(3, adapters=adapters)
    lone = text(4, authentication=anonymous() + oauth())
    yield "v4: OAuth is a word", lone, expected(4, adapters=adapters[1:])


def _adapters(count: int) -> str:
    return "".join(
        adapter(id=f'"a{n}"', route=f'{{source = "authorization", scheme = "s{n}"}}')
        for n in range(count)
    )


def _sources() -> Iterator[Row]:
    for version in WITH_BEARER:
        adapters = (declared_adapter(type="operator-bearer-v1"),)
        settings = expected(
            version, adapters=adapters, verifier_path=Path("/etc/mymcp/verifier.json")
        )
        document = text(version, authentication=anonymous() + bearer() + VERIFIER)
        yield f"v{version}: a verifier", document, settings
    both = text(4, authentication=anonymous() + bearer() + oauth() + VERIFIER)
    adapters = (
        declared_adapter(type="operator-bearer-v1"),
        declared_adapter(id="other", type="oauth-jwt-jwks-v1", route=OTHER_ROUTE),
    )
    verifier = Path("/etc/mymcp/verifier.json")
    yield "v4: both methods", both, expected(4, adapters=adapters, verifier_path=verifier)
    for version in WITH_OAUTH:
        settings = expected(version, adapters=adapters[1:], issuer="https://issuer.invalid/tenant")
        document = text(version, authentication=anonymous() + oauth() + ISSUER)
        yield f"v{version}: an issuer", document, settings
    for issuer in ISSUERS:
        document = text(5, authentication=f"{anonymous()}{oauth()}{_issuer(issuer)}")
        yield f"issuer {issuer[:40]}", document, expected(5, adapters=adapters[1:], issuer=issuer)


def _issuer(issuer: str) -> str:
    return f"[authentication.oauth_jwt]\nissuer = {_quoted(issuer)}\n"


def _protocol() -> Iterator[Row]:
    for version in WITH_PROTOCOL:
        strict = text(version, mcp=protocol(version, strict_protocol_version="true"))
        yield f"v{version}: strict", strict, expected(version, strict_protocol_version=True)
    for name in ("session_inactivity_timeout_seconds", "session_absolute_lifetime_seconds"):
        for seconds in (0, 1, 2_592_000):
            document = text(7, mcp=protocol(7, **{name: str(seconds)}))
            yield f"{name} {seconds}", document, expected(7, **{name: seconds})


def _quoted(value: str) -> str:
    escaped = value.replace("\\", "\\\\").replace("\n", "\\n")
    return f'"{escaped}"'
