"""Definitions of tools as they are published, under each of the three policies."""

import json
import logging
from pathlib import Path
from typing import Any

import pytest

from mymcp.host.external.failure import ExternalPluginLoadError
from mymcp.host.external.reference import UnsafeSchemas
from mymcp.host.production import build_production_runtime
from mymcp.host.runtime import HostRuntime
from tests.host.external.packages import written
from tests.plugin.manifests import capability, manifest

OPEN = (
    "TOOL['inputSchema'] = {'type': 'object',"
    " 'properties': {'a': {'type': 'string', 'format': 'email'}}}"
)


def runtime(
    site: Path, more: str = "", policy: UnsafeSchemas = "rewrite", **changes: object
) -> HostRuntime:
    reference = written(site, more, content=manifest(**changes))
    return build_production_runtime({}, site, [reference], unsafe_schemas=policy)


def published(of: HostRuntime, name: str = "demo__one") -> dict[str, Any]:
    listed = json.loads(of.tools_list)["tools"]
    return next(tool for tool in listed if tool["name"] == name)


def test_external_tools_follow_the_bundled_ones_and_list_tools_sees_them(site: Path) -> None:
    found = runtime(site)
    assert list(found.tools)[-3:] == ["memory_inspect", "demo__one", "demo__two"]
    assert "demo__one, demo__two" in found.tools["list_tools"].call({}).text
    assert found.inventory[-1] == ("demo", "1.2.3")


def test_definition_has_the_name_of_the_host_and_the_hints_of_the_manifest(site: Path) -> None:
    own = "TOOL |= {'name': 'mine', 'title': 'T', 'annotations': {'readOnlyHint': True}}"
    changing = capability("one", read_only=False, destructive=True, consent="per_call")
    tool = published(runtime(site, own, capabilities=[changing]))
    assert (tool["name"], tool["title"]) == ("demo__one", "T")
    assert tool["annotations"] == {
        "readOnlyHint": False, "destructiveHint": True,
        "idempotentHint": True, "openWorldHint": False,
    }  # fmt: skip
    assert list(tool) == ["name", "title", "description", "inputSchema", "annotations"]


def test_instructions_ask_for_consent_to_external_tools(site: Path) -> None:
    changing = capability("one", read_only=False, consent="per_call")
    assert "Call demo__one only after" in runtime(site, capabilities=[changing]).instructions


def test_schema_that_every_client_knows_is_published_as_it_is(site: Path) -> None:
    schema = published(runtime(site, policy="refuse"))["inputSchema"]
    assert schema == {"type": "object", "properties": {}, "additionalProperties": False}


def test_other_schema_is_rewritten_and_its_losses_are_logged_once(
    site: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO)
    found = runtime(site, OPEN, capabilities=[capability("one")])
    assert published(found)["inputSchema"] == {
        "type": "object",
        "properties": {"a": {"type": "string", "description": "Format: email."}},
        "additionalProperties": False,
    }
    lines = [one.getMessage() for one in caplog.records if one.name == "mymcp.host.external"]
    assert lines == [
        "schema_rewritten tool=demo__one step=foreign lost=additionalProperties at=/",
        "schema_rewritten tool=demo__one step=foreign lost=format at=/properties/a",
    ]


def test_many_losses_are_counted_not_listed_and_strange_names_are_not_repeated(
    site: Path, caplog: pytest.LogCaptureFixture
) -> None:
    many = (
        "TOOL['inputSchema']['properties'] = {'o': {'type': 'object', 'properties':"
        " {f'p{n}': {'type': 'string', 'x y\\n': 1} for n in range(30)}}}"
    )
    runtime(site, many, capabilities=[capability("one")])
    lines = [one.getMessage() for one in caplog.records if one.name == "mymcp.host.external"]
    assert len(lines) == 21
    assert lines[-1] == "schema_rewritten tool=demo__one more=11"
    assert "lost=? at=/properties/o/properties/p0" in caplog.text


def test_other_schema_is_refused_where_the_operator_says_so(site: Path) -> None:
    with pytest.raises(ExternalPluginLoadError) as caught:
        runtime(site, OPEN + "; TOOL['inputSchema']['additionalProperties'] = False", "refuse")
    assert caught.value.inner == "unsafe_schema"
    assert caught.value.field == "demo__one.inputSchema/properties/a/format"


