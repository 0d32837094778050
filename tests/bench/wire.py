"""A keep-alive HTTP connection that costs next to nothing, and the requests that travel on it."""

import json
import socket
from types import TracebackType

VERSION = "2025-11-25"
HEALTH = b"GET /health HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"
INITIALIZE: dict[str, object] = {
    "protocolVersion": VERSION,
    "capabilities": {},
    "clientInfo": {"name": "bench", "version": "1"},
}


def message(method: str, params: dict[str, object]) -> bytes:
    """Return the POST of one JSON-RPC request."""
    body = json.dumps({"jsonrpc": "2.0", "id": 1, "method": method, "params": params}).encode()
    head = (
        "POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"
        "Accept: application/json, text/event-stream\r\n"
        f"MCP-Protocol-Version: {VERSION}\r\nContent-Length: {len(body)}\r\n\r\n"
    )
    return head.encode() + body


def call(tool: str, arguments: dict[str, object]) -> bytes:
    """Return the POST of one tool call."""
    return message("tools/call", {"name": tool, "arguments": arguments})


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
        self._socket.sendall(request)
        received = self._more(b"")
        while b"\r\n\r\n" not in received:
            received = self._more(received)
        head, body = received.split(b"\r\n\r\n", 1)
        length = _length(head)
        while len(body) < length:
            body = self._more(body)
        return body

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
