"""Stopping real servers with streams, calls and half-sent bodies open."""

import asyncio
import json
import signal
import time
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from mymcp.transport.stopping import called_at_stop
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
        answer = connection.recv(4096)
    assert b" 503 " in answer
    assert b"nothing was done" in answer
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
        answer = connection.recv(4096)
        assert b" 503 " in answer
        assert b"unknown" in answer
        assert "outcome=stopped" in command.log
        assert "Traceback" not in command.log


def test_the_handlers_of_a_server_stay_in_charge_and_come_back() -> None:
    heard: list[str] = []

    def handler(_number: int, _frame: object) -> None:
        heard.append("server")

    async def serve() -> None:
        with called_at_stop(lambda: heard.append("application")):
            signal.raise_signal(signal.SIGTERM)
            await asyncio.sleep(0)
        assert signal.getsignal(signal.SIGTERM) is handler

    before = signal.signal(signal.SIGTERM, handler)
    try:
        asyncio.run(serve())
    finally:
        signal.signal(signal.SIGTERM, before)
    assert sorted(heard) == ["application", "server"]


def test_a_signal_without_a_handler_still_ends_the_process() -> None:
    async def serve() -> None:
        with called_at_stop(lambda: None):
            assert signal.getsignal(signal.SIGTERM) is signal.SIG_DFL

    before = signal.signal(signal.SIGTERM, signal.SIG_DFL)
    try:
        asyncio.run(serve())
    finally:
        signal.signal(signal.SIGTERM, before)
