"""Reading a request body, never more of it than allowed."""

import asyncio
from contextlib import suppress

from starlette.types import Receive

BODY_MAX_BYTES = 4 * 1024 * 1024
BODY_DEADLINE_SECONDS = 30.0


class BodyTooLarge(Exception):
    """The body is, or says it is, longer than `BODY_MAX_BYTES`."""


class BodyTooSlow(Exception):
    """The body did not arrive whole within `BODY_DEADLINE_SECONDS`."""


class ClientGone(Exception):
    """The client hung up before the body was whole; nobody waits for an answer."""


def check_declared_length(values: tuple[bytes, ...]) -> None:
    """Raise `BodyTooLarge` when a `Content-Length` is above the limit."""
    for value in values:
        with suppress(ValueError):  # the server has refused what is no number
            if int(value) > BODY_MAX_BYTES:
                raise BodyTooLarge


async def read_body(receive: Receive) -> bytes:
    """Return the whole body. Raises `BodyTooLarge`, `BodyTooSlow` or `ClientGone`.

    Nearly every body comes in one part, and a timer costs more than reading it; so only a body
    that has begun is timed. A request whose body never begins is an idle connection.
    """
    body, more = await _part(receive)
    if more:
        try:
            async with asyncio.timeout(BODY_DEADLINE_SECONDS):
                body = await _rest(body, receive)
        except TimeoutError:
            raise BodyTooSlow from None
    if len(body) > BODY_MAX_BYTES:
        raise BodyTooLarge
    return body


async def _rest(begun: bytes, receive: Receive) -> bytes:
    parts, length, more = [begun], len(begun), True
    while more:
        if length > BODY_MAX_BYTES:
            raise BodyTooLarge
        part, more = await _part(receive)
        parts.append(part)
        length += len(part)
    return b"".join(parts)


async def _part(receive: Receive) -> tuple[bytes, bool]:
    message = await receive()
    if message["type"] == "http.disconnect":
        raise ClientGone
    return message.get("body", b""), message.get("more_body", False)
