"""Threads for tools that may touch the disk: a bounded number, a bounded queue, a deadline.

Not `ThreadPoolExecutor`: its threads are joined when the interpreter exits, so one stuck handler
would keep a stopped server alive. These are daemons, and the hop costs less.
"""

import asyncio
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from queue import SimpleQueue
from threading import Lock, Thread
from typing import Generic, TypeVar

T = TypeVar("T")

WORKER_THREADS = 8
WORKER_QUEUE_CALLS = 64
WORKER_DEADLINE_SECONDS = 30.0


class Busy(Exception):
    """The call was not started: too many are waiting, or it waited too long."""


class Overdue(Exception):
    """The call was started and did not end in time; whether it took effect is unknown."""


class _Job(Generic[T]):
    """One call and the future that waits for it."""

    def __init__(self, call: Callable[[], T], loop: asyncio.AbstractEventLoop) -> None:
        self.future: asyncio.Future[T] = loop.create_future()
        self._call = call
        self._loop = loop
        self._claim = Lock()

    def claim(self) -> bool:
        """Return true to the first who asks: a thread that starts the call, or who gives it up."""
        return self._claim.acquire(blocking=False)

    def run(self, done: Callable[[], None]) -> None:
        """Make the call in this thread, unless it was given up; then have the loop call `done`."""
        if not self.claim():
            self._tell(done)
            return
        try:
            value = self._call()
        except BaseException as error:  # noqa: BLE001  a thread must outlive any handler
            self._tell(done, partial(self._fail, error))
        else:
            self._tell(done, partial(self._succeed, value))

    def expire(self) -> None:
        """Stop waiting; a call that no thread has started yet never starts."""
        self._fail(Busy() if self.claim() else Overdue())

    def _succeed(self, value: T) -> None:
        if not self.future.done():
            self.future.set_result(value)

    def _fail(self, error: BaseException) -> None:
        if self.future.done():
            return
        if isinstance(error, StopIteration):  # a future refuses it
            error = RuntimeError("StopIteration")
        self.future.set_exception(error)

    def _tell(self, *steps: Callable[[], None]) -> None:
        with suppress(RuntimeError):  # the loop is closed: the server has stopped, nobody waits
            self._loop.call_soon_threadsafe(_each, steps)


def _each(steps: tuple[Callable[[], None], ...]) -> None:
    for step in steps:
        step()


class Workers:
    """A pool of threads, started as they are needed. Used from one event loop.

    Args:
        threads: most calls that run at a time.
        queue: most calls that wait for a thread.
        deadline_seconds: how long a caller waits, queue included.
    """

    def __init__(
        self,
        threads: int = WORKER_THREADS,
        queue: int = WORKER_QUEUE_CALLS,
        deadline_seconds: float = WORKER_DEADLINE_SECONDS,
    ) -> None:
        self._threads_limit = threads
        self._calls_limit = threads + queue
        self._deadline_seconds = deadline_seconds
        self._jobs: SimpleQueue[_Job[object] | None] = SimpleQueue()
        self._threads = 0
        self._calls = 0

    async def run(self, call: Callable[[], T]) -> T:
        """Return what `call` returns, made in a thread.

        Raises what `call` raises, `Busy` or `Overdue`. A call that is overdue runs to its end in
        its thread; its outcome is dropped.
        """
        if self._calls >= self._calls_limit:
            raise Busy
        loop = asyncio.get_running_loop()
        job = _Job(call, loop)
        self._calls += 1
        self._start_thread_if_needed()
        self._jobs.put(job)  # type: ignore[arg-type]  # the queue does not care what a call returns
        timer = loop.call_later(self._deadline_seconds, job.expire)
        try:
            return await job.future
        finally:
            timer.cancel()
            job.claim()

    def stop(self) -> None:
        """Let idle threads end; busy ones end after their call, or with the process."""
        for _ in range(self._threads):
            self._jobs.put(None)
        self._threads = 0

    def _start_thread_if_needed(self) -> None:
        if self._threads < min(self._calls, self._threads_limit):
            self._threads += 1
            Thread(target=self._work, name=f"mymcp-worker-{self._threads}", daemon=True).start()

    def _work(self) -> None:
        while (job := self._jobs.get()) is not None:
            job.run(self._one_done)

    def _one_done(self) -> None:
        self._calls -= 1
