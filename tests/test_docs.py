"""The documents: everything public is in them, it holds, and their links lead somewhere."""

import ast
import json
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any, get_args

import pytest

from mymcp._generated.registry import CAPABILITIES
from mymcp.authentication import evidence, failures
from mymcp.authentication.bearer import verifiers
from mymcp.cli import interrupts, service
from mymcp.configuration import keys, loading, refusal
from mymcp.configuration.document import settings_in
from mymcp.configuration.settings import HostSettings
from mymcp.contract import strict_json
from mymcp.host import pools, workers
from mymcp.mcp import messages, sessions
from mymcp.plugins.mnemosyne import settings
from mymcp.plugins.mnemosyne.memory import lock, records, store
from mymcp.plugins.mnemosyne.memory.discovery import SkipReason
from mymcp.transport import body, connection, guard, server, stream

CHECKOUT = Path(__file__).resolve().parents[1]
README, OPERATIONS, CONFIGURATION, CONTRIBUTING, GLOSSARY = (
    (CHECKOUT / name).read_text(encoding="utf-8")
    for name in (
        "README.md",
        "docs/operations.md",
        "docs/configuration.md",
        "CONTRIBUTING.md",
        "docs/glossary.md",
    )
)
RESOLVED = CHECKOUT / "mymcp" / "_generated" / "data" / "contracts"
HOST_FORMATS = sorted((RESOLVED / "config").glob("host-v*.json"))
ENVELOPES = sorted((CHECKOUT / "contracts" / "tools").glob("*/*.json"))
SCRIPTS = tomllib.loads((CHECKOUT / "pyproject.toml").read_text(encoding="utf-8"))["project"][
    "scripts"
]
VARIABLE = re.compile(r"(?:MYMCP|MNEMOSYNE|XDG)_[A-Z_]+")
PAGES = sorted(
    path
    for pattern in ("*.md", "docs/**/*.md", "contracts/**/*.md")
    for path in CHECKOUT.glob(pattern)
)


def source(*packages: str) -> list[ast.AST]:
    paths = (path for package in packages for path in (CHECKOUT / package).rglob("*.py"))
    texts = (path.read_text(encoding="utf-8") for path in paths if "_generated" not in path.parts)
    return [node for text in texts for node in ast.walk(ast.parse(text))]


def strings(nodes: list[ast.AST]) -> set[str]:
    constants = (node.value for node in nodes if isinstance(node, ast.Constant))
    return {value for value in constants if isinstance(value, str)}


def first_arguments(nodes: list[ast.AST], callee: str) -> set[str]:
    """Return the texts with which `callee` is called."""
    calls = (node for node in nodes if isinstance(node, ast.Call) and node.args)
    firsts = (call.args[0] for call in calls if ast.unparse(call.func).split(".")[-1] == callee)
    return {node.value for node in firsts if isinstance(node, ast.Constant)}


def help_of(*module: str) -> str:
    command = [sys.executable, "-m", *module, "--help"]
    return subprocess.run(command, cwd=CHECKOUT, capture_output=True, text=True, check=True).stdout


def told(text: str, words: set[str]) -> set[str]:
    """Return which of `words` stand in `text` as code."""
    return {
        word
        for word in words
        if re.search(rf"`[^`]*(?<![\w-]){re.escape(word)}(?![\w-])[^`]*`", text)
    }


@pytest.mark.parametrize("envelope", ENVELOPES, ids=lambda path: path.stem)
def test_page_of_a_tool_names_its_fields_and_error_codes(envelope: Path) -> None:
    contract = json.loads(envelope.read_text(encoding="utf-8"))
    page = (CHECKOUT / "docs" / "contracts" / f"{contract['name']}.md").read_text(encoding="utf-8")
    public = {error["code"] for error in contract["errors"]}
    public |= set(contract["input"]["properties"]) | set(contract["result"]["properties"])
    assert told(page, public) == public


def test_readme_names_every_tool() -> None:
    names = {capability.name for capability in CAPABILITIES}
    assert told(README, names) == names


def test_every_setting_is_documented_and_every_documented_one_exists() -> None:
    read = {text for text in strings(source("mymcp")) if VARIABLE.fullmatch(text)}
    assert told(OPERATIONS, read) == read
    for page in PAGES:
        assert set(VARIABLE.findall(page.read_text(encoding="utf-8"))) <= read, page.name


def test_every_command_is_documented() -> None:
    assert told(OPERATIONS, set(SCRIPTS)) == set(SCRIPTS)


