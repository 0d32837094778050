"""docs/plugins.md, followed word for word: from nothing to a tool that a client calls."""

import json
import os
import re
import shlex
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any, get_args

import pytest

from mymcp import plugin
from mymcp.app import create_app
from mymcp.host.external.failure import ExternalCode
from mymcp.host.external.preflight import CAPABILITIES_MAX, PLUGINS_MAX
from mymcp.host.external.reference import PluginReference, UnsafeSchemas
from mymcp.host.pools import PLUGIN_THREADS
from mymcp.host.production import build_production_runtime
from mymcp.plugin.errors import CODES
from mymcp.plugin.manifest import MANIFEST_MAX_BYTES
from tests.transport.serving import serving

CHECKOUT = Path(__file__).resolve().parents[1]
GUIDE = (CHECKOUT / "docs" / "plugins.md").read_text(encoding="utf-8")
NEW, CHECK, TEST, INSTALL, CALL = re.findall(r"^```sh\n(.*?)^```", GUIDE, re.MULTILINE | re.DOTALL)


def blocks(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```", GUIDE, re.MULTILINE | re.DOTALL)


class Desk:
    """A folder in which a reader types; `mymcp` and `python` are those of this environment.

    What pip installs goes into a folder of its own, and nothing else is fetched.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.site = folder / "site"
        programs = folder / "bin"
        programs.mkdir()
        python, site = shlex.quote(sys.executable), shlex.quote(str(self.site))
        for name, lines in (
            ("mymcp", f'exec {python} -m mymcp "$@"'),
            (
                "python",
                f"""
                case "$1 $2 $3" in
                    "-m pip install") shift 3; set -- -m pip install --target {site} --no-deps "$@"
                esac
                exec {python} "$@"
            """,
            ),
        ):
            script = programs / name
            script.write_text(f"#!/bin/sh\n{lines}\n")
            script.chmod(0o755)
        self._environment = {
            **os.environ,
            "PATH": f"{programs}:{os.environ['PATH']}",
            "PYTHONPATH": str(CHECKOUT),
            "PYTHONDONTWRITEBYTECODE": "1",
            "PIP_DISABLE_PIP_VERSION_CHECK": "1",
        }

    def type(self, commands: str) -> str:
        done = subprocess.run(
            ["/bin/sh", "-euc", commands],
            cwd=self.folder,
            env=self._environment,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout


def declared(shown: str) -> PluginReference:
    """Return the plugin that the printed lines of a configuration declare."""
    lines = [line for line in shown.splitlines() if line.strip().startswith("[[") or " = " in line]
    (found,) = tomllib.loads("\n".join(lines))["plugins"]
    assert found["enabled"] is True
    return PluginReference(1, found["id"], Path(found["manifest_path"]), found["module"])


def test_reader_of_the_guide_ends_with_a_tool_that_a_client_calls(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    desk = Desk(tmp_path)
    reference = declared(desk.type(NEW))
    assert desk.type(CHECK) == blocks("text")[0]
    assert "3 passed" in desk.type(TEST)
    desk.type(INSTALL)

    (written,) = tomllib.loads(blocks("toml")[0])["plugins"]
    assert (written["id"], written["module"]) == (reference.plugin_id, reference.module)
    assert str(reference.manifest_path).endswith(written["manifest_path"].removeprefix("/home/you"))

    monkeypatch.syspath_prepend(desk.site)
    with serving(create_app(build_production_runtime({}, tmp_path, [reference]))) as wire:
        words = shlex.split(CALL.replace("\\\n", " "))
        sent = json.loads(words[words.index("-d") + 1])
        answer: Any = wire.post(sent).json
    assert answer["result"]["structuredContent"] == {"greeting": "Hello, Ada!"}


def test_function_of_the_guide_is_that_of_the_new_plugin() -> None:
    template = (CHECKOUT / "mymcp" / "cli" / "template" / "greet.py.txt").read_text("utf-8")
    signature, *lines = blocks("python")[0].splitlines()
    assert signature in template
    assert "\n".join(lines) in template


def told(words: set[str]) -> set[str]:
    return {word for word in words if re.search(rf"`[^`]*(?<![\w-]){re.escape(word)}", GUIDE)}


def test_guide_says_that_compatibility_is_no_safety() -> None:
    assert "Compatibility validation is no safety validation." in GUIDE


def test_guide_names_every_code_every_name_and_every_policy() -> None:
    for words in (set(get_args(ExternalCode)), CODES, set(plugin.__all__)):
        assert told(set(words)) == words
    assert told(set(get_args(UnsafeSchemas))) == set(get_args(UnsafeSchemas))


def test_codes_of_the_guide_exist() -> None:
    rows = re.findall(
        r"^\| (`[a-z0-9_`, ]+`) \|", GUIDE.partition("## What stops a start")[2], re.MULTILINE
    )
    named = {word for row in rows for word in re.findall(r"`(\w+)`", row)}
    assert named == set(get_args(ExternalCode)) | CODES


def test_numbers_of_the_guide_are_those_of_the_code() -> None:
    assert f"At most {PLUGINS_MAX} plugins may be enabled, with {CAPABILITIES_MAX} capab" in GUIDE
    assert f"at most {MANIFEST_MAX_BYTES:,} bytes, no key twice" in GUIDE
    assert PLUGIN_THREADS == 4
    assert "each plugin has four of its own" in GUIDE
