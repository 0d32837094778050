"""Tool calls on one connection, and what each costs the server."""

import json
import time
from collections.abc import Iterator
from typing import Any

from tests.bench.figure import Unmeasurable
from tests.bench.process import processor_seconds
from tests.bench.records import SCOPE
from tests.bench.server import Running
from tests.bench.wire import Connection, call


class Meter:
    """Calls tools of `server` on `connection`."""

    def __init__(self, server: Running, connection: Connection) -> None:
        self._server = server
        self._connection = connection

    def recall(self, query: str) -> float:
        """Return what it costs to recall something from the whole scope.

        Raises:
            Unmeasurable: as `call`, and if nothing was found.
        """
        cost, recalled = self.call("memory_recall", {"scope": SCOPE, "query": query})
        if not recalled["memories"]:
            raise Unmeasurable("a recall found nothing")
        return cost

    def call(self, tool: str, arguments: dict[str, object]) -> tuple[float, Any]:
        """Return the processor time of the server in milliseconds, and the structured result.

        Raises:
            Unmeasurable: there was no answer, or an error.
        """
        request = call(tool, arguments)
        before = processor_seconds(self._server.pid)
        try:
            answer = self._connection.ask(request)
        except (ConnectionError, TimeoutError) as trouble:
            raise Unmeasurable(f"{tool} got no answer: {trouble}") from trouble
        milliseconds = (processor_seconds(self._server.pid) - before) * 1e3
        result = json.loads(answer).get("result", {"isError": True})
        if result.get("isError"):
            raise Unmeasurable(f"{tool} answered {answer[:300]!r}")
        return milliseconds, result["structuredContent"]


def rounds(count: int, seconds: float) -> Iterator[int]:
    """Count from 0 to `count`, at least one, but begin none when `seconds` are over."""
    end = time.monotonic() + seconds
    for number in range(count):
        if number and time.monotonic() > end:
            return
        yield number
