from collections.abc import Sequence
from typing import Any

import pytest

from mymcp.plugin import (
    ActivatedTool,
    CapabilityId,
    Effects,
    PluginContractError,
    PluginContribution,
    ToolBinding,
    bindings_of,
    compose_tool_surface,
)

READS = Effects(read_only=True, destructive=False, idempotent=True, open_world=False)


def tool(plugin: str, local_id: str) -> ActivatedTool:
    identity = CapabilityId(plugin, local_id)
    return ActivatedTool(identity, {"inputSchema": {}}, lambda _given: {}, READS, "none")


def plugin(plugin_id: str, *local_ids: str, owner: str | None = None) -> PluginContribution:
    tools = [tool(owner or plugin_id, local_id) for local_id in local_ids]
    return PluginContribution(plugin_id, "1.0.0", tools)


A, B = plugin("a", "one", "two"), plugin("b", "one")


def bound(plugin_id: str, local_id: str, name: str) -> ToolBinding:
    return ToolBinding(CapabilityId(plugin_id, local_id), name)


def test_tools_keep_the_order_of_plugins_and_capabilities() -> None:
    surface = compose_tool_surface([B, A], bindings_of([B, A]), taken=["list_tools"])
    assert [one.name for one in surface] == ["b__one", "a__one", "a__two"]
    assert surface[1].tool is A.tools[0]


def test_name_of_64_characters_is_offered() -> None:
    long = plugin("a" * 32, "b" * 30)
    (only,) = compose_tool_surface([long], bindings_of([long]))
    assert len(only.name) == 64


anything: Any = object()
ROWS: list[tuple[Sequence[Any], Sequence[Any], str]] = [
    ([anything], [], "foreign_object"),
    ([A], [anything], "foreign_object"),
    ([A, A], bindings_of([A]), "duplicate_plugin"),
    ([plugin("a", "one", owner="b")], [], "foreign_capability"),
    ([plugin("a", "one", "one")], [], "duplicate_capability"),
    ([B], [bound("b", "one", "x"), bound("b", "one", "y")], "duplicate_binding"),
    ([B], [*bindings_of([B]), bound("c", "one", "x")], "unknown_binding"),
    ([B], [bound("b", "one", "list_tools")], "reserved_tool_name"),
    ([B], [bound("b", "one", "mymcp_x")], "reserved_tool_name"),
    ([p := plugin("mymcp", "one")], bindings_of([p]), "reserved_tool_name"),
    ([p := plugin("a" * 32, "b" * 31)], bindings_of([p]), "invalid_tool_name"),
    ([B], [bound("b", "one", "a.b")], "invalid_tool_name"),
    ([B], [bound("b", "one", "a\n")], "invalid_tool_name"),
    ([A, B], [bound("a", "one", "x"), bound("b", "one", "x")], "duplicate_tool_name"),
    ([B], [bound("b", "one", "taken")], "duplicate_tool_name"),
    ([A], [bound("a", "two", "x")], "missing_binding"),
]


@pytest.mark.parametrize(("plugins", "bindings", "code"), ROWS)
def test_what_cannot_be_offered_together_is_refused(
    plugins: Sequence[Any], bindings: Sequence[Any], code: str
) -> None:
    with pytest.raises(PluginContractError) as caught:
        compose_tool_surface(plugins, bindings, taken=["taken"])
    assert caught.value.code == code


def test_plugin_whose_id_only_begins_like_the_host_is_offered() -> None:
    mine = plugin("mymcp-x", "one")
    assert compose_tool_surface([mine], bindings_of([mine]))[0].name == "mymcp-x__one"
