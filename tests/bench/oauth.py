"""What it costs to believe a token: signature and claims, at every call."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from http.client import HTTPConnection
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.bench.figure import Figure, Unmeasurable, spread
from tests.bench.process import processor_seconds
from tests.bench.server import Running, serving
from tests.bench.wire import INITIALIZE, VERSION, Connection, call

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
        _believing() as (other, shown),
        Connection(other.port) as proving,
    ):
        proven = plain.replace(b"\r\n", b"\r\n" + shown, 1)
        for _ in range(ROUNDS + 1):
            anonymous.append(_microseconds(server, connection, plain))
            believed.append(_microseconds(other, proving, proven))
    pairs = zip(anonymous[1:], believed[1:], strict=True)
    value, note = spread(after - before for before, after in pairs)
    yield Figure("OAuth on top of list_tools, processor time", value, "us", MICROSECONDS, note)


@contextmanager
def _believing() -> Iterator[tuple[Running, bytes]]:
    """Run a server for the bearer of a token; yield it with the headers that such a one sends."""
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
            yield Running(process.pid, found["port"]), _headers(found["port"], found["token"])
        finally:
            process.terminate()
            process.communicate(timeout=30)


def _headers(port: int, token: str) -> bytes:
    """Open with a handshake, and return the headers of whoever did, with the session if any."""
    evidence = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}
    opening = {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": INITIALIZE}
    connection = HTTPConnection("127.0.0.1", port, timeout=30)
    connection.request(
        "POST", "/mcp", json.dumps(opening), evidence | {"MCP-Protocol-Version": VERSION}
    )
    with connection.getresponse() as answer:
        session = answer.getheader("mcp-session-id")
        answer.read()
        if answer.status != 200:
            raise Unmeasurable(f"initialize answered {answer.status}")
    connection.close()
    lines = f"Authorization: Bearer {token}\r\n"
    return (lines if session is None else f"{lines}Mcp-Session-Id: {session}\r\n").encode()


def _microseconds(server: Running, connection: Connection, request: bytes) -> float:
    before = processor_seconds(server.pid)
    for _ in range(REQUESTS):
        connection.ask(request)
    return (processor_seconds(server.pid) - before) / REQUESTS * 1e6
