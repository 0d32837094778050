import logging
import time
from collections.abc import Iterator, Mapping

import pytest

from mymcp.app import create_app
from mymcp.contract.tool import ToolOutcome
from mymcp.host.listing import listing
from mymcp.host.runtime import assemble
from tests.host.tools import echo, refuse, tool
from tests.transport.serving import Wire, serving

INTEGER_MEMBER = {"type": "object", "properties": {"n": {"type": "integer"}}}


def slow(_arguments: Mapping[str, object]) -> ToolOutcome:
    time.sleep(1.5)
    return ToolOutcome("{}", "{}", is_error=False)


def failing(_arguments: Mapping[str, object]) -> ToolOutcome:
    raise ValueError("/home/someone/secret")


def leaving(_arguments: Mapping[str, object]) -> ToolOutcome:
    raise SystemExit(3)


def silent(_arguments: Mapping[str, object]) -> ToolOutcome:
    return None  # type: ignore[return-value]  # what a handler must not do


def broken_text(_arguments: Mapping[str, object]) -> ToolOutcome:
    return ToolOutcome("\ud800", None, is_error=False)


@pytest.fixture(scope="package")
def wire() -> Iterator[Wire]:
    """A server with tools that behave and tools that do not."""
    tools = [
        tool("echo", echo, inline=True, schema=INTEGER_MEMBER),
        tool("refuse", refuse, inline=True),
        tool("slow", slow),
        *(
            tool(f"{call.__name__}_{'inline' if inline else 'pooled'}", call, inline=inline)
            for call in (failing, leaving, silent, broken_text)
            for inline in (True, False)
        ),
    ]
    names = [str(one.published["name"]) for one in tools]
    with serving(create_app(assemble([listing(names), *tools], generation="g"))) as running:
        yield running


@pytest.fixture(autouse=True)
def no_traceback(caplog: pytest.LogCaptureFixture) -> Iterator[None]:
    """Whatever a test sends, the server's log holds no traceback."""
    caplog.set_level(logging.INFO)
    yield
    for record in caplog.get_records("call"):
        assert record.exc_info is None
        assert "Traceback" not in record.getMessage()
