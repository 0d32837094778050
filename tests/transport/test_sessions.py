"""Sessions on a real server: statuses, streams, batches. MCP over HTTP, sections 3 to 7."""

import json
import time
from collections.abc import Iterator
from contextlib import closing
from socket import socket

import pytest

from mymcp.app import create_app
from mymcp.authentication.bearer.method import operator_bearer
from mymcp.authentication.bearer.verifiers import verifier_of
from mymcp.authentication.router import Router
from mymcp.host.runtime import assemble
from mymcp.mcp.sessions import SESSIONS_MAX, SESSIONS_OF_ONE_MAX, SessionLimits, is_session_id
from mymcp.transport.stream import STREAMS_LIMIT
from tests.authentication.bearer.known import CREDENTIAL, VERIFIER
from tests.authentication.bearer.test_method import ISSUED
from tests.transport.serving import Header, Reply, Wire, serving
from tests.transport.tools import tools

METHOD = operator_bearer(
    "local", [VERIFIER, *(verifier_of(one, f"s{n}") for n, one in enumerate(ISSUED))]
)
MINE, OTHER = CREDENTIAL.text, ISSUED[0].text
UNKNOWN = "u" * 43
NEWEST, BATCHING = "2025-11-25", "2025-03-26"


@pytest.fixture(scope="module")
def wire() -> Iterator[Wire]:
    runtime = assemble(tools(), generation="g")
    with serving(create_app(runtime, Router([METHOD], anonymous_enabled=True))) as running:
        yield running


def headers(
    wire: Wire, session: str | None, revision: str | None = NEWEST, proof: str | None = MINE
) -> list[Header]:
    found = wire.with_header("MCP-Protocol-Version", *([revision] if revision else []))
    found += [("Mcp-Session-Id", session)] if session is not None else []
    return [*found, ("Authorization", f"Bearer {proof}")] if proof else found


def message(method: str, params: object = None, **more: object) -> dict[str, object]:
    return {"jsonrpc": "2.0", "id": 1, "method": method, "params": params or {}} | more


def initialize(wire: Wire, offered: object = NEWEST, given: list[Header] | None = None) -> Reply:
    params = {"protocolVersion": offered, "capabilities": {}, "clientInfo": {"name": "t"}}
    return wire.post(message("initialize", params), given or headers(wire, None))


def opened(wire: Wire, offered: object = NEWEST, proof: str = MINE) -> str:
    reply = initialize(wire, offered, headers(wire, None, proof=proof))
    session = reply.header("mcp-session-id")
    assert reply.status == 200
    assert session is not None
    return session


def ping(wire: Wire, *context: str | None) -> int:
    return wire.post(message("ping"), headers(wire, *context)).status


@pytest.mark.parametrize(
    ("offered", "answered"),
    [
        (NEWEST, NEWEST),
        ("2025-06-18", "2025-06-18"),
        (BATCHING, BATCHING),
        ("2024-11-05", NEWEST),
        ("2099-01-01", NEWEST),
        (None, NEWEST),
        (7, NEWEST),
    ],
)
def test_initialize_opens_a_session_at_the_revision_that_it_answers(
    wire: Wire, offered: object, answered: str
) -> None:
    reply = initialize(wire, offered)
    session = reply.header("mcp-session-id")
    assert json.loads(reply.body)["result"]["protocolVersion"] == answered
    assert session is not None
    assert is_session_id(session)
    assert ping(wire, session, answered) == 200
    for other in {NEWEST, "2025-06-18", BATCHING} - {answered}:
        assert ping(wire, session, other) == 400


def test_initialize_works_whatever_headers_it_has_and_opens_another_each_time(wire: Wire) -> None:
    first = opened(wire)
    for stale in (first, UNKNOWN, "x"):
        for revision in (NEWEST, "1999-01-01", None):
            again = initialize(wire, NEWEST, headers(wire, stale, revision))
            assert again.status == 200
            assert again.header("mcp-session-id") not in {None, first, stale}
    assert ping(wire, first) == 200


def test_an_anonymous_caller_gets_no_session_and_has_none(wire: Wire) -> None:
    reply = initialize(wire, NEWEST, headers(wire, None, proof=None))
    assert (reply.status, reply.header("mcp-session-id")) == (200, None)
    assert ping(wire, None, NEWEST, None) == 200
    assert ping(wire, opened(wire), NEWEST, None) == 404


