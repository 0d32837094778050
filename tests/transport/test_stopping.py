"""Stopping real servers with streams, calls and half-sent bodies open."""

import json
import signal
import time
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from tests.transport.command import Command

PRODUCT = ("-m", "mymcp", "--port", "{port}")
FACTORY = (
    *("-m", "uvicorn", "--factory", "mymcp.app:create_production_app"),
    *("--port", "{port}"),
)
STUCK = ("-m", "tests.transport.stuck", "{port}")


@pytest.fixture(params=[PRODUCT, FACTORY], ids=["mymcp", "uvicorn"])
def command(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Command]:
    with Command(tmp_path, *request.param) as running:
        yield running


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_open_streams_do_not_delay_a_stop(command: Command, number: signal.Signals) -> None:
    with ExitStack() as streams:
        opened = [streams.enter_context(command.wire.open_stream()) for _ in range(3)]
        command.stop(number)
        ends = b"".join(stream.recv(4096) for stream in opened)
    assert ends.count(b"0\r\n\r\n") == 3  # each stream was ended, not cut
    assert "Traceback" not in command.log
    assert "Cancel" not in command.log


@pytest.mark.parametrize("begun", [b"", b"{"])
def test_a_body_that_is_not_whole_does_not_delay_a_stop(command: Command, begun: bytes) -> None:
    with command.wire.connect() as connection:
        connection.sendall(command.wire.head(9) + begun)
        command.wire.ask("GET", "/health")
        command.stop()
        assert b" 503 " in connection.recv(4096)
    assert "Traceback" not in command.log
    assert "Cancel" not in command.log


def test_a_stuck_tool_does_not_hold_the_process_up(tmp_path: Path) -> None:
    body = json.dumps(
        {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "stuck"}}
    ).encode()
    with Command(tmp_path, *STUCK) as command, command.wire.connect() as connection:
        connection.sendall(command.wire.head(len(body)) + body)
        while "stuck begins" not in command.log:
            time.sleep(0.02)
        command.stop()
        assert b" 503 " in connection.recv(4096)
        assert "Traceback" not in command.log
