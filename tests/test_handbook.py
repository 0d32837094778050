"""What the pages tell operators to write and to run: it is right, and complete."""

import configparser
import json
import plistlib
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from mymcp._generated.registry import CAPABILITIES
from mymcp.cli.address import loopback_address
from mymcp.cli.exits import EXIT_CONFIGURATION
from mymcp.cli.service import options_of
from mymcp.transport.server import GRACE_SECONDS

CHECKOUT = Path(__file__).resolve().parents[1]
PROJECT = tomllib.loads((CHECKOUT / "pyproject.toml").read_text("utf-8"))["project"]
PAGES = {path.stem: path.read_text("utf-8") for path in (CHECKOUT / "docs").glob("*.md")}
URL = "http://127.0.0.1:8000/mcp"
USAGE_ERROR = 2


def section(page: str, heading: str) -> str:
    """Return what stands below `heading`, down to the next one of its level or above."""
    level = heading.split(maxsplit=1)[0]
    found = re.search(
        rf"^{re.escape(heading)}$(.*?)(?=^#{{1,{len(level)}}} |\Z)",
        PAGES[page],
        re.MULTILINE | re.DOTALL,
    )
    assert found is not None, heading
    return found[1]


def blocks(text: str, language: str) -> list[str]:
    found: list[str] = re.findall(rf"^```{language}\n(.*?)^```", text, re.MULTILINE | re.DOTALL)
    return found


def help_of(command: str, *words: str) -> str | None:
    """Return the help of a command of the product; none if it has no command line."""
    module, function = PROJECT["scripts"][command].split(":")
    program = f"import sys; from {module} import {function}; sys.exit({function}())"
    if command == "mymcp-test":  # it hands nothing on and takes nothing
        return None
    run = [sys.executable, "-c", program, *words, "--help"]
    return subprocess.run(run, cwd=CHECKOUT, capture_output=True, text=True, check=True).stdout


def commands_below(command: str, *words: str) -> Iterator[tuple[tuple[str, ...], str]]:
    """Yield `command`, and every command below it, with its help."""
    text = help_of(command, *words)
    if text is None:
        return
    yield (command, *words), text
    choices = re.search(r"^  \{([a-z,-]+)\}", text, re.MULTILINE)
    for word in choices[1].split(",") if choices else ():
        yield from commands_below(command, *words, word)


@pytest.mark.parametrize("command", PROJECT["scripts"])
def test_every_command_and_every_option_of_it_is_documented(command: str) -> None:
    everything = "\n".join(PAGES.values())
    assert f"`{command}" in everything
    for words, text in commands_below(command):
        assert " ".join(words) in everything
        for option in set(re.findall(r"(?<![\w-])--[a-z-]+", text)):
            assert re.search(rf"`[^`]*{option}(?![\w-])[^`]*`", everything), (words, option)


def test_every_format_of_the_log_is_documented() -> None:
    text = help_of("mymcp")
    assert text is not None
    formats = re.search(r"--log-format \{([a-z,]+)\}", text)
    assert formats is not None
    row = re.search(r"^\| `--log-format .*$", PAGES["operations"], re.MULTILINE)
    assert row is not None
    assert all(f"`{name}`" in row[0] for name in formats[1].split(","))


def test_the_lines_of_the_log_that_are_shown_say_the_same() -> None:
    (shown,) = (text for text in blocks(section("operations", "## Log"), "") if "INFO" in text)
    text, machine = shown.splitlines()
    found: dict[str, Any] = json.loads(machine)
    assert f"{found['level']} {found['logger']} {found['event']} id={found['id']}" in text
    assert f"duration_ms={found['duration_ms']}" in text


def test_the_unit_for_systemd_starts_the_product_and_leaves_mistakes_alone() -> None:
    (text,) = blocks(section("operations", "### systemd"), "ini")
    unit = configparser.ConfigParser(interpolation=None)
    unit.optionxform = str  # type: ignore[assignment,method-assign]  # systemd knows letter case
    unit.read_string(text)
    service = unit["Service"]
    program, *arguments = service["ExecStart"].split()
    assert Path(program).name in PROJECT["scripts"]
    options_of(arguments)
    assert service["RestartPreventExitStatus"] == f"{USAGE_ERROR} {EXIT_CONFIGURATION}"
    assert int(service["TimeoutStopSec"]) > 2 * GRACE_SECONDS


