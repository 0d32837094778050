"""Documents that are refused: the code of each, and our own key at fault, if one is."""

from collections.abc import Iterator

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
    oauth,
    other_adapter,
    plugin,
    protocol,
    text,
)

Row = tuple[str, str, str, str | None]
SHAPE = "invalid_schema"
WHO = "authentication"
FIRST, SECOND = f"{WHO}.adapters#1", f"{WHO}.adapters#2"

NO_TABLES = ["true", '"secret"', "[1]", "2026-11-30"]
NO_TEXTS = ["1", "true", "[]", "{}"]
NO_SWITCHES = ["1", '"true"', "0.0", "[]", "2026-11-30"]
NO_ADDRESSES = [
    "localhost", "0.0.0.0", "10.0.0.1", "192.0.2.7", "::", "::2", "::1%lo", "127.1", "127.0.0.01",
    "::ffff:127.0.0.1", "[::1]", " 127.0.0.1", "127.0.0.1:80", "", "secret.invalid", "128.0.0.1",
    "127.0.0.256", "１２７.0.0.1", "7" * 60,
]  # fmt: skip
NO_PORTS = ["0", "-1", "65536", "80.0", "true", '"8000"', "[80]", "9" * 900, "nan"]
NO_IDS = [
    '""', '"Secret"', '"-a"', '"a-"', '"a--b"', '"a_b"', '"0a"', '"a b"', '"ä"', '"a\\n"',
    f'"{"x" * 65}"', *NO_TEXTS,
]  # fmt: skip
NO_PATHS = [
    '""', '"secret"', '"./a"', '"~/a"', '"/a/~"', '"/$HOME/a"', '"/a%20"', '"/a/../b"', '"/a/."',
    '"/."', '"/.."', "'/a\\..\\b'", "'\\a'", "'C:\\a'", '"/a\\u0000"', *NO_TEXTS,
]  # fmt: skip
NO_MODULES = [
    '""', '"secret-a"', '"a..b"', '".a"', '"a."', '"a b"', '"1a"', '"ä"', '"a.class"', '"None"',
    '"json"', '"os.path"', '"__main__"', f'"{"x" * 256}"', '"a\\n"', *NO_TEXTS,
]  # fmt: skip
NO_SCHEMES = ['""', '"Bearer"', '"a__b"', '"a-_b"', '"-a"', '"9a"', f'"{"x" * 65}"', *NO_TEXTS]
NO_ISSUERS = [
    "", "http://issuer.invalid", "HTTPS://issuer.invalid", " https://issuer.invalid",
    "https://user@issuer.invalid", "https://issuer.invalid?a", "https://issuer.invalid?",
    "https://issuer.invalid#a", "https://issuer.invalid#", "https://issuer.invalid/a%20b",
    "https://Issuer.invalid", "https://[::1]", "https://127.0.0.1", "https://1.2", "https://issuer",
    "https://localhost", "https://a.localhost", "https://issuer.invalid.",
    "https://issuer.invalid:", "https://issuer.invalid:0", "https://issuer.invalid:65536",
    "https://issuer.invalid:0443", "https://issuer.invalid/a/", "https://issuer.invalid//",
    "https://issuer.invalid/a//b", "https://issuer.invalid/./b", "https://issuer.invalid/a/..",
    "https://issuer.invalid/a b", "https://-a.invalid", "https://a-.invalid", "https://a..invalid",
    f"https://{'a' * 64}.invalid", f"https://issuer.invalid/{'a' * 5_000}", "https://ä.invalid",
    f"https://{'a' * 63}.{'b' * 63}.{'c' * 63}.{'d' * 62}", "issuer.invalid", "https:///a",
]  # fmt: skip
NO_SECONDS = ["-1", "2592001", "1.0", "true", '"60"', "9" * 900, "[]"]


def rows() -> Iterator[Row]:
    """Yield (what it shows, document, code, key)."""
    yield from _numbers()
    for version in VERSIONS:
        yield from _roots(version)
        yield from _servers(version)
        yield from _plugins(version)
    yield from _places()
    for version in WITH_AUTHENTICATION:
        yield from _authentication(version)
        yield from _adapters(version)
    yield from _texts_of_adapters()
    yield from _sources()
    yield from _protocol()
    yield from _orders()
    yield from _orders_of_authentication()