def test_an_initialize_that_fails_or_is_a_notification_opens_none(wire: Wire) -> None:
    wrong = message("initialize") | {"params": []}
    notification = {"jsonrpc": "2.0", "method": "initialize", "params": {}}
    for body, status in ((wrong, 200), (notification, 202)):
        reply = wire.post(body, headers(wire, None))
        assert (reply.status, reply.header("mcp-session-id")) == (status, None)


@pytest.mark.parametrize(
    ("session", "revision", "status"),
    [
        (None, NEWEST, 400),
        (None, None, 400),
        ("x", NEWEST, 400),
        ("", NEWEST, 400),
        ("x" * 42 + "\xe9", NEWEST, 400),
        (UNKNOWN, NEWEST, 404),
        (UNKNOWN, "1999-01-01", 400),
        (UNKNOWN, None, 400),
    ],
)
@pytest.mark.parametrize("method", ["POST", "GET", "DELETE"])
def test_a_context_that_is_none_is_an_empty_400_or_404(
    wire: Wire, session: str | None, revision: str | None, status: int, method: str
) -> None:
    body: object = message("ping") if method == "POST" else b""
    reply = wire.ask(method, "/mcp", headers(wire, session, revision), body)
    if (method, revision) == ("GET", "1999-01-01"):
        assert (reply.status, reply.header("allow")) == (405, "POST")
    else:
        assert (reply.status, reply.body) == (status, b"")


def test_an_unknown_session_beats_a_broken_body(wire: Wire) -> None:
    assert wire.post(b"{", headers(wire, UNKNOWN)).status == 404
    assert wire.post(b"{", headers(wire, opened(wire))).status == 400


def test_a_session_is_unknown_to_another_principal_and_survives_it(wire: Wire) -> None:
    mine = opened(wire)
    for method in ("DELETE", "GET"):
        assert wire.ask(method, "/mcp", headers(wire, mine, NEWEST, OTHER)).status == 404
    assert ping(wire, mine, NEWEST, OTHER) == 404
    assert ping(wire, mine) == 200


def test_another_credential_of_the_same_principal_goes_on_with_it() -> None:
    renewed = ISSUED[1]
    method = operator_bearer("local", [VERIFIER, verifier_of(renewed, VERIFIER.subject)])
    with serving(create_app(assemble(tools(), generation="g"), Router([method], False))) as wire:
        assert ping(wire, opened(wire), NEWEST, renewed.text) == 200


def test_delete_ends_a_session_once(wire: Wire) -> None:
    session, kept = opened(wire), opened(wire)
    gone = wire.ask("DELETE", "/mcp", headers(wire, session))
    assert (gone.status, gone.body) == (204, b"")
    assert wire.ask("DELETE", "/mcp", headers(wire, session)).status == 404
    assert (ping(wire, session), ping(wire, kept)) == (404, 200)
    anonymous = wire.ask("DELETE", "/mcp", headers(wire, None, NEWEST, None))
    assert (anonymous.status, anonymous.header("allow")) == (405, "GET, POST")


def test_the_header_may_be_left_out_where_the_operator_says_so() -> None:
    runtime = assemble(tools(), generation="g")
    app = create_app(runtime, Router([METHOD], True), strict_protocol_version=False)
    with serving(app) as wire:
        session = opened(wire)
        assert [ping(wire, session, None), ping(wire, session, "2025-06-18")] == [200, 400]
        assert ping(wire, None, None, None) == 400


def test_the_limits_of_the_operator_hold() -> None:
    app = create_app(
        assemble(tools(), generation="g"), Router([METHOD], True), limits=SessionLimits(0.05, 0)
    )
    with serving(app) as wire:
        session = opened(wire)
        time.sleep(0.1)
        assert ping(wire, session) == 404


def test_room_is_made_by_ones_own_and_a_full_server_says_when_to_come_again() -> None:
    runtime = assemble(tools(), generation="g")
    with serving(create_app(runtime, Router([METHOD], True))) as wire:
        first = opened(wire)
        for _ in range(SESSIONS_OF_ONE_MAX):
            opened(wire)
        assert ping(wire, first) == 404
        for number in range(SESSIONS_MAX - SESSIONS_OF_ONE_MAX):
            opened(wire, NEWEST, ISSUED[number % 8].text)
        full = initialize(wire, NEWEST, headers(wire, None, proof=ISSUED[8].text))
        assert (full.status, full.body, full.header("retry-after")) == (503, b"", "30")
        opened(wire)


