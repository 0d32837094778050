"""The one immutable value that a running server is made of."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from re import compile as pattern
from types import MappingProxyType

from mymcp.contract.strict_json import encode
from mymcp.contract.tool import BoundTool
from mymcp.host.instructions import instructions_for
from mymcp.settings import PRODUCT_NAME, PRODUCT_VERSION

_PUBLIC_NAME = pattern(r"[A-Za-z0-9_-]{1,64}")


class CompositionError(Exception):
    """Tools that cannot be offered together; `code` is stable, the message says what to do."""

    def __init__(self, code: str, advice: str) -> None:
        super().__init__(f"{code}: {advice}")
        self.code = code

    def fields(self) -> str:
        """Return what a log line says, as `key=value` words."""
        return f"code={self.code}"


@dataclass(frozen=True, slots=True)
class HostRuntime:
    """What the server offers, fixed from start to stop.

    `tools` are in public order; `tools_list` is the result of `tools/list` as JSON text;
    `generation` differs between any two runtimes and means nothing else. `inventory` names the
    plugins and their versions in the order of their tools.
    """

    tools: Mapping[str, BoundTool]
    tools_list: bytes = field(repr=False)
    instructions: str
    server_name: str
    server_version: str
    generation: str
    inventory: tuple[tuple[str, str], ...] = ()


def public_names(tools: Sequence[BoundTool]) -> tuple[str, ...]:
    """Return the names under which clients see `tools`.

    Raises `CompositionError` for a name that clients would refuse or that occurs twice.
    """
    names: list[str] = []
    for tool in tools:
        name = tool.published.get("name")
        if not isinstance(name, str) or not _PUBLIC_NAME.fullmatch(name):
            raise CompositionError(
                "invalid_tool_name", "A tool's public name must be 1 to 64 of A-Z a-z 0-9 _ -."
            )
        if name in names:
            raise CompositionError(
                "duplicate_tool_name", f"Two tools are called {name}; rename or disable one."
            )
        names.append(name)
    return tuple(names)


def assemble(
    tools: Sequence[BoundTool],
    *,
    generation: str,
    inventory: tuple[tuple[str, str], ...] = (),
) -> HostRuntime:
    """Return the runtime that offers `tools` in this order.

    Raises `CompositionError` for names that cannot be offered together.
    """
    return HostRuntime(
        tools=MappingProxyType(dict(zip(public_names(tools), tools, strict=True))),
        tools_list=encode({"tools": [dict(tool.published) for tool in tools]}).encode(),
        instructions=instructions_for([tool.capability for tool in tools]),
        server_name=PRODUCT_NAME,
        server_version=PRODUCT_VERSION,
        generation=generation,
        inventory=inventory,
    )