def _numbers() -> Iterator[Row]:
    key = "schema_version"
    yield "an empty file", "", SHAPE, key
    yield "a comment alone", "# nothing\n", SHAPE, key
    yield "no number", SERVER, SHAPE, key
    for value in ("true", "1.0", '"1"', "[1]", "{}", "2026-11-30", "inf"):
        yield f"number {value}", text(1, number=f"{key} = {value}\n"), SHAPE, key
    for value in ("0", "-1", "8", "99", "9" * 900, "0x10"):
        document = text(1, number=f"{key} = {value}\n")
        yield f"number {value[:9]}", document, "unsupported_schema_version", key


def _roots(version: int) -> Iterator[Row]:
    say = f"v{version}:"
    yield f"{say} an unknown key", text(version, "secret = 1\n"), SHAPE, None
    yield f"{say} an unknown table", text(version, "[secret]\nport = 1\n"), SHAPE, None
    for later, first in (("authentication", 3), ("mcp", 6)):
        if version < first:
            value = anonymous() if later == WHO else protocol(6)
            yield f"{say} {later} too early", text(version, value), SHAPE, later
        else:
            document = text(version, authentication="" if later == WHO else None, mcp="")
            yield f"{say} no {later}", document, SHAPE, later


def _servers(version: int) -> Iterator[Row]:
    say = f"v{version}:"
    for value in NO_TABLES:
        yield f"{say} server {value}", text(version, f"server = {value}\n"), SHAPE, "server"
    yield f"{say} many servers", text(version, "[[server]]\n"), SHAPE, "server"
    yield f"{say} server too much", text(version, "[server]\nsecret = 1\n"), SHAPE, "server"
    addresses = [f'"{address}"' for address in (NO_ADDRESSES if version in (1, 7) else ["::"])]
    for value in [*addresses, *NO_TEXTS]:
        document = text(version, f"[server]\naddress = {value}\n")
        yield f"{say} address {value}", document, SHAPE, "server.address"
    for value in NO_PORTS:
        document = text(version, f"[server]\nport = {value}\n")
        yield f"{say} port {value[:9]}", document, SHAPE, "server.port"


def _plugins(version: int) -> Iterator[Row]:
    say = f"v{version}:"
    for value in ("true", '"secret"', "{}", '{id = "a"}'):
        yield f"{say} plugins {value}", text(version, f"plugins = {value}\n"), SHAPE, "plugins"
    for value in ("1", '"secret"', "[]"):
        document = text(version, f"plugins = [{value}]\n")
        yield f"{say} plugin {value}", document, SHAPE, "plugins#1"
    for name in ["id", "enabled", *(["manifest_path", "module"] if version > 1 else [])]:
        document = text(version, plugin(version), plugin(version, **{name: ""}))
        yield f"{say} plugin without {name}", document, SHAPE, f"plugins#2.{name}"
    yield f"{say} plugin too much", text(version, plugin(version, secret="1")), SHAPE, "plugins#1"
    for value in NO_IDS if version == 1 else NO_IDS[:3]:
        document = text(version, plugin(version, id=value))
        yield f"{say} plugin id {value[:9]}", document, SHAPE, "plugins#1.id"
    for value in NO_SWITCHES:
        document = text(version, plugin(version, enabled=value))
        yield f"{say} plugin enabled {value}", document, SHAPE, "plugins#1.enabled"
    twice = text(version, plugin(version), plugin(version, enabled="false"))
    yield f"{say} a plugin twice", twice, "duplicate_plugin", "plugins#2.id"


