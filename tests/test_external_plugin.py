"""A real external plugin: a package that pip installs, served over HTTP beside everything else."""

import importlib
import json
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from mymcp.app import create_app, create_production_app
from mymcp.authentication.bearer.method import operator_bearer
from mymcp.authentication.router import Router
from mymcp.configuration.settings import (
    OAUTH_JWT,
    DeclaredAdapter,
    DeclaredPlugin,
    HostSettings,
    Route,
)
from mymcp.host.external.reference import PluginReference
from mymcp.host.pools import PLUGIN_THREADS
from mymcp.host.production import build_production_runtime
from mymcp.host.runtime import HostRuntime
from tests.authentication.bearer.known import CREDENTIAL, VERIFIER
from tests.authentication.oauth.issuer import issuing
from tests.authentication.oauth.keys import KEY, claims
from tests.configuration.texts import WITH_MODULES, plugin, text
from tests.transport.command import Command
from tests.transport.serving import REVISION, Wire, serving

PROJECT = Path(__file__).parent / "host" / "external" / "almanac"
MEMORY = {"query": "anything", "scope": "project"}


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """The folder into which the package was installed, on the search path."""
    target = tmp_path_factory.mktemp("site")
    pip = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--target", str(target)]
    done = subprocess.run([*pip, str(PROJECT)], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    sys.path.insert(0, str(target))
    importlib.invalidate_caches()
    yield target
    sys.path.remove(str(target))


@pytest.fixture(scope="module")
def runtime(installed: Path, tmp_path_factory: pytest.TempPathFactory) -> HostRuntime:
    manifest = installed / "almanac_plugin" / "manifest.json"
    reference = PluginReference(1, "sky-almanac", manifest, "almanac_plugin")
    return build_production_runtime({}, tmp_path_factory.mktemp("home"), [reference])


@pytest.fixture(scope="module")
def wire(runtime: HostRuntime) -> Iterator[Wire]:
    with serving(create_app(runtime)) as found:
        yield found


def result(wire: Wire, tool: str, arguments: object = None) -> Any:
    reply = wire.call(tool, arguments)
    assert reply.status == 200
    answer: Any = reply.json
    return answer.get("result", answer)


def test_package_is_a_distribution_of_its_own(installed: Path) -> None:
    assert (installed / "mymcp_plugin_almanac-2.0.1.dist-info" / "METADATA").is_file()


def test_its_tools_are_listed_after_those_of_the_memory(wire: Wire) -> None:
    listed: Any = wire.post({"jsonrpc": "2.0", "id": 1, "method": "tools/list"}).json
    tools = {tool["name"]: tool for tool in listed["result"]["tools"]}
    assert list(tools)[-4:] == [f"sky-almanac__{n}" for n in ("moon", "note", "wait", "leave")]
    assert tools["sky-almanac__moon"]["inputSchema"] == {
        "type": "object",
        "properties": {
            "day": {"type": "string", "description": "As 2026-01-31.", "format": "date"}
        },
        "required": ["day"],
        "additionalProperties": False,
    }
    assert tools["sky-almanac__note"]["annotations"]["readOnlyHint"] is False


def test_its_tools_answer(wire: Wire) -> None:
    found = result(wire, "sky-almanac__moon", {"day": "2000-01-10"})
    assert found["structuredContent"] == {"days": 4}
    assert json.loads(found["content"][0]["text"]) == {"days": 4}
    kept = [result(wire, "sky-almanac__note", {"texts": ["a"]}) for _ in range(2)]
    assert [one["content"][0]["text"] for one in kept] == ["1 kept", "2 kept"]


def test_its_tools_answer_a_known_caller_in_a_session_and_nobody_else(runtime: HostRuntime) -> None:
    router = Router([operator_bearer("local", [VERIFIER])], anonymous_enabled=False)
    with serving(create_app(runtime, router)) as wire:
        assert_answers_in_a_session(wire, CREDENTIAL.text)


def test_they_answer_a_caller_with_a_token_in_the_same_way(
    installed: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    manifest = installed / "almanac_plugin" / "manifest.json"
    adapter = DeclaredAdapter("issued", OAUTH_JWT, True, Route("authorization", "bearer"))
    with issuing() as issuer:
        declared = HostSettings(
            5,
            anonymous_enabled=False,
            adapters=(adapter,),
            issuer=issuer.name,
            plugins=(DeclaredPlugin("sky-almanac", True, manifest, "almanac_plugin"),),
        )
        with serving(create_production_app(declared, network=issuer.network)) as wire:
            assert_answers_in_a_session(wire, KEY.issued(claims(iss=issuer.name)))


def assert_answers_in_a_session(wire: Wire, evidence: str) -> None:
    proof = wire.with_header("Authorization", f"Bearer {evidence}")
    opening = {"protocolVersion": REVISION, "capabilities": {}, "clientInfo": {"name": "t"}}
    initialize = {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": opening}
    session = wire.post(initialize, proof).header("mcp-session-id") or ""
    params = {"name": "sky-almanac__moon", "arguments": {"day": "2000-01-10"}}
    call = {"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": params}
    answer: Any = wire.post(call, [*proof, ("Mcp-Session-Id", session)]).json
    assert answer["result"]["structuredContent"] == {"days": 4}
    assert [wire.post(call, given).status for given in (proof, wire.headers)] == [400, 401]


def test_argument_that_a_client_sends_as_text_is_understood(wire: Wire) -> None:
    found = result(wire, "sky-almanac__note", {"texts": '["a", "b"]'})
    assert found["content"][0]["text"].endswith("kept")


@pytest.mark.parametrize(
    ("arguments", "code"),
    [({}, "invalid_arguments"), ({"day": 5}, "invalid_arguments"), ({"day": "x"}, "invalid_day")],
)
def test_its_errors_and_ours_are_tool_results(
    wire: Wire, arguments: dict[str, object], code: str
) -> None:
    found = result(wire, "sky-almanac__moon", arguments)
    assert found["isError"] is True
    assert json.loads(found["content"][0]["text"])["code"] == code


def test_exit_of_a_handler_ends_one_call_only(wire: Wire) -> None:
    found = result(wire, "sky-almanac__leave")
    assert json.loads(found["content"][0]["text"])["code"] == "internal_error"
    assert found["_meta"]
    assert result(wire, "sky-almanac__moon", {"day": "2000-01-06"})["structuredContent"]


def test_undeclared_tool_is_unknown(wire: Wire) -> None:
    assert result(wire, "sky-almanac__unused")["error"]["code"] == -32602


def test_slow_plugin_keeps_nobody_else_waiting(wire: Wire) -> None:
    released = importlib.import_module("almanac_plugin.sky").RELEASED
    with ThreadPoolExecutor(PLUGIN_THREADS + 2) as callers:
        slow = [
            callers.submit(result, wire, "sky-almanac__wait") for _ in range(PLUGIN_THREADS + 2)
        ]
        try:
            assert result(wire, "memory_recall", MEMORY)["structuredContent"]
            assert result(wire, "list_tools")["structuredContent"]
            assert wire.ask("GET", "/health").status == 200
            assert not any(one.done() for one in slow)
        finally:
            released.set()
        assert [one.result()["content"][0]["text"] for one in slow] == ["at last"] * len(slow)


@pytest.mark.parametrize("version", WITH_MODULES)
def test_the_package_runs_under_every_format_that_can_name_it(
    installed: Path, tmp_path: Path, version: int
) -> None:
    place = {
        "id": '"sky-almanac"',
        "enabled": "true",
        "manifest_path": f'"{installed / "almanac_plugin" / "manifest.json"}"',
        "module": '"almanac_plugin"',
    }
    configured = tmp_path / "config.toml"
    configured.write_text(text(version, plugin(version, **place)), encoding="utf-8")
    configured.chmod(0o600)
    command = ("-m", "mymcp", "--config", str(configured), "--port", "{port}")
    with Command(tmp_path, *command, settings={"PYTHONPATH": str(installed)}) as server:
        found = result(server.wire, "sky-almanac__moon", {"day": "2000-01-10"})
        assert found["content"]
        assert not found.get("isError", False)
