"""Command lines that are refused."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from mymcp.cli import check, client_config, credential, doctor, plugin, serve
from mymcp.cli.usage import Parser

HOSTILE = "\x1b]0;title\x07\u202egnp.\n"


@pytest.mark.parametrize(
    ("command", "words"),
    [
        (serve.main, [HOSTILE]),
        (serve.main, ["--port", HOSTILE]),
        (check.main, [HOSTILE]),
        (doctor.main, ["--config", "a", HOSTILE]),
        (client_config.main, [HOSTILE]),
        (plugin.main, ["check", "a", HOSTILE]),
        (plugin.main, [HOSTILE]),
        (credential.main, [HOSTILE]),
        (credential.main, ["revoke", HOSTILE]),
    ],
)
def test_words_are_not_repeated_as_they_stand(
    command: Callable[[list[str]], int], words: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as ended:
        command(words)
    written = capsys.readouterr().err
    assert ended.value.code == 2
    assert written.startswith("usage: ")
    assert all(line.isprintable() for line in written.splitlines())


@pytest.mark.parametrize(
    "words",
    [
        ["--log-format", "json", "--port", "0"],
        ["--port", "0", "--log-format=json"],
        ["--log", "json", "--no-such"],
        ["--no-such", "--log-format", "text", "--log-format", "json"],
    ],
)
def test_wrong_usage_is_one_json_line_where_those_are_asked_for(
    words: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as ended:
        serve.main(words)
    (line,) = capsys.readouterr().err.splitlines()
    said = json.loads(line)
    assert (ended.value.code, said["code"], said["level"]) == (2, "usage", "ERROR")
    assert ("--port" in said["message"]) == ("--port" in words)


def test_a_parser_without_log_format_writes_text(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        Parser(prog="some").options(["--log-format", "json"])
    assert capsys.readouterr().err.startswith("usage: some ")


@pytest.mark.parametrize("command", [serve.main, check.main, doctor.main])
def test_a_relative_path_needs_a_current_folder(
    command: Callable[[list[str]], int],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    gone = tmp_path / "gone"
    gone.mkdir()
    monkeypatch.chdir(gone)
    gone.rmdir()
    with pytest.raises(SystemExit) as ended:
        command(["--config", "config.toml"])
    assert ended.value.code == 2
    assert "the current folder is gone; give a path from /" in capsys.readouterr().err
