"""docs/authentication.md: a newcomer who types what stands there gets there."""

import json
import os
import re
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import get_args

import pytest

from mymcp.authentication.bearer.verifiers import FILE_MAX_BYTES, verifiers_in
from mymcp.authentication.failures import FAILURES_A_MINUTE, SOURCES_MAX
from mymcp.authentication.method import FAILURE_CODES
from mymcp.authentication.refusal import MethodCode
from mymcp.mcp.batches import BATCH_MAX_MESSAGES
from mymcp.mcp.sessions import SESSIONS_MAX, SESSIONS_OF_ONE_MAX
from mymcp.sources.refusal import SourceCode
from mymcp.transport.entrance import SLOWED_MAX
from mymcp.transport.stream import STREAMS_LIMIT, STREAMS_TOTAL
from tests.cli.test_configured import free_port

CHECKOUT = Path(__file__).parents[2]
PAGE = (CHECKOUT / "docs" / "authentication.md").read_text("utf-8")
SECURITY = (CHECKOUT / "SECURITY.md").read_text("utf-8")
COMMANDS = re.findall(r"^```sh\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL)
DOCUMENTED_ID = "0123456789abcdef" * 2

OF_OAUTH = {"oauth_route_invalid", "anonymous_access_enabled", "oauth_validation_source"} | {
    "oauth_resource",
    "oauth_configuration",
}


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """A home of somebody who has installed MyMCP and nothing else."""
    programs = tmp_path / "bin"
    programs.mkdir()
    program = programs / "mymcp"
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m mymcp "$@"\n')
    program.chmod(0o755)
    return tmp_path


def environment(home: Path) -> dict[str, str]:
    mine = {k: v for k, v in os.environ.items() if not k.startswith(("XDG_", "MNEMOSYNE_"))}
    path = f"{home / 'bin'}:{os.environ['PATH']}"
    return mine | {"HOME": str(home), "PATH": path, "PYTHONPATH": str(CHECKOUT)}


def typed(home: Path, command: str) -> str:
    done = subprocess.run(
        ["bash", "-euo", "pipefail", "-c", command],
        env=environment(home),
        cwd=home,
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@contextmanager
def server(home: Path, command: str, port: int) -> Iterator[None]:
    with subprocess.Popen(
        ["bash", "-c", f"exec {command}"],
        env=environment(home),
        cwd=home,
        stderr=subprocess.DEVNULL,
    ) as process:
        try:
            end = time.monotonic() + 30
            while process.poll() is None and time.monotonic() < end:
                with socket.socket() as probe:
                    if probe.connect_ex(("127.0.0.1", port)) == 0:
                        break
                time.sleep(0.02)
            yield
        finally:
            process.terminate()


@pytest.mark.skipif(shutil.which("curl") is None, reason="the page calls curl")
def test_five_commands_set_up_bearer_and_the_next_ones_replace_a_credential(home: Path) -> None:
    port = free_port()
    folder, configuration, credential, serve, ask, listing, another, revoke = (
        command.replace("8000", str(port)) for command in COMMANDS
    )
    assert serve.strip() == "mymcp"
    for command in (folder, configuration, credential):
        assert typed(home, command) == ""
    old = (home / "laptop.header").read_text()
    assert old.startswith("Authorization: Bearer mymcp1.")
    for path in (home / "laptop.header", *(home / ".config" / "mymcp").iterdir()):
        assert path.stat().st_mode & 0o077 == 0, path
    with server(home, serve, port):
        assert json.loads(typed(home, ask))["result"]["serverInfo"]["name"] == "mymcp"
        without = ask.replace('-H @"$HOME/laptop.header"', "-w '%{http_code}'")
        assert typed(home, without) == "401"
    first = typed(home, listing).split("\t")[0]
    (home / "new.header").write_text(f"Authorization: Bearer {typed(home, another)}")
    with_new = ask.replace("laptop.header", "new.header")
    with server(home, serve, port):
        for asked in (ask, with_new):
            assert "result" in json.loads(typed(home, asked))
    assert typed(home, revoke.replace(DOCUMENTED_ID, first)) == ""
    with server(home, serve, port):
        assert "result" in json.loads(typed(home, with_new))
        assert typed(home, ask.replace("curl -s", "curl -s -w '%{http_code}'")) == "401"


def test_the_commands_for_a_leak_are_those_of_the_page() -> None:
    (commands,) = re.findall(r"^```sh\n(.*?)^```", SECURITY, re.MULTILINE | re.DOTALL)
    assert commands.replace("<id>", DOCUMENTED_ID).splitlines() == [
        "mymcp credential list",
        f"mymcp credential revoke {DOCUMENTED_ID}",
    ]


def test_the_verifier_file_that_is_shown_is_one() -> None:
    (shown,) = re.findall(r"^```json\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL)
    assert [one.subject for one in verifiers_in(shown.encode())] == ["laptop"]


def test_every_code_and_every_reason_is_documented() -> None:
    rows = set(re.findall(r"^\| `([a-z_]+)` \|", PAGE, re.MULTILINE))
    assert rows >= FAILURE_CODES | (set(get_args(MethodCode)) - OF_OAUTH)
    reasons = {*get_args(SourceCode), "missing", "invalid_format", "too_many"} - {"invalid_toml"}
    assert {reason for reason in reasons if f"`{reason}`" in PAGE} == reasons


@pytest.mark.parametrize(
    "sentence",
    [
        f"at most {FILE_MAX_BYTES:,} bytes and 32 credentials",
        f"{SOURCES_MAX} addresses are told apart",
        f"At most {SLOWED_MAX} answers wait",
        f"{SESSIONS_OF_ONE_MAX} a caller, the one that rested longest makes room; {SESSIONS_MAX} ",
        f"batches of up to {BATCH_MAX_MESSAGES} messages",
        f"{STREAMS_LIMIT} a caller, {STREAMS_TOTAL} in all",
    ],
)
def test_documented_numbers_are_those_of_the_code(sentence: str) -> None:
    assert sentence in PAGE
    assert FAILURES_A_MINUTE == 10
    assert "Ten failures a minute" in PAGE
