"""Answers to requests, without any transport."""

import asyncio
import json
import threading
from collections.abc import Mapping

import pytest

from mymcp.authentication.principal import anonymous
from mymcp.contract.tool import BoundTool, ToolOutcome
from mymcp.host.pools import Pools
from mymcp.host.runtime import assemble
from mymcp.host.workers import Busy, Workers
from mymcp.mcp.contexts import CallContext
from mymcp.mcp.dispatch import INLINE_MAX_BYTES, Dispatcher
from mymcp.mcp.messages import Request
from tests.host.tools import echo, tool

NOBODY = CallContext(anonymous())


def dispatcher(*tools: BoundTool, pools: Pools | None = None) -> Dispatcher:
    return Dispatcher(assemble(tools, generation="g"), pools or Pools(), lambda: 0.0)


def call(name: str, **arguments: object) -> Request:
    return Request(1, "tools/call", {"name": name, "arguments": arguments})


async def error_of(dispatched: Dispatcher, request: Request) -> object:
    return json.loads(await dispatched.answer(request, 100, NOBODY))["error"]


@pytest.mark.parametrize("inline", [True, False])
def test_a_tool_gets_its_arguments_decoded(*, inline: bool) -> None:
    schema = {"type": "object", "properties": {"n": {"type": "integer"}}}
    echoing = dispatcher(tool("echo", echo, inline=inline, schema=schema))
    body = json.loads(asyncio.run(echoing.answer(call("echo", n="5", s="6"), 100, NOBODY)))
    assert body["result"]["structuredContent"] == {"got": {"n": 5, "s": "6"}}


@pytest.mark.parametrize("inline", [True, False])
def test_only_a_short_call_of_a_tool_that_touches_no_disk_runs_on_the_loop(*, inline: bool) -> None:
    threads: list[threading.Thread] = []

    def remember_thread(_arguments: Mapping[str, object]) -> ToolOutcome:
        threads.append(threading.current_thread())
        return ToolOutcome("", None, is_error=False)

    for length in (INLINE_MAX_BYTES, INLINE_MAX_BYTES + 1):
        dispatched = dispatcher(tool("t", remember_thread, inline=inline))
        asyncio.run(dispatched.answer(call("t"), length, NOBODY))
    short, long = (thread is threading.main_thread() for thread in threads)
    assert short is inline
    assert not long


def test_readers_find_a_thread_while_writers_take_all_of_theirs() -> None:
    release = threading.Event()

    def wait(_arguments: Mapping[str, object]) -> ToolOutcome:
        release.wait(10)
        return ToolOutcome("", None, is_error=False)

    async def ask() -> bool:
        served = dispatcher(tool("write", wait, consent="per_call"), tool("read", echo))
        writes = [asyncio.create_task(served.answer(call("write"), 100, NOBODY)) for _ in range(20)]
        await asyncio.sleep(0)
        read = await served.answer(call("read"), 100, NOBODY)
        waiting = not any(write.done() for write in writes)
        release.set()
        await asyncio.gather(*writes)
        return waiting and b"got" in read

    assert asyncio.run(ask())


def test_the_tool_list_is_serialised_once() -> None:
    request = Request(1, "tools/list", {})
    listing = dispatcher(tool("b", echo), tool("a", echo))

    async def ask_twice() -> tuple[bytes, bytes]:
        return await listing.answer(request, 100, NOBODY), await listing.answer(
            request, 100, NOBODY
        )

    first, second = asyncio.run(ask_twice())
    assert first == second
    assert [one["name"] for one in json.loads(first)["result"]["tools"]] == ["b", "a"]


def test_an_overdue_call_says_that_its_outcome_is_unknown() -> None:
    release = threading.Event()

    def wait(_arguments: Mapping[str, object]) -> ToolOutcome:
        release.wait(10)
        return ToolOutcome("", None, is_error=False)

    waiting = dispatcher(tool("wait", wait), pools=Pools(reading=Workers(deadline_seconds=0.05)))
    error = asyncio.run(error_of(waiting, call("wait")))
    release.set()
    assert isinstance(error, dict)
    assert error["code"] == -32603
    assert "unknown" in error["message"]


def test_too_many_calls_are_busy(caplog: pytest.LogCaptureFixture) -> None:
    nobody = Pools(reading=Workers(threads=0, queue=0))
    with pytest.raises(Busy):
        asyncio.run(dispatcher(tool("echo", echo), pools=nobody).answer(call("echo"), 100, NOBODY))
    assert "response id=1 method=tools/call outcome=busy" in caplog.text


def test_a_call_that_a_stop_cuts_off_is_logged(caplog: pytest.LogCaptureFixture) -> None:
    release = threading.Event()

    def wait(_arguments: Mapping[str, object]) -> ToolOutcome:
        release.wait(10)
        return ToolOutcome("", None, is_error=False)

    async def cut_off() -> None:
        calling = asyncio.create_task(
            dispatcher(tool("wait", wait)).answer(call("wait"), 100, NOBODY)
        )
        await asyncio.sleep(0)
        calling.cancel()
        with pytest.raises(asyncio.CancelledError):
            await calling

    asyncio.run(cut_off())
    release.set()
    assert "response id=1 method=tools/call outcome=stopped" in caplog.text


@pytest.mark.parametrize("name", ["a b", "é", "x" * 65, "\n", "\ud800", "<script>"])
def test_a_name_that_is_not_plain_is_not_repeated(name: str) -> None:
    for request in (call(name), Request(1, name, {})):
        error = asyncio.run(error_of(dispatcher(), request))
        assert isinstance(error, dict)
        assert error["message"] in {"Unknown tool", "Unknown method"}


def test_an_initialized_sent_as_a_request_is_answered() -> None:
    answer = asyncio.run(
        dispatcher().answer(Request("x", "notifications/initialized", {}), 9, NOBODY)
    )
    assert json.loads(answer) == {"jsonrpc": "2.0", "id": "x", "result": {}}
