import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from mymcp._generated.registry import CAPABILITIES
from mymcp.cli import serve
from mymcp.cli.snippets import CLIENTS, files_for
from mymcp.contract.capability import Capability, Effects
from tests.cli.examining import host_configuration, run
from tests.configuration.texts import plugin, text
from tests.plugin.manifests import capability as declared
from tests.plugin.manifests import manifest

CHECKOUT = Path(__file__).parents[2]
URL = "http://127.0.0.1:8000/mcp"
READING = [one.name for one in CAPABILITIES if one.effects.read_only]
CHANGING = [one.name for one in CAPABILITIES if not one.effects.read_only]


def printed(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[Any, str]:
    """Return the JSON that a command printed, and its advice."""
    assert serve.main(["client-config", *arguments]) == 0
    shown = capsys.readouterr()
    return json.loads(shown.out), shown.err


def capability(name: str, *, read_only: bool, consent: Any = "none") -> Capability:
    effects = Effects(read_only=read_only, destructive=False, idempotent=True, open_world=False)
    return Capability("demo", name, "1.0.0", "Demo", effects, consent, None, "sha256:0")


def external(folder: Path, whole: dict[str, Any]) -> str:
    """Return the declaration of a plugin that consists of a manifest, and has no module at all."""
    path = folder / "manifest.json"
    path.write_text(json.dumps(whole))
    path.chmod(0o600)
    return plugin(
        7,
        id='"my-demo"',
        enabled="true",
        manifest_path=json.dumps(str(path)),
        module='"module_that_is_not_there"',
    )


def strings(value: object) -> Sequence[str]:
    """Return every text in `value`, and in texts that are JSON themselves."""
    if isinstance(value, str):
        return [value, *(strings(json.loads(value)) if value.startswith("[") else [])]
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else []
    return [one for each in inner for one in strings(each)]


@pytest.mark.parametrize("client", CLIENTS)
def test_each_client_is_told_in_json_where_the_server_is(
    client: str, capsys: pytest.CaptureFixture[str]
) -> None:
    found, advice = printed(capsys, client, "--address", "::1", "--port", "8123")
    assert "http://[::1]:8123/mcp" in strings(found)
    assert advice.startswith(f"{client}: ")
    assert advice.count("\n") == 1


def test_the_tracked_file_of_opencode_is_what_is_printed(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert serve.main(["client-config", "opencode"]) == 0
    tracked = (CHECKOUT / "opencode.json").read_text(encoding="utf-8")
    assert capsys.readouterr().out == tracked


def test_opencode_denies_first_then_allows_reading_then_asks(
    capsys: pytest.CaptureFixture[str],
) -> None:
    found, _ = printed(capsys, "opencode")
    for rules in (found["permission"], found["agent"]["mymcp"]["permission"]):
        assert next(iter(rules)) == "mymcp_*"
        verdicts = list(rules.values())
        assert verdicts == ["deny"] + ["allow"] * len(READING) + ["ask"] * len(CHANGING)
        assert {name for name, verdict in rules.items() if verdict == "allow"} == {
            f"mymcp_{name}" for name in READING
        }


def test_claude_code_allows_reading_and_asks_for_the_rest(
    capsys: pytest.CaptureFixture[str],
) -> None:
    found, _ = printed(capsys, "claude-code")
    assert found[".mcp.json"] == {"mcpServers": {"mymcp": {"type": "http", "url": URL}}}
    rules = found[".claude/settings.json"]["permissions"]
    assert sorted(rules["allow"]) == sorted(f"mcp__mymcp__{name}" for name in READING)
    assert sorted(rules["ask"]) == sorted(f"mcp__mymcp__{name}" for name in CHANGING)


def test_cursor_allows_nothing_that_changes(capsys: pytest.CaptureFixture[str]) -> None:
    found, _ = printed(capsys, "cursor")
    allowed = found[".cursor/cli.json"]["permissions"]["allow"]
    assert sorted(allowed) == sorted(f"Mcp(mymcp:{name})" for name in READING)


def test_one_file_of_several_is_printed_alone(capsys: pytest.CaptureFixture[str]) -> None:
    whole, _ = printed(capsys, "claude-code")
    for name, content in whole.items():
        assert printed(capsys, "claude-code", "--file", name)[0] == content
    assert serve.main(["client-config", "claude-code", "--file", "other"]) == 2
    shown = capsys.readouterr()
    assert shown.out == ""
    assert shown.err == (
        "mymcp client-config: claude-code has no such file;"
        " it has .mcp.json, .claude/settings.json\n"
    )


def test_a_tool_is_allowed_only_if_it_reads_and_needs_no_consent() -> None:
    tools = [
        capability("a", read_only=True),
        capability("b", read_only=False),
        capability("c", read_only=True, consent="per_call"),
    ]
    rules = files_for("opencode", URL, tools)["opencode.json"]["permission"]
    assert rules == {"mymcp_*": "deny", "mymcp_a": "allow", "mymcp_b": "ask", "mymcp_c": "ask"}


def test_the_address_is_that_of_the_host_configuration(tmp_path: Path) -> None:
    host_configuration(tmp_path, text(1, '[server]\naddress = "127.0.0.9"\nport = 8123\n'))
    done = run(tmp_path, "client-config", "vscode")
    assert json.loads(done.stdout) == {
        "servers": {"mymcp": {"type": "http", "url": "http://127.0.0.9:8123/mcp"}}
    }
    assert done.returncode == 0


def test_the_tools_of_external_plugins_follow_from_their_manifests_alone(tmp_path: Path) -> None:
    note = declared("note", read_only=False, consent="per_call")
    whole = manifest(id="my-demo", capabilities=[declared("look"), note])
    host_configuration(tmp_path, text(7, external(tmp_path, whole)))
    rules = json.loads(run(tmp_path, "client-config", "opencode").stdout)["permission"]
    assert rules["mymcp_my-demo__look"] == "allow"
    assert rules["mymcp_my-demo__note"] == "ask"
    assert set(rules) == {f"mymcp_{name}" for name in ("*", *READING, *CHANGING)} | {
        "mymcp_my-demo__look",
        "mymcp_my-demo__note",
    }


def test_a_manifest_that_cannot_be_read_is_one_line(tmp_path: Path) -> None:
    host_configuration(tmp_path, text(7, external(tmp_path, {"id": "hunter2"})))
    done = run(tmp_path, "client-config", "cursor")
    assert (done.returncode, done.stdout) == (78, "")
    assert done.stderr.startswith("mymcp client-config: external_manifest_invalid: plugin 1 (my-d")
    assert done.stderr.count("\n") == 1
    assert "hunter2" not in done.stderr


def test_a_mistake_in_the_host_configuration_is_one_line(tmp_path: Path) -> None:
    host_configuration(tmp_path, "schema_version = 99\n")
    done = run(tmp_path, "client-config", "cursor")
    assert (done.returncode, done.stdout) == (78, "")
    assert done.stderr.startswith("mymcp client-config: unsupported_schema_version: ")
    assert done.stderr.count("\n") == 1
