"""The pool of threads: bounds, deadline, and what misbehaving calls do to it."""

import asyncio
import threading
from collections.abc import Callable
from typing import Any, NoReturn

import pytest

from mymcp.host.workers import Busy, Overdue, Workers

LONG = 10


def raising(error: BaseException) -> Callable[[], NoReturn]:
    def call() -> NoReturn:
        raise error

    return call


def test_a_call_returns_its_value_from_another_thread() -> None:
    thread = asyncio.run(Workers().run(threading.current_thread))
    assert thread is not threading.main_thread()
    assert thread.daemon


@pytest.mark.parametrize("error", [ValueError(), SystemExit(2), KeyboardInterrupt()])
def test_what_a_call_raises_reaches_its_caller(error: BaseException) -> None:
    async def ask() -> BaseException | None:
        workers = Workers(threads=1)
        caught: BaseException | None = None
        try:
            await workers.run(raising(error))
        except BaseException as raised:  # noqa: BLE001  any of them
            caught = raised
        assert await workers.run(lambda: 5) == 5
        return caught

    assert asyncio.run(ask()) is error


def test_a_call_that_raises_stop_iteration_does_not_hang() -> None:
    with pytest.raises(RuntimeError):
        asyncio.run(Workers().run(raising(StopIteration())))


class Gate:
    """A call that blocks until it is released, and counts how often it ran."""

    def __init__(self) -> None:
        self.release = threading.Event()
        self.started = threading.Event()
        self.runs = 0

    def __call__(self) -> int:
        self.runs += 1
        self.started.set()
        self.release.wait(LONG)
        return self.runs


async def until(event: threading.Event) -> None:
    while not event.is_set():
        await asyncio.sleep(0.005)


def test_calls_beyond_threads_and_queue_are_busy() -> None:
    async def ask() -> None:
        workers, gate = Workers(threads=1, queue=1), Gate()
        calls = [asyncio.create_task(workers.run(gate)) for _ in range(2)]
        await until(gate.started)
        with pytest.raises(Busy):
            await workers.run(gate)
        gate.release.set()
        assert await asyncio.gather(*calls) == [1, 2]
        assert await workers.run(lambda: "room again") == "room again"

    asyncio.run(ask())


def test_an_overdue_call_ends_alone_and_keeps_its_place_until_then() -> None:
    async def ask() -> None:
        workers, gate = Workers(threads=1, queue=0, deadline_seconds=0.05), Gate()
        with pytest.raises(Overdue):
            await workers.run(gate)
        with pytest.raises(Busy):
            await workers.run(gate)
        gate.release.set()
        await retried(workers)

    async def retried(workers: Workers) -> Any:
        while True:
            try:
                return await workers.run(lambda: None)
            except Busy:
                await asyncio.sleep(0.005)

    asyncio.run(ask())


def test_a_call_that_waited_too_long_never_starts() -> None:
    async def ask() -> tuple[int, int]:
        workers = Workers(threads=1, queue=1, deadline_seconds=0.05)
        blocking, waiting = Gate(), Gate()
        first = asyncio.create_task(workers.run(blocking))
        await until(blocking.started)
        with pytest.raises(Busy):
            await workers.run(waiting)
        with pytest.raises(Overdue):
            await first
        blocking.release.set()
        await asyncio.sleep(0.05)
        return blocking.runs, waiting.runs

    assert asyncio.run(ask()) == (1, 0)


def test_a_cancelled_call_that_waits_never_starts() -> None:
    async def ask() -> int:
        workers = Workers(threads=1, queue=2)
        blocking, waiting = Gate(), Gate()
        first = asyncio.create_task(workers.run(blocking))
        await until(blocking.started)
        second = asyncio.create_task(workers.run(waiting))
        await asyncio.sleep(0)
        second.cancel()
        with pytest.raises(asyncio.CancelledError):
            await second
        blocking.release.set()
        await first
        await workers.run(lambda: None)
        return waiting.runs

    assert asyncio.run(ask()) == 0


def test_a_loop_that_is_gone_does_not_disturb_a_late_call() -> None:
    async def ask(workers: Workers, gate: Gate) -> threading.Thread:
        thread = await workers.run(threading.current_thread)
        with pytest.raises(Overdue):
            await workers.run(gate)
        workers.stop()
        return thread

    gate = Gate()
    thread = asyncio.run(ask(Workers(deadline_seconds=0.05), gate))
    gate.release.set()
    thread.join(LONG)  # pytest fails a test whose threads raise
    assert not thread.is_alive()


def test_threads_end_when_the_pool_stops() -> None:
    async def ask() -> threading.Thread:
        workers = Workers()
        thread = await workers.run(threading.current_thread)
        workers.stop()
        return thread

    thread = asyncio.run(ask())
    thread.join(LONG)
    assert not thread.is_alive()
