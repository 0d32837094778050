"""Small tools for tests, called straight, so that they can misbehave as no handler could."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Literal

from mymcp.contract.capability import Capability, Effects
from mymcp.contract.strict_json import encode
from mymcp.contract.tool import BoundTool, ToolOutcome

ANY_ARGUMENTS = {"type": "object"}


def capability(name: str, *, consent: Literal["none", "per_call"] = "none") -> Capability:
    return Capability(
        plugin="test",
        name=name,
        version="1.0.0",
        title=name,
        effects=Effects(
            read_only=consent == "none", destructive=False, idempotent=True, open_world=False
        ),
        consent=consent,
        gate=None,
        digest="",
    )


def tool(
    name: str,
    call: Callable[[Mapping[str, object]], ToolOutcome],
    *,
    inline: bool = False,
    schema: Mapping[str, object] = ANY_ARGUMENTS,
    consent: Literal["none", "per_call"] = "none",
) -> BoundTool:
    return BoundTool(
        capability=capability(name, consent=consent),
        published={"name": name, "description": name, "inputSchema": dict(schema)},
        input_schema=schema,
        call=call,
        inline=inline,
    )


def external(plugin: str) -> BoundTool:
    """A tool of an external plugin."""
    name = f"{plugin}__echo"
    return replace(
        tool(name, echo), capability=replace(capability(name), plugin=plugin), apart=True
    )


def echo(arguments: Mapping[str, object]) -> ToolOutcome:
    """Answer with the arguments as they arrived."""
    text = encode({"got": arguments})
    return ToolOutcome(text, text, is_error=False)


def refuse(_arguments: Mapping[str, object]) -> ToolOutcome:
    """Answer with an error that a model can mend."""
    return ToolOutcome('{"status":"invalid_request","code":"no"}', None, is_error=True)