def stream(wire: Wire, session: str, revision: str = NEWEST) -> socket:
    """Return a connection on which a stream of `session` has begun."""
    connection = wire.connect()
    lines = "".join(f"{name}: {value}\r\n" for name, value in headers(wire, session, revision))
    lines = lines.replace("Accept: application/json, ", "Accept: ")
    connection.sendall(f"GET /mcp HTTP/1.1\r\n{lines}\r\n".encode())
    received = b""
    while b"keep-alive\n\n" not in received:
        piece = connection.recv(4096)
        assert piece, received
        received += piece
    assert received.startswith(b"HTTP/1.1 200")
    return connection


def rest_of(connection: socket) -> bytes:
    received = b""
    while piece := connection.recv(4096):
        received += piece
    return received


def test_a_stream_ends_when_its_session_is_deleted(wire: Wire) -> None:
    session = opened(wire)
    with closing(stream(wire, session)) as connection:
        assert wire.ask("DELETE", "/mcp", headers(wire, session)).status == 204
        assert rest_of(connection).endswith(b"0\r\n\r\n")


def test_a_stream_keeps_its_session_and_ends_with_its_lifetime() -> None:
    app = create_app(
        assemble(tools(), generation="g"), Router([METHOD], True), limits=SessionLimits(0.05, 1)
    )
    with serving(app) as wire:
        session = opened(wire)
        with closing(stream(wire, session)) as connection:
            time.sleep(0.2)
            assert ping(wire, session) == 200
            assert rest_of(connection).endswith(b"0\r\n\r\n")
        assert ping(wire, session) == 404


def test_one_caller_cannot_take_all_streams(wire: Wire) -> None:
    session, other = opened(wire), opened(wire, NEWEST, OTHER)
    mine = [stream(wire, session) for _ in range(STREAMS_LIMIT)]
    try:
        full = wire.ask("GET", "/mcp", headers(wire, session))
        assert (full.status, full.header("retry-after")) == (503, "30")
        others = wire.connect()
        with closing(others):
            given = headers(wire, other, NEWEST, OTHER)
            lines = "".join(f"{name}: {value}\r\n" for name, value in given)
            others.sendall(f"GET /mcp HTTP/1.1\r\n{lines}\r\n".encode())
            assert others.recv(4096).startswith(b"HTTP/1.1 200")
    finally:
        for connection in mine:
            connection.close()


BATCH = [
    message("ping"),
    {"jsonrpc": "2.0", "method": "notifications/initialized"},
    message("initialize", id="i"),
    message("nonsense", id=2),
    {"jsonrpc": "2.0", "id": 9, "result": {}},
    7,
]


def test_a_session_of_2025_03_26_takes_batches(wire: Wire) -> None:
    session = opened(wire, BATCHING)
    reply = wire.post(BATCH, headers(wire, session, None))
    answers = json.loads(reply.body)
    assert reply.status == 200
    assert [(one["id"], one.get("error", {}).get("code")) for one in answers] == [
        (1, None),
        ("i", -32600),
        (2, -32601),
        (None, -32600),
    ]
    silent = wire.post([BATCH[1], BATCH[4]], headers(wire, session, BATCHING))
    assert (silent.status, silent.body) == (202, b"")
    for batch in ([], [message("ping")] * 65):
        refused = wire.post(batch, headers(wire, session, BATCHING))
        assert (refused.status, refused.code) == (400, -32600)


def test_nobody_else_takes_batches(wire: Wire) -> None:
    for revision in (NEWEST, "2025-06-18"):
        refused = wire.post(BATCH, headers(wire, opened(wire, revision), revision))
        assert (refused.status, refused.code) == (400, -32600)
    for given in (headers(wire, None, BATCHING, None), headers(wire, None, None)):
        refused = wire.post(BATCH, given)
        assert (refused.status, refused.code) == (400, -32600)


def test_no_session_id_is_logged(wire: Wire, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level("DEBUG")
    session = opened(wire)
    ping(wire, session)
    wire.ask("DELETE", "/mcp", headers(wire, session))
    assert session not in caplog.text
