"""A real server on a loopback port, and a client that sends exactly the bytes it is given."""

import json
import socket
import time
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from threading import Thread
from typing import Any

import uvicorn
from starlette.types import ASGIApp

from mymcp.transport.server import configured

REVISION = "2025-11-25"
TIMEOUT_SECONDS = 20

Header = tuple[str, str]


@dataclass(frozen=True)
class Reply:
    """One HTTP answer as it came."""

    status: int
    headers: tuple[Header, ...]
    body: bytes

    def header(self, name: str) -> str | None:
        return next((value for found, value in self.headers if found == name), None)

    @property
    def json(self) -> object:
        return json.loads(self.body)

    @property
    def code(self) -> object:
        """The JSON-RPC error code."""
        return json.loads(self.body)["error"]["code"]


@dataclass(frozen=True)
class Wire:
    """The way to a server."""

    port: int
    address: str = "127.0.0.1"

    @property
    def headers(self) -> list[Header]:
        """What a well-behaved client sends with every POST after `initialize`."""
        return [
            ("Host", f"{self.address}:{self.port}"),
            ("Content-Type", "application/json"),
            ("Accept", "application/json, text/event-stream"),
            ("MCP-Protocol-Version", REVISION),
        ]

    def with_header(self, name: str, *values: str) -> list[Header]:
        """Return the usual headers with `name` replaced by `values`, or left out."""
        kept = [pair for pair in self.headers if pair[0].lower() != name.lower()]
        return kept + [(name, value) for value in values]

    def head(self, length: int) -> bytes:
        """Return the head of a POST to /mcp whose body is to have `length` bytes."""
        return self.start(("Content-Length", str(length)))

    def start(self, *more: Header) -> bytes:
        """Return the head of a POST to /mcp with the usual headers and `more`."""
        lines = "".join(f"{name}: {value}\r\n" for name, value in [*self.headers, *more])
        return f"POST /mcp HTTP/1.1\r\n{lines}\r\n".encode()

    def post(self, body: object, headers: Sequence[Header] | None = None) -> Reply:
        """POST `body` to /mcp: bytes as they are, anything else as JSON."""
        return self.ask("POST", "/mcp", headers, body)

    def call(self, tool: object, arguments: object = None) -> Reply:
        """Call a tool."""
        params = {"name": tool, "arguments": {} if arguments is None else arguments}
        return self.post({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params})

    def ask(
        self,
        method: str,
        path: str,
        headers: Sequence[Header] | None = None,
        body: object = b"",
    ) -> Reply:
        """Send one request and return its answer."""
        content = body if isinstance(body, bytes) else json.dumps(body).encode()
        lines = [f"{method} {path} HTTP/1.1", "Connection: close"]
        lines += [f"{name}: {value}" for name, value in headers or self.headers]
        if content or method == "POST":
            lines.append(f"Content-Length: {len(content)}")
        head = "\r\n".join(lines).encode("latin-1") + b"\r\n\r\n"
        return self.raw(head + content)

    def raw(self, request: bytes) -> Reply:
        """Send `request` as it is and return the answer."""
        with self.connect() as connection:
            connection.sendall(request)
            return read_reply(connection)

    def connect(self) -> socket.socket:
        return socket.create_connection((self.address, self.port), timeout=TIMEOUT_SECONDS)

    def open_stream(self) -> socket.socket:
        """Return a connection on which a GET stream has begun."""
        connection = self.connect()
        try:
            self._begin_stream(connection)
        except BaseException:
            connection.close()
            raise
        return connection

    @staticmethod
    def _begin_stream(connection: socket.socket) -> None:
        request = (
            f"GET /mcp HTTP/1.1\r\nHost: localhost\r\nMCP-Protocol-Version: {REVISION}\r\n\r\n"
        )
        connection.sendall(request.encode())
        received = b""
        while not (received.endswith(b"keep-alive\n\n\r\n") or b"\r\n\r\n{" in received):
            piece = connection.recv(4096)
            if not piece:
                raise ConnectionError(f"hung up after {received!r}")
            received += piece
        if b"200 OK" not in received:
            raise ConnectionRefusedError(received)


def read_reply(connection: socket.socket) -> Reply:
    """Read one answer with a length, or one that ends with the connection."""
    received = b""
    while b"\r\n\r\n" not in received:
        piece = connection.recv(65_536)
        if not piece:
            raise ConnectionError(f"hung up after {received!r}")
        received += piece
    head, _, body = received.partition(b"\r\n\r\n")
    status, *lines = head.decode("latin-1").split("\r\n")
    headers = tuple(
        (name.lower(), value.strip()) for name, _, value in (line.partition(":") for line in lines)
    )
    length = int(dict(headers).get("content-length", "0"))
    while len(body) < length:
        piece = connection.recv(65_536)
        if not piece:  # a HEAD, whose length is that of a body that does not come
            break
        body += piece
    return Reply(int(status.split()[1]), headers, body)


@contextmanager
def serving(app: ASGIApp, port: int = 0, **options: Any) -> Iterator[Wire]:
    """Run `app` in a thread until the block ends, at any port; `options` are Uvicorn's."""
    with closing(socket.create_server(("127.0.0.1", port))) as listener:
        server = uvicorn.Server(configured(app, log_config=None, **options))
        thread = Thread(target=server.run, args=([listener],))
        thread.start()
        try:
            while not server.started and thread.is_alive():
                time.sleep(0.01)
            yield Wire(listener.getsockname()[1])
        finally:
            server.should_exit = True
            thread.join()
