"""The runtime that the commands serve, composed from the real plugin."""

import json
import logging
from pathlib import Path

import jsonschema_rs
import pytest

from mymcp._generated.registry import CAPABILITIES
from mymcp.contract.bundle import BundledContribution
from mymcp.host.production import build_production_runtime, compose
from mymcp.host.runtime import CompositionError
from mymcp.plugins.mnemosyne.settings import GATE_VARIABLES, SettingsError
from tests.host.tools import echo, tool

READING = ["list_tools", "memory_recall", "memory_list", "memory_inspect"]
REMEMBER_ENABLED = "MNEMOSYNE_MEMORY_REMEMBER_ENABLED"
ALL_ENABLED = dict.fromkeys(GATE_VARIABLES.values(), "true")


def test_list_tools_comes_first_and_gated_tools_only_on_request(tmp_path: Path) -> None:
    assert list(build_production_runtime({}, tmp_path).tools) == READING
    opened = build_production_runtime({REMEMBER_ENABLED: "true"}, tmp_path)
    assert list(opened.tools) == [*READING, "memory_remember"]
    everything = build_production_runtime(ALL_ENABLED, tmp_path)
    assert [one.name for one in CAPABILITIES] == list(everything.tools)


def test_two_runtimes_differ_in_their_generation(tmp_path: Path) -> None:
    first, second = (build_production_runtime({}, tmp_path) for _ in range(2))
    assert first.generation != second.generation


def test_composition_is_logged_without_paths(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO)
    build_production_runtime({}, tmp_path)
    (record,) = (one for one in caplog.records if one.name == "mymcp.host.bootstrap")
    assert record.getMessage() == (
        "runtime_composition outcome=loaded bundled=1 external=0 capabilities=3"
    )


@pytest.mark.parametrize(
    ("name", "code"), [("list_tools", "duplicate_tool_name"), ("no.dots", "invalid_tool_name")]
)
def test_tools_that_cannot_be_offered_stop_the_start(
    name: str, code: str, caplog: pytest.LogCaptureFixture
) -> None:
    plugin = BundledContribution("p", "1.0.0", (tool(name, echo),))
    with pytest.raises(CompositionError) as caught:
        compose([plugin], generation="g")
    assert caught.value.code == code
    assert f"runtime_composition outcome=error code={code}" in caplog.text


def test_settings_of_a_bundled_plugin_that_stop_the_start_are_logged_with_their_code(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    with pytest.raises(SettingsError):
        build_production_runtime({"MNEMOSYNE_MEMORY_ROOT": "secret"}, tmp_path)
    (record,) = caplog.records
    assert record.getMessage() == "runtime_composition outcome=error code=invalid_root"


def test_every_published_tool_is_complete_and_its_schemas_are_sound(tmp_path: Path) -> None:
    runtime = build_production_runtime(ALL_ENABLED, tmp_path)
    for one in json.loads(runtime.tools_list)["tools"]:
        assert {"name", "title", "description", "inputSchema", "annotations"} <= set(one)
        for schema in (one["inputSchema"], one["outputSchema"]):
            assert schema["type"] == "object"
            jsonschema_rs.Draft202012Validator(schema)


def test_nothing_is_written_before_the_first_call(tmp_path: Path) -> None:
    build_production_runtime({REMEMBER_ENABLED: "true"}, tmp_path)
    assert list(tmp_path.iterdir()) == []