def test_every_option_of_a_command_is_documented() -> None:
    options = first_arguments(source("mymcp/cli"), "add_argument") | {"--help"}
    assert told(OPERATIONS, options) == options


def test_documented_options_are_those_of_the_command() -> None:
    listed = set(re.findall(r"(?<!\w)--[a-z-]+", help_of("mymcp")))
    rows = re.findall(r"^\| `(--[a-z-]+)", OPERATIONS, re.MULTILINE)
    assert set(rows) == listed


def test_every_command_of_the_generator_is_documented() -> None:
    commands = re.search(r"\{([a-z,]+)\}", help_of("codegen"))
    assert commands is not None
    words = {f"python -m codegen {command}" for command in commands[1].split(",")}
    assert told(CONTRIBUTING, words) == words
    assert told(CONTRIBUTING, {"--reason"}) == {"--reason"}


def test_every_session_is_documented() -> None:
    tree = ast.parse((CHECKOUT / "noxfile.py").read_text(encoding="utf-8"))
    sessions = {
        node.name
        for node in tree.body
        if isinstance(node, ast.FunctionDef)
        and any("session" in ast.unparse(decorator) for decorator in node.decorator_list)
    }
    assert set(re.findall(r"^\| `(\w+)` \|", CONTRIBUTING, re.MULTILINE)) == sessions


def test_every_code_that_stops_a_start_is_documented() -> None:
    raised = source("mymcp")
    codes = first_arguments(raised, "CompositionError")
    assert codes
    codes |= set(get_args(settings.SettingsCode))
    assert told(OPERATIONS, codes) == codes


def test_every_key_of_the_settings_file_is_documented() -> None:
    contract = json.loads((CHECKOUT / "contracts" / "config" / "mnemosyne.json").read_text("utf-8"))
    keys = set(contract["config"]["properties"]["memory"]["properties"])
    shown = re.search(r"^```toml\n(.*?)^```", OPERATIONS, re.MULTILINE | re.DOTALL)
    assert shown is not None
    assert set(tomllib.loads(shown[1])["memory"]) == keys
    assert all(key in README for key in keys)


def test_every_code_of_the_host_configuration_is_documented() -> None:
    listed = re.findall(r"^\| `([a-z_0-9]+)` \| [a-z`]", CONFIGURATION, re.MULTILINE)
    codes = set(get_args(refusal.ConfigurationCode))
    assert len(codes) == 17
    assert codes <= set(listed)


def keys_of(schema: dict[str, Any], above: str = "") -> Iterator[str]:
    """Yield the dotted names of all keys of a resolved schema."""
    for name, inner in schema.get("properties", {}).items():
        yield f"{above}{name}"
        yield from keys_of(inner, f"{above}{name}.")
        yield from keys_of(inner.get("items", {}), f"{above}{name}[].")


@pytest.mark.parametrize("path", HOST_FORMATS, ids=lambda path: path.stem)
def test_every_key_of_the_host_configuration_is_documented_with_its_first_format(
    path: Path,
) -> None:
    contract = json.loads(path.read_text(encoding="utf-8"))
    rows = dict(re.findall(r"^\| `([a-z_.\[\]]+)` \| ([^|]+) \|", CONFIGURATION, re.MULTILINE))
    found = set(keys_of(contract["config"]))
    known = {name for name, key in keys.KEYS.items() if key.since <= contract["version"]}
    assert found == {name for name in known if not name.endswith("[]")}
    for name in found:
        since = keys.KEYS[name].since
        assert rows[name].startswith({1: "all", 7: "7"}.get(since, f"from {since} on"))


def test_the_example_of_a_host_configuration_says_the_defaults() -> None:
    shown = re.search(r"^```toml\n(.*?)^```", CONFIGURATION, re.MULTILINE | re.DOTALL)
    assert shown is not None
    found = settings_in(tomllib.loads(shown[1]))
    assert replace(found, schema_version=1, plugins=()) == HostSettings()
    assert [plugin.id for plugin in found.plugins] == ["example-plugin"]


def test_the_message_that_is_shown_is_one_that_is_given() -> None:
    with pytest.raises(refusal.HostConfigurationError) as caught:
        settings_in({"schema_version": 1, "plugins": [{"id": "X", "enabled": False}]})
    assert f"\nmymcp: {caught.value}\n" in CONFIGURATION


def test_every_exit_code_is_documented() -> None:
    named = {service.EXIT_OTHER, service.EXIT_CONFIGURATION, interrupts.EXIT_INTERRUPTED}
    codes = {*map(str, named), "0", "2"}
    assert codes <= set(re.findall(r"^\| ([0-9]+) \|", OPERATIONS, re.MULTILINE))


