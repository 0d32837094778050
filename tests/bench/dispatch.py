"""What a tool call costs beside the cheapest route that the same application has."""

from collections.abc import Iterator

from tests.bench.figure import Figure, Unmeasurable, spread
from tests.bench.process import processor_seconds
from tests.bench.server import Running, serving
from tests.bench.wire import HEALTH, Connection, call

ROUNDS = 41
REQUESTS = 100
RATIO = 1.7


def dispatch() -> Iterator[Figure]:
    """Alternate batches of `GET /health` (constant bytes) and `list_tools`, logging on."""
    list_tools = call("list_tools", {})
    floor, tool = [], []
    with serving() as server, Connection(server.port) as connection:
        if b'"isError":true' in connection.ask(list_tools):
            raise Unmeasurable("list_tools failed")
        for _ in range(ROUNDS + 1):
            floor.append(_microseconds(server, connection, HEALTH))
            tool.append(_microseconds(server, connection, list_tools))
    value, note = spread(floor[1:])
    yield Figure("GET /health, processor time", value, "us", note=note)
    value, note = spread(tool[1:])
    yield Figure("list_tools through /mcp, processor time", value, "us", note=note)
    value, note = spread(b / a for a, b in zip(floor[1:], tool[1:], strict=True))
    yield Figure("list_tools beside /health", value, "x", RATIO, note)


def _microseconds(server: Running, connection: Connection, request: bytes) -> float:
    before = processor_seconds(server.pid)
    for _ in range(REQUESTS):
        connection.ask(request)
    return (processor_seconds(server.pid) - before) / REQUESTS * 1e6
