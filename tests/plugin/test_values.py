"""The values of a plugin: immutable, and checked when they are made."""

from dataclasses import FrozenInstanceError, replace
from typing import Any

import pytest

from mymcp.plugin import (
    ActivatedTool,
    Authority,
    CapabilityId,
    Configuration,
    ConfigurationSchema,
    DeclaredCapability,
    Effects,
    HostApiRange,
    PluginAdapter,
    PluginContribution,
    ToolBinding,
    parse_manifest_mapping,
)
from tests.plugin.manifests import manifest

READS = Effects(read_only=True, destructive=False, idempotent=True, open_world=False)
DESTROYS = Effects(read_only=False, destructive=True, idempotent=True, open_world=False)
DEFINITION = parse_manifest_mapping(manifest())
ONE = CapabilityId("demo", "one")
anything: Any = object()


def activated(tool: dict[str, object] | None = None) -> ActivatedTool:
    return ActivatedTool(ONE, tool or {"inputSchema": {}}, lambda _given: {}, READS, "none")


@pytest.mark.parametrize(
    "make",
    [
        lambda: HostApiRange(2, 1),
        lambda: HostApiRange(True, 1),
        lambda: HostApiRange(1, 256),
        lambda: DeclaredCapability("one", "1", READS, "none"),
        lambda: DeclaredCapability("One", "1.0.0", READS, "none"),
        lambda: DeclaredCapability("one", "1.0.0", anything, "none"),
        lambda: DeclaredCapability("one", "1.0.0", DESTROYS, "none"),
        lambda: DeclaredCapability("one", "1.0.0", replace(DESTROYS, read_only=True), "per_call"),
        lambda: DeclaredCapability("one", "1.0.0", replace(READS, idempotent=1), "none"),
        lambda: DeclaredCapability("one", "1.0.0", READS, anything),
        lambda: DeclaredCapability("one", "1.0.0", READS, "none", kind=anything),
        lambda: ConfigurationSchema(anything),
        lambda: ConfigurationSchema("string", properties=(("a", ConfigurationSchema("null")),)),
        lambda: ConfigurationSchema("array"),
        lambda: ConfigurationSchema("object", required=("a",)),
        lambda: ConfigurationSchema("object", properties=(("a", anything),)),
        lambda: Configuration(ConfigurationSchema("string")),
        lambda: Configuration(anything),
        lambda: Configuration(schema_version=anything),
        lambda: Authority(("data_read", "data_read")),
        lambda: Authority((anything,)),
        lambda: Authority(network=anything),
        lambda: replace(DEFINITION, id="Demo"),
        lambda: replace(DEFINITION, title="\n"),
        lambda: replace(DEFINITION, capabilities=()),
        lambda: replace(DEFINITION, capabilities=(anything,)),
        lambda: replace(DEFINITION, capabilities=DEFINITION.capabilities[:1] * 2),
        lambda: replace(DEFINITION, secret_references=("a", "a")),
        lambda: replace(DEFINITION, secret_references=("A",)),
        lambda: replace(DEFINITION, data_schema_version=0),
        lambda: replace(DEFINITION, authority=anything),
        lambda: replace(DEFINITION, configuration=anything),
        lambda: replace(DEFINITION, host_api=anything),
        lambda: ActivatedTool(anything, {}, lambda _given: {}, READS, "none"),
        lambda: ActivatedTool(ONE, anything, lambda _given: {}, READS, "none"),
        lambda: ActivatedTool(ONE, {}, anything, READS, "none"),
        lambda: ActivatedTool(ONE, {}, lambda _given: {}, anything, "none"),
        lambda: ActivatedTool(ONE, {}, lambda _given: {}, DESTROYS, "none"),
        lambda: ActivatedTool.declared(DEFINITION, "three", {}, lambda _given: {}),
        lambda: PluginContribution("Demo", "1.0.0", []),
        lambda: PluginContribution("demo", "1", []),
        lambda: PluginContribution("demo", "1.0.0", [anything]),
        lambda: PluginAdapter(anything, PluginContribution("demo", "1.0.0", [])),
        lambda: PluginAdapter(DEFINITION, anything),
        lambda: ToolBinding(anything, "a"),
        lambda: ToolBinding(ONE, ""),
    ],
)
def test_value_of_a_wrong_form_is_refused(make: Any) -> None:
    with pytest.raises(ValueError, match=r"."):
        make()


@pytest.mark.parametrize(
    ("value", "name"),
    [
        (DEFINITION, "id"),
        (ONE, "local_id"),
        (activated(), "handler"),
        (PluginContribution("demo", "1.0.0", []), "tools"),
        (PluginAdapter(DEFINITION, PluginContribution("demo", "1.0.0", [])), "definition"),
    ],
)
def test_value_cannot_be_changed(value: object, name: str) -> None:
    with pytest.raises((FrozenInstanceError, AttributeError)):
        setattr(value, name, None)


def test_definition_of_a_tool_is_copied_in_and_out() -> None:
    mine: dict[str, Any] = {"inputSchema": {"properties": {}}}
    tool = activated(mine)
    mine["inputSchema"]["properties"]["a"] = {}
    first: Any = tool.tool
    first["inputSchema"]["properties"]["b"] = {}
    assert tool.tool == {"inputSchema": {"properties": {}}}


def test_declared_tool_has_the_effects_of_its_manifest() -> None:
    definition = replace(
        DEFINITION, capabilities=(DeclaredCapability("one", "1.0.0", DESTROYS, "per_call"),)
    )
    tool = ActivatedTool.declared(definition, "one", {}, lambda _given: {})
    assert (tool.capability, tool.effects, tool.consent) == (ONE, DESTROYS, "per_call")


def test_tools_of_a_contribution_become_a_tuple() -> None:
    contribution = PluginContribution("demo", "1.0.0", iter([activated()]))
    assert len(contribution.tools) == 1
