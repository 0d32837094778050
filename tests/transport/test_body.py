"""Reading bodies: in parts, too long, too many, cut off, and slowly."""

import asyncio
from collections.abc import Iterable

import pytest

from mymcp.transport import body
from mymcp.transport.body import Bodies, BodiesFull, BodyTooLarge, BodyTooSlow, ClientGone


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


def read(messages: Iterable[dict[str, object]], bodies: Bodies | None = None) -> bytes:
    return asyncio.run((bodies or Bodies()).read(arriving(messages)))


def test_parts_are_joined() -> None:
    assert read([part(b"ab"), part(b""), part(b"cd", more=False)]) == b"abcd"


def test_a_body_of_exactly_the_limit_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(body, "BODY_MAX_BYTES", 4)
    assert read([part(b"abcd", more=False)]) == b"abcd"


@pytest.mark.parametrize("parts", [[b"abcde"], [b"abc", b"de"], [b"abcd", b"e", b"never read"]])
def test_reading_stops_once_the_limit_is_passed(
    monkeypatch: pytest.MonkeyPatch, parts: list[bytes]
) -> None:
    monkeypatch.setattr(body, "BODY_MAX_BYTES", 4)
    with pytest.raises(BodyTooLarge):
        read([part(one, more=number < len(parts)) for number, one in enumerate(parts, start=1)])


def test_a_client_that_hangs_up_is_gone() -> None:
    with pytest.raises(ClientGone):
        read([part(b"{"), {"type": "http.disconnect"}])


@pytest.mark.parametrize("begun", [[], [part(b"{")]])
def test_a_body_that_never_ends_or_never_begins_is_given_up(
    begun: list[dict[str, object]],
) -> None:
    with pytest.raises(BodyTooSlow):
        read(begun, Bodies(deadline_seconds=0.05))


def test_each_body_has_its_own_deadline() -> None:
    async def read_two() -> list[object]:
        bodies = Bodies(deadline_seconds=0.05)

        async def later() -> bytes:
            await asyncio.sleep(0.03)
            return await bodies.read(arriving([]))

        async def in_time() -> bytes:
            return await bodies.read(arriving([part(b"x", more=False)]))

        reads = [bodies.read(arriving([])), later(), in_time()]
        return list(await asyncio.gather(*reads, return_exceptions=True))

    first, second, third = asyncio.run(read_two())
    assert isinstance(first, BodyTooSlow)
    assert isinstance(second, BodyTooSlow)
    assert third == b"x"


def test_a_body_that_is_given_up_at_a_stop_is_cancelled() -> None:
    async def stop() -> None:
        bodies = Bodies()
        reading = asyncio.create_task(bodies.read(arriving([])))
        await asyncio.sleep(0)
        bodies.end()
        with pytest.raises(asyncio.CancelledError):
            await reading

    asyncio.run(stop())


def test_bodies_that_arrive_share_the_room() -> None:
    async def read_three() -> list[object]:
        bodies = Bodies(limit=10, deadline_seconds=0.05)
        slow = [part(b"abcd"), part(b"ef")]
        end = part(b"gh", more=False)
        reads = [bodies.read(arriving(slow)), bodies.read(arriving([*slow, end]))]
        done = list(await asyncio.gather(*reads, return_exceptions=True))
        return [*done, await bodies.read(arriving([*slow, end]))]

    first, second, third = asyncio.run(read_three())
    assert isinstance(first, BodyTooSlow)
    assert isinstance(second, BodiesFull)
    assert third == b"abcdefgh"


def test_a_body_without_room_is_passed_over_so_that_its_sender_sees_the_answer(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(body, "BODY_MAX_BYTES", 20)

    async def left_of(parts: list[dict[str, object]]) -> int:
        sent = iter(parts)

        async def receive() -> dict[str, object]:
            return next(sent)

        bodies = Bodies(limit=4)
        with bodies.holding(4), pytest.raises(BodiesFull):
            await bodies.read(receive)
        return len(list(sent))

    whole = [*[part(b"abcd")] * 3, part(b"", more=False), part(b"of another")]
    endless = [part(b"abcd")] * 10
    assert asyncio.run(left_of(whole)) == 1
    assert asyncio.run(left_of(endless)) == 3  # one, and twenty bytes more that are one too many


def test_a_body_that_is_passed_over_takes_no_room() -> None:
    async def read_two() -> bytes:
        bodies = Bodies(limit=4)
        passed_over = bodies.read(arriving([part(b"abc"), part(b"de"), part(b"f")]))
        waiting = asyncio.create_task(passed_over)
        await asyncio.sleep(0.01)
        whole = await bodies.read(arriving([part(b"abcd"), part(b"", more=False)]))
        waiting.cancel()
        return whole

    assert asyncio.run(read_two()) == b"abcd"


def test_held_bodies_take_room_until_they_are_let_go() -> None:
    async def hold() -> bytes:
        bodies = Bodies(limit=4)
        parts = [part(b"a"), part(b"b", more=False)]
        with bodies.holding(4):
            with pytest.raises(BodiesFull):
                await bodies.read(arriving(parts))
            with pytest.raises(BodiesFull), bodies.holding(1):
                raise AssertionError
        return await bodies.read(arriving(parts))

    assert asyncio.run(hold()) == b"ab"
