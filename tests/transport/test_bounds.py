"""The endpoint on a real server, with bounds so tight that a test can reach them."""

import json
import threading
import time
from collections.abc import Iterator

import pytest

from mymcp.app import ANONYMOUS_ONLY
from mymcp.authentication.failures import Failures
from mymcp.host.pools import Pools
from mymcp.host.runtime import assemble
from mymcp.mcp.contexts import Contexts
from mymcp.mcp.dispatch import INLINE_MAX_BYTES, Dispatcher
from mymcp.mcp.sessions import SessionLimits, Sessions
from mymcp.transport.body import Bodies
from mymcp.transport.entrance import Entrance
from mymcp.transport.http import McpEndpoint
from mymcp.transport.stream import Streams
from tests.transport.serving import TIMEOUT_SECONDS, Reply, Wire, read_reply, serving
from tests.transport.tools import Gate, tools

LONG = "x" * INLINE_MAX_BYTES
ROOM = INLINE_MAX_BYTES * 3 // 2


@pytest.fixture
def tight() -> Iterator[Wire]:
    """A server that waits a quarter of a second for a body and has room for one long one."""
    pools = Pools()
    dispatcher = Dispatcher(assemble(tools(), generation="g"), pools, time.monotonic)
    sessions = Sessions(SessionLimits(), time.monotonic, lambda: "")
    contexts = Contexts(sessions)
    bodies = Bodies(limit=ROOM, deadline_seconds=0.25)
    endpoint = McpEndpoint(dispatcher, pools.parsing, bodies, Streams(), contexts)
    entrance = Entrance(ANONYMOUS_ONLY, Failures(time.monotonic), endpoint.serve)
    with serving(entrance, lifespan="off") as wire:
        yield wire
    pools.stop()


@pytest.mark.parametrize("begun", [b"", b"{"])
def test_a_body_that_does_not_arrive_is_408_and_ends_the_connection(
    tight: Wire, begun: bytes
) -> None:
    with tight.connect() as connection:
        connection.sendall(tight.head(9) + begun)
        reply = read_reply(connection)
        assert (reply.status, reply.header("connection")) == (408, "close")
        assert connection.recv(1) == b""


def test_a_long_body_takes_room_until_its_call_is_answered(tight: Wire, gate: Gate) -> None:
    replies: list[Reply] = []
    thread = threading.Thread(target=lambda: replies.append(tight.call("waiting", {"x": LONG})))
    thread.start()
    gate.entered.wait(TIMEOUT_SECONDS)
    refused = tight.call("echo", {"x": LONG})
    assert (refused.status, refused.code, refused.header("retry-after")) == (503, -32600, "1")
    assert tight.call("echo", {"x": "short"}).status == 200
    gate.opened.set()
    thread.join()
    assert replies[0].status == 200
    answer = json.loads(tight.call("echo", {"x": LONG}).body)
    assert answer["result"]["structuredContent"]["got"]["x"] == LONG
