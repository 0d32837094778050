"""A keep-alive HTTP connection that costs next to nothing, and the requests that travel on it."""

import json
import socket
from collections.abc import Mapping
from types import TracebackType

VERSION = "2025-11-25"
HEALTH = b"GET /health HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"
INITIALIZE: dict[str, object] = {
    "protocolVersion": VERSION,
    "capabilities": {},
    "clientInfo": {"name": "bench", "version": "1"},
}


def message(
    method: str, params: dict[str, object], headers: Mapping[str, str] | None = None
) -> bytes:
    """Return the POST of one JSON-RPC request, with further `headers`."""
    body = json.dumps({"jsonrpc": "2.0", "id": 1, "method": method, "params": params}).encode()
    head = (
        "POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"
        "Accept: application/json, text/event-stream\r\n"
        f"MCP-Protocol-Version: {VERSION}\r\nContent-Length: {len(body)}\r\n"
    )
    more = "".join(f"{name}: {value}\r\n" for name, value in (headers or {}).items())
    return f"{head}{more}\r\n".encode() + body


def call(
    tool: str, arguments: dict[str, object], headers: Mapping[str, str] | None = None
) -> bytes:
    """Return the POST of one tool call, with further `headers`."""
    return message("tools/call", {"name": tool, "arguments": arguments}, headers)


def initialize(headers: Mapping[str, str]) -> bytes:
    """Return the POST of an `initialize` with further `headers`."""
    return message("initialize", INITIALIZE, headers)


def session_in(head: bytes) -> str:
    """Return the session id in the head of an answer. Raises `ConnectionError` without one."""
    for line in head.split(b"\r\n"):
        name, _, value = line.partition(b":")
        if name.lower() == b"mcp-session-id":
            return value.strip().decode()
    raise ConnectionError("an answer without a session")


class Connection:
    """One connection to a server on the loopback address, used for one request after another."""

    def __init__(self, port: int) -> None:
        self._socket = socket.create_connection(("127.0.0.1", port), timeout=30)
        self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)

    def __enter__(self) -> "Connection":
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        at: TracebackType | None,
    ) -> None:
        self._socket.close()

    def ask(self, request: bytes) -> bytes:
        """Send `request` and return the body of its answer.

        Raises:
            ConnectionError: the answer is not a 200 with a length, or the server hung up.
        """
        return self._exchange(request)[1]

    def headers_of(self, request: bytes) -> bytes:
        """Send `request` and return the head of its answer. Raises what `ask` does."""
        return self._exchange(request)[0]

    def _exchange(self, request: bytes) -> tuple[bytes, bytes]:
        self._socket.sendall(request)
        received = self._more(b"")
        while b"\r\n\r\n" not in received:
            received = self._more(received)
        head, body = received.split(b"\r\n\r\n", 1)
        length = _length(head)
        while len(body) < length:
            body = self._more(body)
        return head, body

    def _more(self, received: bytes) -> bytes:
        piece = self._socket.recv(262_144)
        if not piece:
            raise ConnectionError("the server hung up")
        return received + piece


def _length(head: bytes) -> int:
    status, *lines = head.lower().split(b"\r\n")
    if status.split()[1] != b"200":
        raise ConnectionError(f"answered {status.decode()}")
    for line in lines:
        name, _, value = line.partition(b":")
        if name == b"content-length":
            return int(value)
    raise ConnectionError("an answer without a length")