def _places() -> Iterator[Row]:
    for name in ("manifest_path", "module"):
        document = text(1, plugin(1, **{name: '"/secret"'}))
        yield f"v1: plugin with {name}", document, SHAPE, f"plugins#1.{name}"
    for version in WITH_MODULES:
        for name, values in (("manifest_path", NO_PATHS), ("module", NO_MODULES)):
            for value in values if version == 2 else values[:2]:
                document = text(version, plugin(version, **{name: value}))
                yield f"v{version}: {name} {value[:12]}", document, SHAPE, f"plugins#1.{name}"
    many = "".join(plugin(2, id=f'"a{n}"') for n in range(100))
    again = text(2, many, plugin(2, id='"a7"'))
    yield "the hundred and first plugin", again, "duplicate_plugin", "plugins#101.id"
    crowd = "plugins = [" + "{}," * 5_000 + "]\n"
    yield "v2: a crowd of plugins", text(2, crowd), SHAPE, "plugins"


def _authentication(version: int) -> Iterator[Row]:
    say = f"v{version}:"
    for value in NO_TABLES:
        document = text(version, f"{WHO} = {value}\n", authentication="")
        yield f"{say} {WHO} {value}", document, SHAPE, WHO
    nothing = text(version, authentication=f"[{WHO}]\n")
    yield f"{say} nobody said", nothing, SHAPE, f"{WHO}.anonymous_enabled"
    for value in NO_SWITCHES:
        document = text(version, authentication=anonymous(value))
        yield f"{say} anonymous {value}", document, SHAPE, f"{WHO}.anonymous_enabled"
    document = text(version, authentication=f"{anonymous()}secret = 1\n")
    yield f"{say} {WHO} too much", document, SHAPE, WHO
    for source, first, part in (("operator_bearer", 4, VERIFIER), ("oauth_jwt", 5, ISSUER)):
        document = text(version, authentication=anonymous() + part)
        yield f"{say} {source} alone or too early", document, SHAPE, f"{WHO}.{source}"
        if version >= first:
            method = bearer() if first == 4 else oauth()
            document = text(version, authentication=anonymous() + method)
            yield f"{say} {source} missing", document, SHAPE, f"{WHO}.{source}"
            document = text(version, authentication=f"{anonymous()}{source} = 1\n{method}")
            yield f"{say} {source} no table", document, SHAPE, f"{WHO}.{source}"


def _adapters(version: int) -> Iterator[Row]:
    say = f"v{version}:"
    for value in ("true", '"secret"', "{}"):
        document = text(version, authentication=f"{anonymous()}adapters = {value}\n")
        yield f"{say} adapters {value}", document, SHAPE, f"{WHO}.adapters"
    for value in ("1", '"secret"', "[]"):
        document = text(version, authentication=f"{anonymous()}adapters = [{value}]\n")
        yield f"{say} adapter {value}", document, SHAPE, FIRST
    for name in ("id", "type", "enabled", "route"):
        parts = anonymous() + adapter() + other_adapter(**{name: ""})
        document = text(version, authentication=parts)
        yield f"{say} adapter without {name}", document, SHAPE, f"{SECOND}.{name}"
    document = text(version, authentication=anonymous() + adapter(secret="1"))
    yield f"{say} adapter too much", document, SHAPE, FIRST
    crowd = "".join(adapter(id=f'"a{n}"', route="1") for n in range(33))
    document = text(version, authentication=anonymous() + crowd)
    code, key = "authentication_adapter_limit_exceeded", f"{WHO}.adapters"
    yield f"{say} 33 adapters", document, code, key
    parts = anonymous() + adapter() + other_adapter(id='"local"')
    code = "duplicate_authentication_adapter_id"
    yield f"{say} an id twice", text(version, authentication=parts), code, f"{SECOND}.id"
    route = '{scheme = "bearer", source = "authorization"}'
    parts = anonymous() + adapter() + other_adapter(route=route)
    code = "duplicate_authentication_adapter_route"
    yield f"{say} a route twice", text(version, authentication=parts), code, f"{SECOND}.route"


