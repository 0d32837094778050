"""The application over the real runtime, on a real server."""

import json
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from mymcp.app import create_app, create_production_app
from mymcp.configuration.refusal import HostConfigurationError
from mymcp.configuration.settings import (
    OPERATOR_BEARER,
    DeclaredAdapter,
    DeclaredPlugin,
    HostSettings,
    Route,
)
from mymcp.host.production import build_production_runtime
from mymcp.host.runtime import CompositionError
from mymcp.transport.guard import LOOPBACK_HOSTS, AllowList
from tests.transport.serving import Wire, serving

ADAPTER_UNAVAILABLE = "adapter_type_unavailable"
ROOT = Path(__file__).parents[1]
MODULES = sorted(
    ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")
    for path in (ROOT / "mymcp").rglob("*.py")
    if path.name != "__main__.py"
)
# Run in a process of its own: what an import opens or starts counts from a clean slate.
IMPORT_EVERYTHING = """
import sys, threading
allowed = sys.argv[1]
def watch(event, arguments):
    if event == "open" and isinstance(arguments[0], str):
        mode = arguments[1] or "r"
        if set(mode) & set("wax+"):
            print("writes", arguments[0])
        if not arguments[0].startswith((allowed, *sys.path, sys.prefix, sys.base_prefix)):
            print("reads", arguments[0])
    if event in ("socket.bind", "socket.connect", "subprocess.Popen", "os.mkdir"):
        print("does", event)
import fastapi, uvicorn, uvicorn.supervisors, importlib  # what they do is not ours
sys.addaudithook(watch)
for name in sys.argv[2:]:
    importlib.import_module(name)
if threading.active_count() > 1:
    print("starts a thread")
"""


def result_of(body: bytes) -> dict[str, object]:
    found = json.loads(body)["result"]
    assert isinstance(found, dict)
    return found


def remembering(wire: Wire, title: str) -> dict[str, object]:
    arguments = {
        "scope": "project",
        "namespace": {"kind": "project", "id": "mymcp", "label": "MyMCP"},
        "collection": None,
        "kind": "decision",
        "language": "en",
        "title": title,
        "content": "The guard comes first.",
        "tags": ["http"],
        "origin": "explicit_user_statement",
    }
    return result_of(wire.call("memory_remember", arguments).body)


