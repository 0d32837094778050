"""What a connection does beyond Uvicorn's, on a real server with raw bytes."""

import json
import logging
import re
import select
import socket
from collections.abc import Iterator

import pytest

from mymcp.app import create_app
from mymcp.host.runtime import assemble
from mymcp.transport import connection as connections
from mymcp.transport.connection import OVERHEAD_MAX_BYTES
from tests.transport.serving import TIMEOUT_SECONDS, Wire, read_reply, serving
from tests.transport.test_stream import wait_for_room
from tests.transport.tools import Gate

PING = b'{"jsonrpc":"2.0","id":1,"method":"ping"}'
HEALTH = b"GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n"
STREAM = b"GET /mcp HTTP/1.1\r\nHost: localhost\r\nMCP-Protocol-Version: 2025-11-25\r\n\r\n"
H2C = [
    ("Connection", "Upgrade, HTTP2-Settings"),
    ("Upgrade", "h2c"),
    ("HTTP2-Settings", "AAMAAABkAARAAAAAAAIAAAAA"),
]
WEB_SOCKET = [("Connection", "Upgrade"), ("Upgrade", "websocket"), ("Sec-WebSocket-Version", "13")]


def until_closed(connection: socket.socket) -> bytes:
    """Return everything that comes before the server hangs up."""
    received = b""
    try:
        while piece := connection.recv(65_536):
            received += piece
    except ConnectionError:  # closed while more was on its way to the server
        pass
    return received


def answer_to_endless(connection: socket.socket, begun: bytes, more: bytes) -> bytes:
    """Send `begun`, then `more` until the server answers or took twenty times its bound."""
    connection.sendall(begun)
    sent = 0
    while sent < 20 * OVERHEAD_MAX_BYTES and not select.select([connection], [], [], 0.001)[0]:
        connection.sendall(more)
        sent += len(more)
    return until_closed(connection)


def ping(wire: Wire, *more: tuple[str, str]) -> bytes:
    return wire.start(("Content-Length", str(len(PING))), *more) + PING


class TestUpgrades:
    @pytest.mark.parametrize("wish", [H2C, WEB_SOCKET, [*H2C, ("Connection", "close")]])
    def test_a_wish_to_upgrade_is_ignored_and_the_body_read(
        self, wire: Wire, wish: list[tuple[str, str]]
    ) -> None:
        with wire.connect() as connection:
            connection.sendall(ping(wire, *wish))
            assert read_reply(connection).status == 200

    @pytest.mark.parametrize("part", [1, 100, 10_000])
    def test_the_connection_lives_on_however_the_bytes_arrive(self, wire: Wire, part: int) -> None:
        sent = ping(wire, *H2C) + HEALTH + ping(wire, *H2C) + HEALTH
        with wire.connect() as connection:
            connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            for start in range(0, len(sent), part):
                connection.sendall(sent[start : start + part])
            received = b""
            while received.count(b'{"status":"ok"}') < 2 and (piece := connection.recv(4096)):
                received += piece
        assert re.findall(rb"HTTP/1.1 (\d+)", received) == [b"200"] * 4

    def test_nothing_is_logged(self, wire: Wire, caplog: pytest.LogCaptureFixture) -> None:
        with wire.connect() as connection:
            connection.sendall(ping(wire, *H2C))
            read_reply(connection)
        assert not [record for record in caplog.records if record.levelno > logging.INFO]

    def test_a_tunnel_is_refused(self, wire: Wire) -> None:
        with wire.connect() as connection:
            connection.sendall(b"CONNECT localhost:1 HTTP/1.1\r\nHost: localhost\r\n\r\n")
            assert until_closed(connection).startswith(b"HTTP/1.1 400 ")


