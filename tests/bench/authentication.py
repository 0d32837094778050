"""What proof and session add to a tool call: the same call, by nobody and by a known caller."""

from collections.abc import Iterator
from pathlib import Path
from secrets import token_bytes
from tempfile import TemporaryDirectory

from mymcp.authentication.bearer.issuing import add
from tests.authentication.configured import bearer_configuration
from tests.bench.figure import Figure, spread
from tests.bench.process import processor_seconds
from tests.bench.server import Running, serving
from tests.bench.wire import Connection, call, initialize, session_in

ROUNDS = 41
REQUESTS = 200
BOUND_MICROSECONDS = 60.0


def authentication() -> Iterator[Figure]:
    """Alternate batches of `list_tools` with and without a credential and its session."""
    with TemporaryDirectory(prefix="mymcp-bench-") as name:
        path = Path(name) / "verifiers.json"
        credentials = [add(path, f"caller-{n}", token_bytes) for n in range(32)]
        configuration = Path(name) / "config.toml"
        configuration.write_text(bearer_configuration(path, anonymous=True), encoding="utf-8")
        configuration.chmod(0o600)
        with (
            serving(options=("--config", str(configuration))) as server,
            Connection(server.port) as connection,
        ):
            proof = {"Authorization": f"Bearer {credentials[-1].text}"}
            session = session_in(connection.headers_of(initialize(proof)))
            anonymous = call("list_tools", {})
            known = call("list_tools", {}, proof | {"Mcp-Session-Id": session})
            yield _added("bearer and session, processor time", server, connection, anonymous, known)


def _added(
    name: str, server: Running, connection: Connection, without: bytes, with_proof: bytes
) -> Figure:
    added = []
    for _ in range(ROUNDS + 1):
        before = _microseconds(server, connection, without)
        added.append(_microseconds(server, connection, with_proof) - before)
    value, note = spread(added[1:])
    return Figure(name, value, "us", BOUND_MICROSECONDS, note)


def _microseconds(server: Running, connection: Connection, request: bytes) -> float:
    before = processor_seconds(server.pid)
    for _ in range(REQUESTS):
        connection.ask(request)
    return (processor_seconds(server.pid) - before) / REQUESTS * 1e6
