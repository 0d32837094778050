"""Reading bodies: in parts, too long, cut off, and slowly."""

import asyncio
from collections.abc import Iterable

import pytest

from mymcp.transport import body
from mymcp.transport.body import BodyTooLarge, BodyTooSlow, ClientGone, read_body


def arriving(messages: Iterable[dict[str, object]]):  # type: ignore[no-untyped-def]  # ASGI's own type is Any
    waiting = iter(messages)

    async def receive() -> dict[str, object]:
        try:
            return next(waiting)
        except StopIteration:
            await asyncio.Event().wait()
            raise

    return receive


def part(content: bytes, *, more: bool = True) -> dict[str, object]:
    return {"type": "http.request", "body": content, "more_body": more}


def test_parts_are_joined() -> None:
    receive = arriving([part(b"ab"), part(b""), part(b"cd", more=False)])
    assert asyncio.run(read_body(receive)) == b"abcd"


def test_a_body_of_exactly_the_limit_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(body, "BODY_MAX_BYTES", 4)
    assert asyncio.run(read_body(arriving([part(b"abcd", more=False)]))) == b"abcd"


@pytest.mark.parametrize("parts", [[b"abcde"], [b"abc", b"de"], [b"abcd", b"e", b"never read"]])
def test_reading_stops_once_the_limit_is_passed(
    monkeypatch: pytest.MonkeyPatch, parts: list[bytes]
) -> None:
    monkeypatch.setattr(body, "BODY_MAX_BYTES", 4)
    sent = [part(one, more=number < len(parts)) for number, one in enumerate(parts, start=1)]
    with pytest.raises(BodyTooLarge):
        asyncio.run(read_body(arriving(sent)))


def test_a_client_that_hangs_up_is_gone() -> None:
    with pytest.raises(ClientGone):
        asyncio.run(read_body(arriving([part(b"{"), {"type": "http.disconnect"}])))


def test_a_body_that_never_ends_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(body, "BODY_DEADLINE_SECONDS", 0.05)
    with pytest.raises(BodyTooSlow):
        asyncio.run(read_body(arriving([part(b"{")])))
