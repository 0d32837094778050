"""The GET stream on a real server."""

import contextlib
import socket
import time

import pytest

from tests.transport.serving import Wire

HEADERS = {"Host": "localhost", "MCP-Protocol-Version": "2025-11-25"}
LIMIT = 8


def get(wire: Wire, **changes: str | None):  # type: ignore[no-untyped-def]  # a Reply
    headers = HEADERS | {name.replace("_", "-"): value for name, value in changes.items()}
    return wire.ask("GET", "/mcp", [(name, value) for name, value in headers.items() if value])


def wait_for_room(wire: Wire) -> None:
    """Wait until the server noticed that earlier streams are closed."""
    for _ in range(200):
        with contextlib.suppress(ConnectionRefusedError):
            wire.open_stream().close()
            return
        time.sleep(0.02)
    raise AssertionError("closed streams still count")


@pytest.mark.parametrize("path", ["/mcp", "/mcp/"])
@pytest.mark.parametrize("accept", [None, "*/*", "text/event-stream", "application/json, text/*"])
def test_a_stream_opens_and_says_that_it_lives(wire: Wire, path: str, accept: str | None) -> None:
    wait_for_room(wire)
    lines = [f"GET {path} HTTP/1.1", "Host: localhost", "MCP-Protocol-Version: 2025-06-18 "]
    lines += [f"Accept: {accept}"] if accept else []
    with wire.connect() as connection:
        connection.sendall(("\r\n".join(lines) + "\r\n\r\n").encode())
        received = b""
        while b": keep-alive\n\n" not in received:
            received += connection.recv(4096)
    head = received.partition(b"\r\n\r\n")[0].lower()
    assert head.startswith(b"http/1.1 200")
    assert b"content-type: text/event-stream; charset=utf-8" in head
    assert b"cache-control: no-cache" in head


@pytest.mark.parametrize("accept", ["application/json", "text/html", "text/event-stream;q=0"])
def test_a_caller_that_takes_no_events_is_told(wire: Wire, accept: str) -> None:
    reply = get(wire, Accept=accept)
    assert (reply.status, reply.code) == (406, -32600)


@pytest.mark.parametrize("revision", ["2026-07-28", "2024-11-05", "x"])
def test_an_unknown_revision_has_no_stream(wire: Wire, revision: str) -> None:
    reply = get(wire, MCP_Protocol_Version=revision)
    assert (reply.status, reply.header("allow")) == (405, "POST")


def test_an_absent_revision_is_400(wire: Wire) -> None:
    reply = get(wire, MCP_Protocol_Version=None)
    assert (reply.status, reply.body) == (400, b"")


@pytest.mark.parametrize("revision", ["2025-11-25", "2026-07-28", None])
def test_a_session_is_unknown(wire: Wire, revision: str | None) -> None:
    reply = get(wire, MCP_Session_Id="x", MCP_Protocol_Version=revision)
    assert (reply.status, reply.body) == (404, b"")


def test_an_empty_header_is_400(wire: Wire) -> None:
    assert get(wire, MCP_Session_Id=" ").status == 400


def test_the_ninth_stream_is_turned_away_until_one_ends(wire: Wire) -> None:
    wait_for_room(wire)
    streams: list[socket.socket] = []
    try:
        while len(streams) < LIMIT:
            with contextlib.suppress(ConnectionRefusedError):
                streams.append(wire.open_stream())
        reply = get(wire)
        assert reply.status == 503
        assert int(reply.header("retry-after") or "0") > 0
        assert wire.post({"jsonrpc": "2.0", "id": 1, "method": "ping"}).status == 200
    finally:
        for stream in streams:
            stream.close()
    wait_for_room(wire)
