"""Reading request bodies: never more of one than allowed, nor of all of them, nor for too long."""

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager, suppress

from starlette.types import Receive

BODY_MAX_BYTES = 4 * 1024 * 1024
BODY_DEADLINE_SECONDS = 30.0
BODIES_MAX_BYTES = 4 * BODY_MAX_BYTES
"""Most bytes of long bodies in memory at a time, those of waiting calls too."""


class BodyTooLarge(Exception):
    """The body is, or says it is, longer than `BODY_MAX_BYTES`."""


class BodyTooSlow(Exception):
    """The body did not arrive whole in time."""


class BodiesFull(Exception):
    """Other long bodies take all the room that there is; nothing was done."""


class ClientGone(Exception):
    """The client hung up before the body was whole; nobody waits for an answer."""


def check_declared_length(values: tuple[bytes, ...]) -> None:
    """Raise `BodyTooLarge` when a `Content-Length` is above the limit."""
    for value in values:
        with suppress(ValueError):  # the server has refused what is no number
            if int(value) > BODY_MAX_BYTES:
                raise BodyTooLarge


class Bodies:
    """The bodies of one server. Used from one event loop.

    Args:
        limit: most bytes held at a time, in bodies that came in parts or are held on purpose.
        deadline_seconds: how long a body may take, from the end of the head.
    """

    def __init__(
        self, limit: int = BODIES_MAX_BYTES, deadline_seconds: float = BODY_DEADLINE_SECONDS
    ) -> None:
        self._limit = limit
        self._deadline_seconds = deadline_seconds
        self._held = 0
        # One timer for all: one for each would cost more than reading the body.
        self._since: dict[asyncio.Task[object] | None, float] = {}
        self._overdue: set[asyncio.Task[object] | None] = set()
        self._timer: asyncio.TimerHandle | None = None

    async def read(self, receive: Receive) -> bytes:
        """Return the whole body.

        Raises `BodyTooLarge`, `BodyTooSlow`, `BodiesFull`, `ClientGone`, and `CancelledError` when
        the server stops.
        """
        task = asyncio.current_task()
        self._watch(task)
        try:
            body, more = await _part(receive)
            if more:
                body = await self._rest(body, receive)
        except asyncio.CancelledError:
            if task in self._overdue:
                raise BodyTooSlow from None
            raise
        finally:
            del self._since[task]
            self._overdue.discard(task)
        if len(body) > BODY_MAX_BYTES:
            raise BodyTooLarge
        return body

    @contextmanager
    def holding(self, length: int) -> Iterator[None]:
        """Count a body of `length` bytes for as long as the block runs. Raises `BodiesFull`."""
        self._hold(length)
        try:
            yield
        finally:
            self._held -= length

    def end(self) -> None:
        """Give up every body that is not whole."""
        for task in filter(None, self._since):
            task.cancel()

    async def _rest(self, begun: bytes, receive: Receive) -> bytes:
        try:
            return await self._joined(begun, receive)
        except BodiesFull:
            await _pass_over(receive)
            raise

    async def _joined(self, begun: bytes, receive: Receive) -> bytes:
        parts, length, more = [begun], 0, True
        try:
            while more:
                self._hold(len(parts[-1]))
                length += len(parts[-1])
                if length > BODY_MAX_BYTES:
                    raise BodyTooLarge
                part, more = await _part(receive)
                parts.append(part)
            return b"".join(parts)
        finally:
            self._held -= length

    def _hold(self, length: int) -> None:
        if self._held + length > self._limit:
            raise BodiesFull
        self._held += length

    def _watch(self, task: asyncio.Task[object] | None) -> None:
        loop = asyncio.get_running_loop()
        self._since[task] = loop.time()
        if self._timer is None:
            self._timer = loop.call_later(self._deadline_seconds, self._give_up_overdue)

    def _give_up_overdue(self) -> None:
        loop = asyncio.get_running_loop()
        self._timer = None
        for task, since in self._since.items():  # the oldest first
            if task is None or task in self._overdue:
                continue
            due = since + self._deadline_seconds
            if due > loop.time():
                self._timer = loop.call_at(due, self._give_up_overdue)
                return
            self._overdue.add(task)
            task.cancel()


async def _pass_over(receive: Receive) -> None:
    """Read the rest of a body and drop it: who is cut off while sending does not see the answer."""
    length, more = 0, True
    while more and length <= BODY_MAX_BYTES:
        part, more = await _part(receive)
        length += len(part)


async def _part(receive: Receive) -> tuple[bytes, bool]:
    message = await receive()
    if message["type"] == "http.disconnect":
        raise ClientGone
    return message.get("body", b""), message.get("more_body", False)
