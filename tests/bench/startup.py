"""What the server costs before the first tool is called."""

from collections.abc import Iterator

from tests.bench.figure import Figure, spread
from tests.bench.process import processor_seconds, resident_mebibytes
from tests.bench.server import serving

ROUNDS = 5
SECONDS = 0.6
MEBIBYTES = 75.0


def startup() -> Iterator[Figure]:
    """Start a server several times; look at it right after it answered `initialize`."""
    seconds, mebibytes = [], []
    for _ in range(ROUNDS):
        with serving() as server:
            seconds.append(processor_seconds(server.pid))
            mebibytes.append(resident_mebibytes(server.pid))
    value, note = spread(seconds)
    yield Figure("start to first initialize, processor time", value, "s", SECONDS, note)
    value, note = spread(mebibytes)
    yield Figure("memory after start", value, "MiB", MEBIBYTES, note)
