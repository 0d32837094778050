"""The page about OAuth: its commands work, and what it shows is what there is."""

import os
import re
import subprocess
import sys
from pathlib import Path
from shutil import which
from typing import get_args

import pytest

from mymcp.app import create_production_app, load_settings
from mymcp.authentication.oauth import claims as claim
from mymcp.authentication.oauth import discovery, keys
from mymcp.authentication.oauth.discovery import DiscoveryCode
from mymcp.authentication.oauth.download import DOWNLOAD_SECONDS
from tests.authentication.oauth.issuer import issuing
from tests.authentication.oauth.keys import KEY, claims
from tests.authentication.oauth.test_served import free_port
from tests.transport.serving import serving

PAGE = (Path(__file__).parents[3] / "docs" / "authentication-oauth.md").read_text(encoding="utf-8")
NAME = "https://issuer.invalid/tenant"
FENCED = re.findall(r"^```(sh)?\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
COMMANDS = [text for language, text in FENCED if language]
SHOWN = [text for language, text in FENCED if not language]


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.delenv("XDG_CONFIG_HOME")
    return tmp_path


def run(command: str, **variables: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        ["sh", "-c", command],
        env={**os.environ, **variables},
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )


def test_the_page_has_four_commands_and_three_answers() -> None:
    assert (len(COMMANDS), len(SHOWN)) == (4, 3)


def test_the_server_is_configured_by_the_first_command_and_says_what_is_wrong(home: Path) -> None:
    here = Path(__file__).parents[3]
    python = f"PYTHONPATH={here} {sys.executable} -m mymcp"
    command = COMMANDS[0].replace("\nmymcp\n", f"\n{python}\n")
    done = run(command.replace("8000", str(free_port())))
    assert (done.returncode, done.stderr) == (78, SHOWN[0])
    settings = load_settings()
    assert settings.issuer == NAME
    assert (home / ".config" / "mymcp" / "config.toml").stat().st_mode & 0o077 == 0


@pytest.mark.skipif(which("curl") is None, reason="the commands of the page call curl")
def test_every_other_command_shows_what_the_page_shows(home: Path) -> None:
    port = free_port()
    with issuing() as issuer:

        def here(text: str) -> str:
            return text.replace(NAME, issuer.name).replace("8000", str(port))

        run(here(COMMANDS[0]).removesuffix("mymcp\n"))
        assert (home / ".config").exists()
        app = create_production_app(load_settings(), network=issuer.network)
        with serving(app, port):
            refused = run(here(COMMANDS[1])).stdout
            assert refused.startswith("HTTP/1.1 401")
            assert here(SHOWN[1]).strip() in refused.splitlines()
            assert refused.endswith("\n\n")
            assert run(here(COMMANDS[2])).stdout == here(SHOWN[2]).strip()
            token = KEY.issued(claims(iss=issuer.name, aud=f"http://127.0.0.1:{port}/mcp"))
            assert '"serverInfo"' in run(here(COMMANDS[3]), TOKEN=token).stdout
            assert run(here(COMMANDS[3]), TOKEN=token[:-1]).stdout == ""


def test_every_reason_is_on_the_page() -> None:
    listed = re.findall(r"^\| `([a-z_]+)` \|", PAGE, re.MULTILINE)
    assert set(get_args(DiscoveryCode)) <= set(listed)


@pytest.mark.parametrize(
    ("row", "bounds"),
    [
        ("metadata", [discovery.METADATA_MAX_BYTES]),
        ("keys", [discovery.KEY_SET_MAX_BYTES, discovery.KEYS_MAX]),
        ("a usable key", [keys.MODULUS_BITS[0], keys.MODULUS_BITS[-1]]),
        ("claims", [claim.LIFETIME_MAX_SECONDS, claim.SKEW_SECONDS]),
    ],
)
def test_bounds_on_the_page_are_those_of_the_code(row: str, bounds: list[int]) -> None:
    line = re.search(rf"^\| {row} \| (.*) \|$", PAGE, re.MULTILINE)
    assert line is not None
    assert {f"{bound:,}" for bound in bounds} <= set(re.findall(r"[0-9][0-9,]*", line[1]))
    assert f"each within {DOWNLOAD_SECONDS:g} s" in PAGE
