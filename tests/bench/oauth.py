"""What it costs to believe a token: signature, claims and session, at every call."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.bench.figure import Figure, Unmeasurable, spread
from tests.bench.process import processor_seconds
from tests.bench.wire import Connection, call, initialize, session_in

ROUNDS = 41
REQUESTS = 200
MICROSECONDS = 250.0


@dataclass(frozen=True, slots=True)
class Served:
    """The process of `tests.bench.issued`, its two ports, and a token for one of them."""

    pid: int
    anonymous: int
    believing: int
    token: str


def oauth() -> Iterator[Figure]:
    """Alternate batches of `list_tools` by nobody in particular and by the bearer of a token."""
    added = []
    with (
        _served() as served,
        Connection(served.anonymous) as connection,
        Connection(served.believing) as proving,
    ):
        proof = {"Authorization": f"Bearer {served.token}"}
        session = session_in(proving.headers_of(initialize(proof)))
        plain = call("list_tools", {})
        proven = call("list_tools", {}, proof | {"Mcp-Session-Id": session})
        for _ in range(ROUNDS + 1):
            before = _microseconds(served.pid, connection, plain)
            added.append(_microseconds(served.pid, proving, proven) - before)
    value, note = spread(added[1:])
    yield Figure("token and session, processor time", value, "us", MICROSECONDS, note)


@contextmanager
def _served() -> Iterator[Served]:
    with TemporaryDirectory(prefix="mymcp-bench-") as home, Path(home, "log").open("wb") as log:
        process = subprocess.Popen(
            [sys.executable, "-m", "tests.bench.issued"],
            env={**os.environ, "HOME": home, "MNEMOSYNE_MEMORY_ROOT": f"{home}/memory"},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=log,
        )
        try:
            told = process.stdout.readline() if process.stdout else b""
            if not told:
                raise Unmeasurable(f"no server:\n{Path(home, 'log').read_text(encoding='utf-8')}")
            yield Served(process.pid, **json.loads(told))
        finally:
            process.terminate()
            process.communicate(timeout=30)


def _microseconds(pid: int, connection: Connection, request: bytes) -> float:
    before = processor_seconds(pid)
    for _ in range(REQUESTS):
        connection.ask(request)
    return (processor_seconds(pid) - before) / REQUESTS * 1e6