def test_a_memory_is_remembered_recalled_listed_and_inspected(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MNEMOSYNE_MEMORY_ROOT", str(tmp_path))
    monkeypatch.setenv("MNEMOSYNE_MEMORY_REMEMBER_ENABLED", "true")
    with serving(create_production_app()) as wire:
        made = remembering(wire, "Guard first")
        assert "isError" not in made, made
        structured = made["structuredContent"]
        assert isinstance(structured, dict)
        reference = structured["reference"]
        recalled = result_of(
            wire.call("memory_recall", {"query": "guard", "scope": "project"}).body
        )
        assert json.dumps(reference["id"]) in json.dumps(recalled["structuredContent"])
        listed = wire.call("memory_list", {"scope": "project", "page_size": "10"})
        assert reference["id"] in listed.body.decode()
        encoded = dict(reference) | {"schema_version": str(reference["schema_version"])}
        for form in (reference, encoded, json.dumps(reference)):
            inspected = result_of(wire.call("memory_inspect", {"reference": form}).body)
            assert "isError" not in inspected, inspected


def test_version_and_health_are_constant(tmp_path: Path) -> None:
    with serving(create_app(build_production_runtime({}, tmp_path))) as wire:
        assert wire.ask("GET", "/health").body == b'{"status":"ok"}'
        assert wire.ask("GET", "/version").body == (
            b'{"name":"mymcp","version":"0.11.0","protocolVersion":"2025-11-25"}'
        )


def test_other_hosts_can_be_allowed(tmp_path: Path) -> None:
    allow = AllowList(LOOPBACK_HOSTS | {b"127.0.0.9"})
    with serving(create_app(build_production_runtime({}, tmp_path), allow=allow)) as wire:
        for host, status in [("127.0.0.9:1", 200), ("localhost", 200), ("127.0.0.8", 403)]:
            assert wire.ask("GET", "/health", [("Host", host)]).status == status


def test_settings_can_be_injected_and_no_file_is_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("INFO")
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    (tmp_path / "mymcp").mkdir(mode=0o700)
    (tmp_path / "mymcp" / "config.toml").write_text("broken")
    with pytest.raises(HostConfigurationError, match=r"^invalid_toml: "):
        create_production_app()
    assert "host_configuration outcome=error code=invalid_toml" in caplog.text
    caplog.clear()
    with serving(create_production_app(HostSettings(address="127.0.0.9"))) as wire:
        for host, status in [("127.0.0.9", 200), ("[::1]", 200), ("127.0.0.8", 403)]:
            assert wire.ask("GET", "/health", [("Host", host)]).status == status
    assert "host_configuration" not in caplog.text
    assert "authentication_composition outcome=loaded enabled=0" in caplog.text


ADAPTER = DeclaredAdapter("local", "demo-v1", True, Route("authorization", "bearer"))
PLUGIN = DeclaredPlugin("alpha", True, Path("/opt/alpha/manifest.json"), "alpha")


@pytest.mark.parametrize(
    ("settings", "code"),
    [
        (HostSettings(adapters=(replace(ADAPTER, enabled=False), ADAPTER)), ADAPTER_UNAVAILABLE),
        (HostSettings(adapters=(replace(ADAPTER, type=OPERATOR_BEARER),)), ADAPTER_UNAVAILABLE),
        (HostSettings(plugins=(replace(PLUGIN, id="memini"),)), "bundled_plugin_conflict"),
        (HostSettings(plugins=(DeclaredPlugin("a", True),)), "enabled_plugin_unsupported"),
        (
            HostSettings(plugins=(replace(PLUGIN, id="mnemosyne"),), adapters=(ADAPTER,)),
            "bundled_plugin_conflict",
        ),
    ],
)
def test_what_cannot_be_served_as_declared_does_not_start(
    settings: HostSettings, code: str, caplog: pytest.LogCaptureFixture
) -> None:
    with pytest.raises((HostConfigurationError, CompositionError)) as caught:
        create_production_app(settings)
    assert caught.value.code == code
    assert str(caught.value).startswith(f"{code}: ")
    told = [text for text in caplog.messages if "outcome=error" in text]
    stage = "authentication_composition" if code == ADAPTER_UNAVAILABLE else "host_configuration"
    assert told == [f"{stage} outcome=error code={code}"]


def test_what_is_declared_and_off_does_not_matter(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    plugins, adapters = (replace(PLUGIN, enabled=False),), (replace(ADAPTER, enabled=False),)
    with serving(create_production_app(HostSettings(plugins=plugins, adapters=adapters))) as wire:
        assert wire.call("list_tools").status == 200


def test_a_host_that_serves_nobody_anonymous_answers_401_before_it_reads(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    with serving(create_production_app(HostSettings(anonymous_enabled=False))) as wire:
        asked = [
            wire.call("list_tools"),
            wire.post(b"no JSON"),
            wire.ask("POST", "/mcp/"),
            wire.ask("GET", "/mcp"),
            wire.ask("DELETE", "/mcp"),
            wire.post({}, wire.with_header("Authorization", "Bearer mymcp1.x")),
        ]
        for reply in asked:
            assert (reply.status, reply.body) == (401, b"")
            assert reply.header("www-authenticate") is None
        assert wire.ask("POST", "/mcp", [("Host", "evil.invalid")]).status == 403
        assert wire.ask("GET", "/health").status == 200


def test_serving_shortens_the_switch_interval_and_gives_it_back(tmp_path: Path) -> None:
    before = sys.getswitchinterval()
    with serving(create_app(build_production_runtime({}, tmp_path))):
        assert sys.getswitchinterval() == pytest.approx(0.0005)
    assert sys.getswitchinterval() == before


def test_importing_any_module_does_nothing_but_import() -> None:
    done = subprocess.run(
        [sys.executable, "-B", "-c", IMPORT_EVERYTHING, str(ROOT), *MODULES],
        cwd=ROOT,
        env={"HOME": "/nonexistent", "PATH": ""},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    assert len(MODULES) > 50