def test_other_schema_is_published_where_the_operator_says_so(site: Path) -> None:
    schema = published(runtime(site, OPEN, "publish"))["inputSchema"]
    assert schema["properties"]["a"] == {"type": "string", "format": "email"}


def test_schema_that_unfolds_beyond_measure_is_refused(site: Path) -> None:
    huge = (
        "d = {'d0': {'type': 'string', 'maxLength': 1000}}\n"
        "for n in range(1, 30):\n"
        "    r = {'$ref': f'#/$defs/d{n - 1}'}\n"
        "    d[f'd{n}'] = {'type': 'object', 'properties': {'a': r, 'b': r}}\n"
        "TOOL['inputSchema'] |= {'$defs': d, 'properties': {'a': {'$ref': '#/$defs/d29'}}}"
    )
    with pytest.raises(ExternalPluginLoadError) as caught:
        runtime(site, huge)
    assert caught.value.inner == "unsafe_schema"


def test_calls_are_judged_by_the_schema_of_the_author_not_by_the_published_one(
    site: Path,
) -> None:
    tool = runtime(
        site,
        "TOOL['inputSchema']['properties'] = {'n': {'type': 'integer', 'multipleOf': 5}}",
        capabilities=[capability("one")],
    ).tools["demo__one"]
    assert tool.call({"n": 10}).is_error is False
    refused = tool.call({"n": 7})
    assert json.loads(refused.text) == {
        "status": "invalid_request",
        "code": "invalid_arguments",
        "field": "/n",
        "message": "The value at this place does not fit the tool's input schema.",
    }


def test_every_other_member_is_published_as_it_is(site: Path) -> None:
    more = (
        "TOOL |= {'outputSchema': {'type': 'object', 'properties': {'x': {}}},"
        " 'icons': [{'src': 'data:image/png;base64,AA=='}], '_meta': {'example.org/x': 1}}\n"
        "TOOL['inputSchema']['properties'] = {'city': {'type': 'string', 'x-mcp-header': 'City'}}"
    )
    tool = published(runtime(site, more))
    assert list(tool)[-4:] == ["outputSchema", "annotations", "icons", "_meta"]
    assert tool["outputSchema"] == {"type": "object", "properties": {"x": {}}}
    assert tool["icons"] == [{"src": "data:image/png;base64,AA=="}]
    assert tool["_meta"] == {"example.org/x": 1}
    assert tool["inputSchema"]["properties"]["city"]["x-mcp-header"] == "City"


def test_output_schema_is_published_without_references_where_it_can_be(site: Path) -> None:
    more = (
        "TOOL['outputSchema'] = {'type': 'object', '$defs': {'n': {'type': 'number'}},"
        " 'properties': {'a': {'$ref': '#/$defs/n'}, 'b': True, 'c': False}}"
    )
    assert published(runtime(site, more))["outputSchema"] == {
        "type": "object",
        "properties": {"a": {"type": "number"}, "b": {}, "c": {"not": {}}},
    }


@pytest.mark.parametrize(
    "inner", [{"$ref": "#/$defs/n", "type": "object"}, {"$ref": "#/$defs/tree"}]
)
def test_output_schema_that_would_mean_something_else_keeps_its_references(
    inner: dict[str, object], site: Path
) -> None:
    tree = {"type": "object", "properties": {"next": {"$ref": "#/$defs/tree"}}}
    schema = {"type": "object", "$defs": {"n": {}, "tree": tree}, "properties": {"a": inner}}
    assert published(runtime(site, f"TOOL['outputSchema'] = {schema}"))["outputSchema"] == schema


def test_digest_changes_with_the_definition(site: Path) -> None:
    first, second, third = (
        runtime(site, more).tools["demo__one"].capability.digest
        for more in ("", "", "TOOL['description'] = 'New.'")
    )
    assert first == second != third


def test_version_of_a_tool_is_that_of_its_capability(site: Path) -> None:
    found = runtime(site, capabilities=[capability("one", version="4.5.6")])
    assert found.tools["demo__one"].capability.version == "4.5.6"
