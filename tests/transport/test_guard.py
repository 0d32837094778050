import asyncio

import pytest
from starlette.types import Message, Receive, Scope, Send

from mymcp.transport.guard import HEAD_MAX_BYTES, LOOPBACK, LOOPBACK_HOSTS, AllowList, Guard
from tests.transport.serving import Wire

PING = {"jsonrpc": "2.0", "id": 1, "method": "ping"}
ROUTES = [
    ("POST", "/mcp"),
    ("GET", "/mcp"),
    ("DELETE", "/mcp/"),
    ("OPTIONS", "/mcp"),
    ("GET", "/health"),
    ("HEAD", "/version"),
    ("GET", "/no/such"),
]
LOOPBACK_NAMES = ["localhost", "LocalHost", "127.0.0.1", "[::1]"]
FOREIGN_HOSTS = [
    (),
    ("",),
    ("evil.example",),
    ("evil.example:8000",),
    ("localhost.evil.example",),
    ("localhost.",),
    ("127.0.0.1.nip.io",),
    ("127.0.0.2",),
    ("0.0.0.0",),
    ("10.0.0.1",),
    ("::1",),
    ("[::2]",),
    ("[::1",),
    ("localhost:",),
    ("localhost:port",),
    ("localhost:65536",),
    ("localhost:123456",),
    ("user@localhost",),
    ("localhost/",),
    ("localhost, evil.example",),
    ("localhost", "evil.example"),
    ("localhost", "localhost"),
]
FOREIGN_ORIGINS = [
    ("null",),
    ("",),
    ("https://evil.example",),
    ("http://localhost.evil.example",),
    ("http://evil.example#@localhost",),
    ("http://localhost@evil.example",),
    ("http://localhost/",),
    ("http://localhost:65536",),
    ("http://127.0.0.256",),
    ("http://127.0.0.1.2",),
    ("http://127.1",),
    ("http://128.0.0.1",),
    ("ftp://localhost",),
    ("file://",),
    ("localhost",),
    ("chrome-extension://abcdef",),
    ("http://localhost http://evil.example",),
    ("http://localhost", "http://localhost"),
    ("http://localhost", "https://evil.example"),
]


@pytest.mark.parametrize("name", LOOPBACK_NAMES)
@pytest.mark.parametrize("port", ["", ":80", ":8000", ":65535"])
def test_a_loopback_host_is_served_with_and_without_port(wire: Wire, name: str, port: str) -> None:
    assert wire.post(PING, wire.with_header("Host", name + port)).status == 200


@pytest.mark.parametrize("hosts", FOREIGN_HOSTS)
@pytest.mark.parametrize(("method", "path"), ROUTES)
def test_a_foreign_host_is_refused_on_every_route(
    wire: Wire, method: str, path: str, hosts: tuple[str, ...]
) -> None:
    reply = wire.ask(method, path, wire.with_header("Host", *hosts), PING)
    assert reply.status == 403
    assert method == "HEAD" or b"loopback" in reply.body


@pytest.mark.parametrize("name", [*LOOPBACK_NAMES, "127.0.0.9", "127.255.255.255"])
@pytest.mark.parametrize("scheme", ["http", "https", "HTTP"])
@pytest.mark.parametrize("port", ["", ":3000"])
def test_a_loopback_origin_is_served(wire: Wire, scheme: str, name: str, port: str) -> None:
    headers = [*wire.headers, ("Origin", f"{scheme}://{name}{port}")]
    assert wire.post(PING, headers).status == 200


@pytest.mark.parametrize("origins", FOREIGN_ORIGINS)
@pytest.mark.parametrize(("method", "path"), ROUTES)
def test_a_foreign_origin_is_refused_on_every_route(
    wire: Wire, method: str, path: str, origins: tuple[str, ...]
) -> None:
    headers = [*wire.headers, *(("Origin", origin) for origin in origins)]
    reply = wire.ask(method, path, headers, PING)
    assert reply.status == 403
    assert method == "HEAD" or b"Origin" in reply.body


class TestLongHeads:
    @pytest.mark.parametrize(
        "name", ["Host", "Origin", "Accept", "Content-Type", "X", "MCP-Session-Id"]
    )
    def test_long_headers_are_431(self, wire: Wire, name: str) -> None:
        headers = [*wire.headers, (name, "x" * HEAD_MAX_BYTES)]
        assert wire.post(PING, headers).status == 431

    def test_many_headers_are_431(self, wire: Wire) -> None:
        headers = [*wire.headers, *[("X", "y" * 9)] * (HEAD_MAX_BYTES // 10)]
        assert wire.post(PING, headers).status == 431

    @pytest.mark.parametrize("path", ["/mcp/", "/health?"])
    def test_a_long_target_is_431(self, wire: Wire, path: str) -> None:
        assert wire.ask("GET", path + "x" * HEAD_MAX_BYTES).status == 431

    def test_headers_of_half_the_bound_are_served(self, wire: Wire) -> None:
        headers = [*wire.headers, ("Cookie", "x" * (HEAD_MAX_BYTES // 2))]
        assert wire.post(PING, headers).status == 200


def test_a_refusal_is_a_json_rpc_error_without_id(wire: Wire) -> None:
    reply = wire.post(PING, wire.with_header("Host", "evil.example"))
    body = reply.json
    assert isinstance(body, dict)
    assert list(body) == ["jsonrpc", "error"]
    assert "evil" not in str(body)


def test_nothing_is_redirected_to_a_foreign_host(wire: Wire) -> None:
    reply = wire.ask("POST", "/mcp/", wire.with_header("Host", "evil.example"), PING)
    assert reply.header("location") is None


def test_a_configured_host_and_origin_are_exact() -> None:
    allow = AllowList(LOOPBACK_HOSTS | {b"mcp.example"}, frozenset({b"https://app.example:444"}))
    assert allow.permits_host((b"MCP.example:8443",))
    assert allow.permits_host((b"localhost",))
    assert not allow.permits_host((b"x.mcp.example",))
    assert allow.permits_origin((b"https://app.example:444",))
    assert not allow.permits_origin((b"https://app.example",))
    assert not allow.permits_origin((b"http://app.example:444",))
    assert not LOOPBACK.permits_host((b"mcp.example",))


def test_a_web_socket_is_closed_before_it_opens() -> None:
    async def unreachable(scope: Scope, receive: Receive, send: Send) -> None:
        raise AssertionError

    async def receive() -> Message:
        return {"type": "websocket.connect"}

    sent: list[Message] = []

    async def send(message: Message) -> None:
        sent.append(message)

    scope = {"type": "websocket", "headers": [(b"host", b"localhost")], "path": "/mcp"}
    asyncio.run(Guard(unreachable, LOOPBACK)(scope, receive, send))
    assert sent == [{"type": "websocket.close", "code": 1008}]
