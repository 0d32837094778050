"""Whole HTTP answers, and how they are sent."""

from contextlib import suppress
from dataclasses import dataclass
from typing import Final

from starlette.types import Send

from mymcp.mcp.messages import refusal

Headers = tuple[tuple[bytes, bytes], ...]

GONE: Final = (OSError, RuntimeError)
"""What `send` may raise once the client hung up: the one by ASGI, the other by uvloop.

Our own server raises neither; this is for an application under a Uvicorn of somebody's own.
"""

_JSON = (b"content-type", b"application/json")


@dataclass(frozen=True, slots=True)
class Answer:
    """An answer that is known as a whole; `headers` are complete."""

    status: int
    headers: Headers
    body: bytes

    async def send(self, send: Send) -> None:
        """Send it, unless the client is gone."""
        start = {"status": self.status, "headers": list(self.headers)}
        with suppress(*GONE):
            await send({"type": "http.response.start", **start})
            await send({"type": "http.response.body", "body": self.body})


def json_answer(status: int, body: bytes, *more: tuple[bytes, bytes]) -> Answer:
    """Return an answer with a JSON body and the headers `more`."""
    return Answer(status, (_JSON, (b"content-length", b"%d" % len(body)), *more), body)


def empty_answer(status: int, *more: tuple[bytes, bytes]) -> Answer:
    """Return an answer without a body."""
    return Answer(status, ((b"content-length", b"0"), *more), b"")


def refused(status: int, message: str, *more: tuple[bytes, bytes]) -> Answer:
    """Return a JSON-RPC error without id; `message` says what the caller should do."""
    return json_answer(status, refusal(message), *more)


def method_not_allowed(allow: bytes) -> Answer:
    """Return the 405 of a path that takes the methods `allow`."""
    return json_answer(405, b'{"detail":"Method Not Allowed"}', (b"allow", allow))