def _texts_of_adapters() -> Iterator[Row]:
    for name, values in (("id", NO_IDS), ("type", NO_IDS), ("enabled", NO_SWITCHES)):
        for value in values:
            document = text(3, authentication=anonymous() + adapter(**{name: value}))
            yield f"adapter {name} {value[:9]}", document, SHAPE, f"{FIRST}.{name}"
    for value in ("1", '"bearer"', "[]"):
        document = text(3, authentication=anonymous() + adapter(route=value))
        yield f"route {value}", document, SHAPE, f"{FIRST}.route"
    good = {"source": '"authorization"', "scheme": '"bearer"', "profile": '"a_b"'}
    changes: list[tuple[str, str, str]] = [
        ("", "secret", "1"),
        *(("source", "source", value) for value in ('"Authorization"', '"cookie"', '""', "1", "")),
        *(("scheme", "scheme", value) for value in [*NO_SCHEMES, ""]),
        *(("profile", "profile", value) for value in NO_SCHEMES),
    ]
    for key, name, value in changes:
        members = (f"{one} = {said}" for one, said in (good | {name: value}).items() if said)
        route = f"{{{', '.join(members)}}}"
        place = f"{FIRST}.route.{key}".removesuffix(".")
        document = text(3, authentication=anonymous() + adapter(route=route))
        yield f"route with {name} {value[:9]}", document, SHAPE, place


def _sources() -> Iterator[Row]:
    for version in WITH_BEARER:
        for value in NO_PATHS if version == 4 else NO_PATHS[:2]:
            source = f"[{WHO}.operator_bearer]\nverifier_path = {value}\n"
            document = text(version, authentication=anonymous() + bearer() + source)
            key = f"{WHO}.operator_bearer.verifier_path"
            yield f"v{version}: verifier_path {value[:12]}", document, SHAPE, key
        for source, key in (
            (f"[{WHO}.operator_bearer]\n", f"{WHO}.operator_bearer.verifier_path"),
            (f"{VERIFIER}secret = 1\n", f"{WHO}.operator_bearer"),
        ):
            document = text(version, authentication=anonymous() + bearer() + source)
            yield f"v{version}: verifier, {key}", document, SHAPE, key
    for version in WITH_OAUTH:
        key = f"{WHO}.oauth_jwt.issuer"
        for issuer in NO_ISSUERS if version == 5 else NO_ISSUERS[:2]:
            source = f'[{WHO}.oauth_jwt]\nissuer = "{issuer}"\n'
            document = text(version, authentication=anonymous() + oauth() + source)
            yield f"v{version}: issuer {issuer[:40]}", document, SHAPE, key
        for source, place in ((f"[{WHO}.oauth_jwt]\n", key), (f"{ISSUER}secret = 1\n", key[:-7])):
            document = text(version, authentication=anonymous() + oauth() + source)
            yield f"v{version}: issuer, {place}", document, SHAPE, place
        both = text(version, authentication=anonymous() + bearer() + oauth() + VERIFIER + ISSUER)
        yield f"v{version}: both methods", both, SHAPE, f"{WHO}.adapters"


def _protocol() -> Iterator[Row]:
    limits = ("session_inactivity_timeout_seconds", "session_absolute_lifetime_seconds")
    for version in WITH_PROTOCOL:
        say = f"v{version}:"
        for value in NO_TABLES:
            document = text(version, f"mcp = {value}\n", mcp="")
            yield f"{say} mcp {value}", document, SHAPE, "mcp"
        yield f"{say} mcp too much", text(version, mcp=protocol(version, secret="1")), SHAPE, "mcp"
        key = "strict_protocol_version"
        for value in ("", *NO_SWITCHES):
            document = text(version, mcp=protocol(version, **{key: value}))
            yield f"{say} strict {value}", document, SHAPE, f"mcp.{key}"
    for name in limits:
        yield f"v6: {name}", text(6, mcp=protocol(6, **{name: "1"})), SHAPE, f"mcp.{name}"
        for value in ("", *NO_SECONDS):
            document = text(7, mcp=protocol(7, **{name: value}))
            yield f"v7: {name} {value[:9]}", document, SHAPE, f"mcp.{name}"


