"""Sending to a client that is gone, as servers report it."""

import asyncio

import pytest
from starlette.types import Message

from mymcp.transport.answers import empty_answer
from mymcp.transport.stream import Streams

GONE = [
    OSError("Broken pipe"),  # ASGI
    RuntimeError("unable to perform operation on <TCPTransport closed=True>"),  # uvloop
]


@pytest.mark.parametrize("error", GONE)
def test_an_answer_to_nobody_is_dropped(error: Exception) -> None:
    async def send(_message: Message) -> None:
        raise error

    asyncio.run(empty_answer(202).send(send))


@pytest.mark.parametrize("error", GONE)
def test_a_stream_to_nobody_ends_and_leaves_room(error: Exception) -> None:
    sent: list[Message] = []

    async def receive() -> Message:
        await asyncio.Event().wait()
        raise AssertionError

    async def send(message: Message) -> None:
        sent.append(message)
        if len(sent) > 2:
            raise error

    async def serve() -> bool:
        streams = Streams(limit=1, keep_alive_seconds=0.01)
        await streams.serve("anybody", asyncio.Event(), receive, send)
        return streams.is_full("anybody")

    assert not asyncio.run(serve())
    assert len(sent) == 3
