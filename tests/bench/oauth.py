"""What it costs to believe a token: signature, claims and session, at every call."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.bench.figure import Figure, Unmeasurable, spread
from tests.bench.process import processor_seconds
from tests.bench.server import Running, serving
from tests.bench.wire import Connection, call, initialize, session_in

ROUNDS = 41
REQUESTS = 100
MICROSECONDS = 250.0


def oauth() -> Iterator[Figure]:
    """Alternate batches of `list_tools` by nobody in particular and by the bearer of a token."""
    plain = call("list_tools", {})
    anonymous, believed = [], []
    with (
        serving() as server,
        Connection(server.port) as connection,
        _believing() as (other, token),
        Connection(other.port) as proving,
    ):
        proof = {"Authorization": f"Bearer {token}"}
        session = session_in(proving.headers_of(initialize(proof)))
        proven = call("list_tools", {}, proof | {"Mcp-Session-Id": session})
        for _ in range(ROUNDS + 1):
            anonymous.append(_microseconds(server, connection, plain))
            believed.append(_microseconds(other, proving, proven))
    pairs = zip(anonymous[1:], believed[1:], strict=True)
    value, note = spread(after - before for before, after in pairs)
    yield Figure("token and session, processor time", value, "us", MICROSECONDS, note)


@contextmanager
def _believing() -> Iterator[tuple[Running, str]]:
    """Run a server that believes an issuer; yield it with a token."""
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
            found = json.loads(told)
            yield Running(process.pid, found["port"]), found["token"]
        finally:
            process.terminate()
            process.communicate(timeout=30)


def _microseconds(server: Running, connection: Connection, request: bytes) -> float:
    before = processor_seconds(server.pid)
    for _ in range(REQUESTS):
        connection.ask(request)
    return (processor_seconds(server.pid) - before) / REQUESTS * 1e6