def _orders() -> Iterator[Row]:
    """Two mistakes at a time, the one that counts named first."""
    number, bad_server = "schema_version = 99\n", "[server]\nport = 0\n"
    yield "unknown key, number", text(1, "secret = 1\n", number=number), SHAPE, None
    unsupported = "unsupported_schema_version"
    yield "number, server", text(1, bad_server, number=number), unsupported, "schema_version"
    document = text(3, bad_server, authentication="")
    yield f"server, no {WHO}", document, SHAPE, "server.port"
    document = text(6, plugin(6, id="1"), authentication="", mcp="")
    yield f"no {WHO}, no mcp", document, SHAPE, WHO
    document = text(6, plugin(6, id="1"), authentication=anonymous("1"), mcp="")
    yield "no mcp, plugins", document, SHAPE, "mcp"
    document = text(2, plugin(2), plugin(2), plugin(2, id="1"))
    yield "a plugin twice, the next broken", document, "duplicate_plugin", "plugins#2.id"
    document = text(2, plugin(2), plugin(2, id="1"), plugin(2))
    yield "a plugin broken, the next twice", document, SHAPE, "plugins#2.id"
    document = text(2, plugin(2), plugin(2, module='"json"'))
    yield "a plugin twice and broken", document, SHAPE, "plugins#2.module"
    document = text(2, plugin(2, module="1", id="1", manifest_path="1"))
    yield "a plugin's places first", document, SHAPE, "plugins#1.manifest_path"
    document = text(2, plugin(2, secret="1", module="1"))
    yield "a plugin's shape before its places", document, SHAPE, "plugins#1"
    document = text(2, plugin(2) * 2, "[[plugins]]\n" * 5_000)
    yield "a plugin twice in a crowd", document, "duplicate_plugin", "plugins#2.id"
    document = text(3, plugin(3), plugin(3), authentication=anonymous("1"))
    yield f"plugins, {WHO}", document, "duplicate_plugin", "plugins#2.id"
    document = text(6, authentication=anonymous("1"), mcp="[mcp]\n")
    yield f"{WHO}, mcp", document, SHAPE, f"{WHO}.anonymous_enabled"
    document = text(7, mcp="[mcp]\nsecret = 1\n")
    yield "mcp too much, too little", document, SHAPE, "mcp"


def _orders_of_authentication() -> Iterator[Row]:
    document = text(3, authentication=f"[{WHO}]\nadapters = 1\n")
    yield "no anonymous, adapters", document, SHAPE, f"{WHO}.anonymous_enabled"
    crowd = "".join(adapter(id=f'"a{n}"') for n in range(33))
    document = text(3, authentication=anonymous("1") + crowd)
    code = "authentication_adapter_limit_exceeded"
    yield "the limit, anonymous", document, code, f"{WHO}.adapters"
    twice = adapter() + other_adapter(id='"local"')
    document = text(3, authentication=anonymous() + twice + other_adapter(type="1"))
    yield "an adapter broken, another twice", document, SHAPE, f"{WHO}.adapters#3.type"
    document = text(5, authentication=anonymous() + bearer() + oauth(id='"local"'))
    yield "both methods, an id twice", document, SHAPE, f"{WHO}.adapters"
    document = text(3, authentication=anonymous() + adapter() + adapter())
    code = "duplicate_authentication_adapter_id"
    yield "an id twice, a route twice", document, code, f"{SECOND}.id"
    document = text(3, authentication=anonymous() + adapter() + adapter(id='"b"') + adapter())
    code = "duplicate_authentication_adapter_route"
    yield "a route twice, the next id twice", document, code, f"{SECOND}.route"
    document = text(4, authentication=anonymous() + twice + VERIFIER)
    code = "duplicate_authentication_adapter_id"
    yield "an id twice, a verifier too much", document, code, f"{SECOND}.id"
    document = text(5, authentication=anonymous("1") + bearer() + VERIFIER + ISSUER)
    yield "an issuer too much, anonymous", document, SHAPE, f"{WHO}.oauth_jwt"
    document = text(5, authentication=anonymous() + bearer() + ISSUER)
    yield "no verifier, an issuer too much", document, SHAPE, f"{WHO}.operator_bearer"
    document = text(4, authentication=f"{anonymous()}operator_bearer = 1\n")
    yield "a verifier broken and too much", document, SHAPE, f"{WHO}.operator_bearer"
    source = f"[{WHO}.operator_bearer]\nverifier_path = 1\n"
    document = text(4, authentication=anonymous() + source)
    key = f"{WHO}.operator_bearer.verifier_path"
    yield "a verifier broken inside and too much", document, SHAPE, key