def test_every_logger_and_every_reason_to_skip_is_documented() -> None:
    loggers = first_arguments(source("mymcp"), "getLogger")
    assert told(OPERATIONS, loggers) == loggers
    reasons = set(get_args(SkipReason))
    assert told(OPERATIONS, reasons) == reasons


@pytest.mark.parametrize(
    ("row", "values"),
    [
        (
            "request target and headers",
            [guard.HEAD_MAX_BYTES // 2**10, connection.OVERHEAD_MAX_BYTES // 2**10],
        ),
        ("request body", [body.BODY_MAX_BYTES // 2**20, int(body.BODY_DEADLINE_SECONDS)]),
        ("long bodies", [body.BODIES_MAX_BYTES // 2**20]),
        (
            "JSON",
            [
                strict_json.NESTING_MAX_LEVELS,
                strict_json.VALUES_MAX,
                strict_json.INTEGER_MAX_DIGITS,
            ],
        ),
        ("request id, method", [messages.ID_MAX_CHARACTERS, messages.METHOD_MAX_CHARACTERS]),
        (
            "calls at a time",
            [
                workers.WORKER_THREADS,
                pools.CHANGING_THREADS,
                workers.WORKER_QUEUE_CALLS,
                int(workers.WORKER_DEADLINE_SECONDS),
            ],
        ),
        ("event streams", [stream.STREAMS_LIMIT, stream.STREAMS_TOTAL]),
        ("sessions", [sessions.SESSIONS_OF_ONE_MAX, sessions.SESSIONS_MAX]),
        ("evidence", [evidence.EVIDENCE_MAX_BYTES]),
        ("failures to prove", [failures.FAILURES_A_MINUTE, int(failures.SLOW_SECONDS)]),
        ("verifier file", [verifiers.FILE_MAX_BYTES, verifiers.VERIFIERS_MAX]),
        ("idle connection", [server.KEEP_ALIVE_SECONDS]),
        ("after a signal to stop", [server.GRACE_SECONDS]),
        ("record file", [records.RECORD_MAX_BYTES]),
        ("settings file", [settings.FILE_MAX_BYTES]),
        ("host configuration", [loading.FILE_MAX_BYTES]),
        (
            "record files in one selection",
            [store.CANDIDATE_LIMIT, settings.CANDIDATE_LIMITS[-1]],
        ),
        ("waiting for another writer", [int(lock.LOCK_WAIT_SECONDS)]),
    ],
)
def test_documented_limit_is_the_one_of_the_code(row: str, values: list[int]) -> None:
    line = re.search(rf"^\| {re.escape(row)}[^|]*\| (.*) \|$", OPERATIONS, re.MULTILINE)
    assert line is not None
    assert [
        int(number.replace(",", "")) for number in re.findall(r"[0-9][0-9,]*", line[1])
    ] == values


def test_client_policy_of_opencode_follows_the_contracts() -> None:
    policy = json.loads((CHECKOUT / "opencode.json").read_text(encoding="utf-8"))
    expected = {"mymcp_*": "deny"}
    for consent, verdict in (("none", "allow"), ("per_call", "ask")):
        names = (each.name for each in CAPABILITIES if each.consent == consent)
        expected |= {f"mymcp_{name}": verdict for name in names}
    for permission in (policy["permission"], policy["agent"]["mymcp"]["permission"]):
        assert permission == expected
        assert list(permission.values()) == sorted(
            permission.values(), key=["deny", "allow", "ask"].index
        )


def test_glossary_is_in_order() -> None:
    terms = re.findall(r"^- \*\*(.+?)\*\*:", GLOSSARY, re.MULTILINE)
    assert terms == sorted(terms, key=str.lower)
    assert len(terms) == GLOSSARY.count("\n- ")


@pytest.mark.parametrize("page", PAGES, ids=lambda path: path.relative_to(CHECKOUT).as_posix())
def test_links_of_a_page_lead_somewhere(page: Path) -> None:
    text = re.sub(r"```.*?```|`[^`\n]*`", "", page.read_text(encoding="utf-8"), flags=re.DOTALL)
    links = re.findall(r"\]\(([^)#\s]+)(?:#[^)]*)?\)", text)
    broken = [
        link
        for link in links
        if not link.startswith(("https://", "http://")) and not (page.parent / link).exists()
    ]
    assert broken == []