class TestOverhead:
    @pytest.mark.parametrize(
        "endless",
        [
            (b"GET /", b"x" * 1_000),
            (b"GET / HTTP/1.1\r\nX: ", b"x" * 1_000),
            (b"GET / HTTP/1.1\r\n", b"X: y\r\n" * 200),
        ],
        ids=["target", "header", "headers"],
    )
    def test_a_head_without_end_is_431(self, wire: Wire, endless: tuple[bytes, bytes]) -> None:
        with wire.connect() as connection:
            assert answer_to_endless(connection, *endless).startswith(b"HTTP/1.1 431 ")

    @pytest.mark.parametrize(
        ("begun", "more"),
        [(b"0\r\n", b"X: y\r\n"), (b"0\r\nX: ", b"xxxxxx"), (b"1;", b"xxxxxx")],
        ids=["trailers", "trailer", "extension"],
    )
    def test_a_body_without_end_in_trailers_or_extensions_is_431(
        self, wire: Wire, begun: bytes, more: bytes
    ) -> None:
        start = wire.start(("Transfer-Encoding", "chunked")) + begun
        with wire.connect() as connection:
            answer = answer_to_endless(connection, start, more * 1_000)
            assert answer.startswith(b"HTTP/1.1 431 ")

    def test_many_small_chunks_are_no_overhead(self, wire: Wire) -> None:
        chunks = b"1\r\n \r\n" * OVERHEAD_MAX_BYTES
        last = b"%x\r\n%b\r\n0\r\n\r\n" % (len(PING), PING)
        with wire.connect() as connection:
            connection.sendall(wire.start(("Transfer-Encoding", "chunked")) + chunks + last)
            assert read_reply(connection).status == 200

    def test_a_connection_serves_more_than_the_bound_in_all(self, wire: Wire) -> None:
        with wire.connect() as connection:
            for _ in range(OVERHEAD_MAX_BYTES // 10_000 + 2):
                connection.sendall(HEALTH[:-2] + b"X: " + b"y" * 10_000 + b"\r\n\r\n")
                assert read_reply(connection).status == 200


class TestTrailers:
    def test_a_trailer_is_no_header(self, wire: Wire) -> None:
        lines = [f"{name}: {value}\r\n" for name, value in wire.with_header("MCP-Protocol-Version")]
        head = f"POST /mcp HTTP/1.1\r\n{''.join(lines)}Transfer-Encoding: chunked\r\n\r\n"
        chunk = b"%x\r\n%b\r\n" % (len(PING), PING)
        trailer = b"0\r\nMCP-Protocol-Version: 2025-11-25\r\nMCP-Session-Id: x\r\n\r\n"
        with wire.connect() as connection:
            connection.sendall(head.encode() + chunk + trailer)
            assert read_reply(connection).status == 400

    def test_a_request_with_trailers_is_served(self, wire: Wire) -> None:
        chunk = b"%x\r\n%b\r\n0\r\nOrigin: http://evil.example\r\n\r\n" % (len(PING), PING)
        with wire.connect() as connection:
            connection.sendall(wire.start(("Transfer-Encoding", "chunked")) + chunk)
            assert read_reply(connection).status == 200


class TestTargets:
    @pytest.mark.parametrize(
        ("target", "host", "status"),
        [
            ("http://localhost:80/health", "localhost", 200),
            ("http://localhost/health", "evil.example", 200),
            ("http://evil.example/health", "localhost", 403),
            ("HTTP://evil.example:80/health?x", "localhost", 403),
            ("http://localhost@evil.example/health", "localhost", 403),
            ("ftp://evil.example/health", "localhost", 403),
        ],
    )
    def test_the_host_of_the_target_counts(
        self, wire: Wire, target: str, host: str, status: int
    ) -> None:
        request = f"GET {target} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n"
        assert wire.raw(request.encode()).status == status


class TestHangingUp:
    @pytest.mark.parametrize("behind", [b"", PING, PING + b" " * 200_000])
    @pytest.mark.parametrize("at_once", [True, False])
    def test_a_stream_ends_with_its_client_whatever_was_sent_behind(
        self, wire: Wire, behind: bytes, *, at_once: bool
    ) -> None:
        wait_for_room(wire)
        request = wire.head(len(behind)) + behind
        for _ in range(8):
            with wire.connect() as connection:
                connection.sendall(STREAM + request if at_once else STREAM)
                assert b"200 OK" in connection.recv(4096)
                connection.sendall(request)
        wait_for_room(wire)

    @pytest.mark.parametrize(
        ("behind", "later"),
        [(HEALTH, b""), (b"", HEALTH), (HEALTH, HEALTH), (b"", b"garbage\r\n\r\n")],
    )
    def test_a_call_whose_client_left_something_behind_disturbs_nobody(
        self, wire: Wire, gate: Gate, behind: bytes, later: bytes
    ) -> None:
        call = json.dumps(
            {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "waiting"}}
        ).encode()
        with wire.connect() as connection:
            connection.sendall(wire.head(len(call)) + call + behind)
            gate.entered.wait(TIMEOUT_SECONDS)
            connection.sendall(later)
        gate.opened.set()
        assert wire.call("waiting").status == 200

    def test_garbage_does_not_break_into_an_answer(self, wire: Wire) -> None:
        wait_for_room(wire)
        with wire.open_stream() as stream:
            stream.sendall(b"garbage\r\n\r\n")
            stream.shutdown(socket.SHUT_WR)
            assert b"400" not in until_closed(stream)


