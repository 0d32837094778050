"""Tools that behave, wait or misbehave, for the server that the transport tests talk to."""

import threading
from collections.abc import Mapping

from mymcp.contract.tool import BoundTool, ToolOutcome
from tests.host.tools import echo, refuse, tool
from tests.transport.serving import TIMEOUT_SECONDS

INTEGER_MEMBER = {"type": "object", "properties": {"n": {"type": "integer"}}}


class Gate:
    """Where calls of the tool `waiting` stand until a test lets them through."""

    def __init__(self) -> None:
        self.entered = threading.Event()
        self.opened = threading.Event()


GATE = Gate()


def waiting(_arguments: Mapping[str, object]) -> ToolOutcome:
    GATE.entered.set()
    GATE.opened.wait(TIMEOUT_SECONDS)
    return ToolOutcome("{}", "{}", is_error=False)


def failing(_arguments: Mapping[str, object]) -> ToolOutcome:
    raise ValueError("/home/someone/secret")


def leaving(_arguments: Mapping[str, object]) -> ToolOutcome:
    raise SystemExit(3)


def silent(_arguments: Mapping[str, object]) -> ToolOutcome:
    return None  # type: ignore[return-value]  # what a handler must not do


def broken_text(_arguments: Mapping[str, object]) -> ToolOutcome:
    return ToolOutcome("\ud800", None, is_error=False)


def tools() -> list[BoundTool]:
    return [
        tool("echo", echo, inline=True, schema=INTEGER_MEMBER),
        tool("refuse", refuse, inline=True),
        tool("waiting", waiting),
        *(
            tool(f"{call.__name__}_{'inline' if inline else 'pooled'}", call, inline=inline)
            for call in (failing, leaving, silent, broken_text)
            for inline in (True, False)
        ),
    ]
