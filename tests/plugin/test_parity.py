from collections.abc import Sequence
from dataclasses import replace

import pytest

from mymcp.plugin import (
    ActivatedTool,
    CapabilityId,
    Effects,
    HostApiRange,
    PluginContractError,
    PluginContribution,
    PluginDefinition,
    parse_manifest_mapping,
    validate_plugin_contract,
)
from tests.plugin.manifests import capability, manifest

MANIFEST = parse_manifest_mapping(manifest(capabilities=[capability(c) for c in ("one", "two")]))
READS = Effects(read_only=True, destructive=False, idempotent=True, open_world=False)


def tool(local_id: str, plugin: str = "demo", effects: Effects = READS) -> ActivatedTool:
    identity = CapabilityId(plugin, local_id)
    return ActivatedTool(identity, {"inputSchema": {}}, lambda _given: {}, effects, "none")


def contribution(
    tools: Sequence[ActivatedTool] = (), *, plugin: str = "demo", version: str = "1.2.3"
) -> PluginContribution:
    return PluginContribution(plugin, version, tools)


@pytest.mark.parametrize("names", [(), ("one",), ("two",), ("one", "two")])
def test_any_ordered_subset_may_be_contributed(names: tuple[str, ...]) -> None:
    validate_plugin_contract(MANIFEST, MANIFEST, contribution([tool(name) for name in names]))


OTHER = replace(MANIFEST, title="Other")
OLD = replace(MANIFEST, host_api=HostApiRange(2, 3))
# Each row breaks what it says and everything that is reported later.
ROWS = [
    (MANIFEST, OTHER, contribution([tool("x")], plugin="other"), "definition_manifest_mismatch"),
    (OLD, OLD, contribution([tool("x")], plugin="other"), "host_api_incompatible"),
    (
        MANIFEST,
        MANIFEST,
        contribution([tool("x")], plugin="other", version="2.0.0"),
        "contribution_plugin_mismatch",
    ),
    (
        MANIFEST,
        MANIFEST,
        contribution([tool("x")], version="2.0.0"),
        "contribution_version_mismatch",
    ),
    (MANIFEST, MANIFEST, contribution([tool("x")] * 2), "duplicate_selected_capability"),
    (MANIFEST, MANIFEST, contribution([tool("one", "other")]), "undeclared_capability"),
    (
        MANIFEST,
        MANIFEST,
        contribution([tool("two", effects=replace(READS, open_world=True)), tool("x")]),
        "undeclared_capability",
    ),
    (
        MANIFEST,
        MANIFEST,
        contribution([tool("two"), tool("one", effects=replace(READS, open_world=True))]),
        "capability_metadata_mismatch",
    ),
    (MANIFEST, MANIFEST, contribution([tool("two"), tool("one")]), "capability_order_mismatch"),
]


@pytest.mark.parametrize(("read", "own", "given", "code"), ROWS, ids=[row[3] for row in ROWS])
def test_first_difference_is_reported(
    read: PluginDefinition, own: PluginDefinition, given: PluginContribution, code: str
) -> None:
    with pytest.raises(PluginContractError) as caught:
        validate_plugin_contract(read, own, given)
    assert caught.value.code == code


def test_difference_of_a_definition_is_named() -> None:
    with pytest.raises(PluginContractError) as caught:
        validate_plugin_contract(MANIFEST, OTHER, contribution())
    assert caught.value.field == "title"
