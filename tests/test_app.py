"""The application over the real runtime, on a real server."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from mymcp.app import create_app, create_production_app
from mymcp.host.production import build_production_runtime
from mymcp.transport.guard import LOOPBACK_HOSTS, AllowList
from tests.transport.serving import Wire, serving

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
