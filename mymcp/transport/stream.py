"""The event stream of GET: open, alive, and never in the way of a stop.

The server has nothing to say on it; clients of the handshake era open one after `initialize` and
some take its absence for a broken server.
"""

import asyncio
from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from typing import Final

from starlette.types import Receive, Send

from mymcp.transport.answers import GONE

STREAMS_LIMIT = 8
"""Most streams of one principal; all anonymous callers are one."""
STREAMS_TOTAL = 64
KEEP_ALIVE_SECONDS = 15.0

_KEEP_ALIVE: Final = b": keep-alive\n\n"
_HEADERS: Final = [
    (b"content-type", b"text/event-stream; charset=utf-8"),
    (b"cache-control", b"no-cache"),
    (b"x-accel-buffering", b"no"),
    # Nothing that is sent behind a request whose answer does not end would ever be answered.
    (b"connection", b"close"),
]


class Streams:
    """The open streams of one server.

    Args:
        limit: most streams of one owner that are open at a time.
        keep_alive_seconds: between two comments.
    """

    def __init__(
        self, limit: int = STREAMS_LIMIT, keep_alive_seconds: float = KEEP_ALIVE_SECONDS
    ) -> None:
        self._limit = limit
        self._keep_alive_seconds = keep_alive_seconds
        self._open: Counter[str] = Counter()
        self._ending = asyncio.Event()

    def is_full(self, owner: str) -> bool:
        """Tell whether `owner` may open no further stream."""
        return self._open[owner] >= self._limit or self._open.total() >= STREAMS_TOTAL

    def end(self) -> None:
        """End every stream, those too that are opened from now on."""
        self._ending.set()

    async def serve(self, owner: str, ended: asyncio.Event, receive: Receive, send: Send) -> None:
        """Keep one stream open until its client goes, the server stops or `ended` is set."""
        self._open[owner] += 1
        watch = [
            asyncio.create_task(_gone(receive)),
            asyncio.create_task(self._ending.wait()),
            asyncio.create_task(ended.wait()),
        ]
        try:
            with suppress(*GONE):
                await send({"type": "http.response.start", "status": 200, "headers": _HEADERS})
                await self._keep_alive(watch, send)
                await send({"type": "http.response.body", "body": b""})
        finally:
            self._open[owner] -= 1
            self._open += Counter()  # owners without a stream are forgotten
            for task in watch:
                task.cancel()

    async def _keep_alive(self, watch: Sequence[asyncio.Task[object]], send: Send) -> None:
        """Send comments until one of `watch` is done or the server cancels the request."""
        done: set[asyncio.Task[object]] = set()
        with suppress(asyncio.CancelledError):
            while not done:
                await send({"type": "http.response.body", "body": _KEEP_ALIVE, "more_body": True})
                done, _ = await asyncio.wait(
                    watch, timeout=self._keep_alive_seconds, return_when=asyncio.FIRST_COMPLETED
                )


async def _gone(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        continue