class TestIdleConnections:
    @pytest.fixture
    def brief(self) -> Iterator[Wire]:
        """A server that keeps an idle connection for a second."""
        with serving(create_app(assemble([], generation="g")), timeout_keep_alive=1) as running:
            yield running

    @pytest.mark.parametrize(
        "begun", [b"", b"\r\n", b"GET /hea", HEALTH, HEALTH + b"GET /", HEALTH + HEALTH[:-2]]
    )
    def test_a_connection_without_a_whole_head_is_closed(self, brief: Wire, begun: bytes) -> None:
        with brief.connect() as connection:
            connection.sendall(begun)
            assert until_closed(connection).count(b"HTTP/1.1") == begun.count(HEALTH)


class TestCrowds:
    @pytest.fixture
    def room_for_two(self, monkeypatch: pytest.MonkeyPatch) -> Iterator[Wire]:
        monkeypatch.setattr(connections, "CONNECTIONS_LIMIT", 2)
        monkeypatch.setattr(connections, "TURNED_AWAY_LIMIT", 1)
        monkeypatch.setattr(connections, "TURNED_AWAY_SECONDS", 0.5)
        with serving(create_app(assemble([], generation="g"))) as wire:
            yield wire

    @staticmethod
    def known(wire: Wire) -> socket.socket:
        """Return a connection that the server has answered on."""
        opened = wire.connect()
        opened.sendall(HEALTH)
        assert read_reply(opened).status == 200
        return opened

    def test_one_too_many_is_told_so_and_others_are_served_on(
        self, room_for_two: Wire, caplog: pytest.LogCaptureFixture
    ) -> None:
        with self.known(room_for_two) as first, self.known(room_for_two) as second:
            refused = room_for_two.post({"jsonrpc": "2.0", "id": 1, "method": "ping"})
            assert (refused.status, refused.code) == (503, -32600)
            assert (refused.header("retry-after"), refused.header("connection")) == ("5", "close")
            assert b"nothing was done" in refused.body
            for one in (first, second):
                one.sendall(HEALTH)
                assert read_reply(one).status == 200
        assert "connection outcome=turned_away" in caplog.text

    def test_room_that_comes_before_the_request_is_given(self, room_for_two: Wire) -> None:
        known, wire = self.known, room_for_two
        with known(wire) as first, known(wire) as second, wire.connect() as third:
            rounds(second)
            first.close()
            rounds(second)
            third.sendall(HEALTH)
            assert read_reply(third).status == 200

    def test_one_too_many_that_says_nothing_is_closed_soon(self, room_for_two: Wire) -> None:
        known, wire = self.known, room_for_two
        with known(wire), known(wire), wire.connect() as third:
            assert until_closed(third) == b""

    def test_what_comes_beyond_those_is_cut_off(
        self, room_for_two: Wire, caplog: pytest.LogCaptureFixture
    ) -> None:
        known, wire = self.known, room_for_two
        with known(wire), known(wire), wire.connect(), wire.connect() as fourth:
            assert until_closed(fourth) == b""
        assert "connection outcome=cut_off open=4" in caplog.text


def rounds(known: socket.socket) -> None:
    """Have the server's event loop look at everything that has come; once may be too early."""
    for _ in range(3):
        known.sendall(HEALTH)
        assert read_reply(known).status == 200