def test_the_agent_for_launchd_starts_the_product() -> None:
    (text,) = blocks(section("operations", "### launchd"), "xml")
    agent = plistlib.loads(text.encode())
    shell, flag, script = agent["ProgramArguments"]
    assert (shell, flag) == ("/bin/sh", "-c")
    words = script.partition("2>>")[0].split()
    assert words[0] == "exec"  # so that signals reach the server
    assert Path(words[1].strip('"')).name in PROJECT["scripts"]
    options_of(words[2:])
    assert agent["Umask"] == 0o077
    assert agent["ExitTimeOut"] > 2 * GRACE_SECONDS


def test_backup_and_restore_as_they_are_written_bring_the_memory_back(tmp_path: Path) -> None:
    backup, restore = blocks(section("operations", "## Backup and restore"), "sh")
    record = tmp_path / ".mnemosyne" / "memory" / "project" / "atlas" / "mem_1.json"
    record.parent.mkdir(parents=True)
    record.write_text("first")
    record.chmod(0o600)
    run_in_shell(backup, tmp_path)
    record.write_text("second")
    (record.parent / "mem_2.json").write_text("later")
    run_in_shell(restore, tmp_path)
    assert record.read_text() == "first"
    assert [path.name for path in record.parent.iterdir()] == ["mem_1.json"]
    assert record.stat().st_mode & 0o777 == 0o600
    kept = tmp_path / ".mnemosyne" / "memory.before" / "project" / "atlas"
    assert {path.read_text() for path in kept.iterdir()} == {"second", "later"}


def run_in_shell(commands: str, home: Path) -> None:
    subprocess.run(
        ["/bin/sh", "-euc", commands], env={"HOME": str(home), "PATH": "/usr/bin:/bin"}, check=True
    )


def strings(value: object) -> Iterator[str]:
    if isinstance(value, dict):
        for inner in value.values():
            yield from strings(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from strings(inner)
    elif isinstance(value, str):
        yield value


def test_every_client_is_given_the_address_at_which_the_server_listens() -> None:
    settings = [json.loads(text) for text in blocks(PAGES["clients"], "json")]
    connecting = [found for found in settings if "permissions" not in found]
    assert len(connecting) == 3
    assert all(URL in strings(found) for found in connecting)
    (command,) = blocks(section("clients", "## Claude Code"), "sh")
    assert command.split()[-1] == URL
    assert loopback_address("127.0.0.1") in URL


def test_rules_for_claude_code_follow_the_contracts() -> None:
    (text,) = blocks(section("clients", "## Claude Code"), "json")
    rules = json.loads(text)["permissions"]
    assert set(rules) == {"allow", "ask"}
    for verdict, consent in (("allow", "none"), ("ask", "per_call")):
        names = {f"mcp__mymcp__{one.name}" for one in CAPABILITIES if one.consent == consent}
        assert set(rules[verdict]) == names


@pytest.mark.parametrize(("rule", "consent"), [("allow", "none"), ("ask", "per_call")])
def test_the_table_of_rules_follows_the_contracts(rule: str, consent: str) -> None:
    row = re.search(rf"^\| (`.*) \| {rule} \|$", PAGES["clients"], re.MULTILINE)
    assert row is not None
    assert set(re.findall(r"`(\w+)`", row[1])) == {
        one.name for one in CAPABILITIES if one.consent == consent
    }


def test_a_change_from_0_10_1_to_now_is_told_for_every_capability() -> None:
    table = section("upgrading", "## Schemas to refresh")
    rows = dict(re.findall(r"^\| (?:plugin )?`(\w+)` \| .* \| ([0-9.]+) \|$", table, re.MULTILINE))
    manifest = json.loads((CHECKOUT / "contracts" / "manifests" / "mnemosyne.json").read_text())
    known = {one.name: one.version for one in CAPABILITIES}
    assert rows == known | {"mnemosyne": manifest["version"]}
