"""`mymcp` as a person runs it."""

import contextlib
import json
import os
import signal
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from mymcp.cli import serve, service
from tests.cli.examining import free_port
from tests.transport.command import Command


def run(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "mymcp", *arguments],
        env=os.environ | environment,
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )


def test_version_is_one_line() -> None:
    done = run("--version")
    assert (done.returncode, done.stdout, done.stderr) == (0, "mymcp 0.11.0\n", "")


@pytest.mark.parametrize(
    "arguments",
    [
        ["--port", "0"],
        ["--port", "65536"],
        ["--port"],
        ["--address", "0.0.0.0"],
        ["--address", "localhost"],
        ["--por", "x"],
        ["--log-format", "xml"],
        ["--no-such"],
        ["extra"],
    ],
)
def test_wrong_usage_ends_with_2(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        serve.main(arguments)
    assert ended.value.code == 2
    assert capsys.readouterr().err.startswith("usage: mymcp ")


def test_a_port_in_use_is_one_line_and_ends_with_1() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        done = run("--port", str(port))
    assert done.returncode == 1
    assert done.stderr == (
        f"mymcp: port {port} of 127.0.0.1 is in use; stop the program that has it"
        " or choose another with --port\n"
    )


@pytest.mark.parametrize(
    ("variable", "value", "code"),
    [
        ("MNEMOSYNE_MEMORY_ROOT", "secret/relative", "invalid_root"),
        ("MNEMOSYNE_MEMORY_ROOT", "~nobody-of-this-name/x", "invalid_root"),
        ("MNEMOSYNE_MEMORY_REMEMBER_ENABLED", "secret", "invalid_gate"),
        ("MNEMOSYNE_MEMORY_CANDIDATE_LIMIT", "secret", "invalid_candidate_limit"),
    ],
)
def test_an_operators_mistake_is_one_line_and_ends_with_78(
    variable: str, value: str, code: str
) -> None:
    done = run("--port", free_port(), **{variable: value})
    assert done.returncode == 78
    assert done.stderr.startswith(f"mymcp: {code}: {variable} ")
    assert done.stderr.count("\n") == 1
    assert value not in done.stderr


@pytest.mark.parametrize(
    ("text", "mode", "code"),
    [
        ("[memory]\nsecret = true\n", 0o600, "invalid_schema"),
        ("[memory]\nremember_enabled = 'secret'\n", 0o600, "invalid_schema"),
        ("secret", 0o600, "invalid_toml"),
        ("", 0o666, "unsafe_permissions"),
    ],
)
def test_a_mistake_in_the_settings_file_is_one_line_and_ends_with_78(
    tmp_path: Path, text: str, mode: int, code: str
) -> None:
    path = tmp_path / ".mnemosyne" / "config.toml"
    path.parent.mkdir(mode=0o700)
    path.write_text(text)
    path.chmod(mode)
    with socket.create_server(("127.0.0.1", 0)) as probe:
        port = probe.getsockname()[1]
    done = run("--port", str(port), HOME=str(tmp_path))
    assert done.returncode == 78
    assert done.stderr.startswith(f"mymcp: {code}: ")
    assert done.stderr.count("\n") == 1
    assert "~/.mnemosyne/config.toml" in done.stderr
    assert "secret" not in done.stderr
    assert str(tmp_path) not in done.stderr


def test_it_logs_where_it_serves_and_each_answer(tmp_path: Path) -> None:
    with Command(tmp_path, "-m", "mymcp", "--port", "{port}") as command:
        command.wire.post({"jsonrpc": "2.0", "id": "one", "method": "ping"})
        assert command.stop() in {0, -signal.SIGTERM}
        assert f"serving url=http://127.0.0.1:{command.wire.port}/mcp" in command.log
        assert "runtime_composition outcome=loaded" in command.log
        assert "INFO mcp response id=one method=ping outcome=ok duration_ms=" in command.log
        assert "GET /" not in command.log  # no access log beside ours
        assert str(tmp_path) not in command.log


def test_every_line_of_the_log_is_json_where_that_is_asked_for(tmp_path: Path) -> None:
    arguments = ("-m", "mymcp", "--log-format", "json", "--port", "{port}")
    with Command(tmp_path, *arguments) as command:
        command.wire.post({"jsonrpc": "2.0", "id": "a\n\u202eb", "method": "ping"})
        command.wire.call("memory_recall", {"query": "hidden words", "scope": "project"})
        with command.wire.open_stream():
            command.stop()
        lines = [json.loads(line) for line in command.log.splitlines()]
    heads = [list(line)[:3] for line in lines]
    assert heads == [["time", "level", "logger"]] * len(lines)
    events = {line["event"]: line for line in lines if line["logger"] == "mcp"}
    assert events["response"]["method"] == "tools/call"
    assert r"a\u{a}\u{202e}b" in {line.get("id") for line in lines}
    (recalled,) = (line for line in lines if line["logger"] == "mcp.memory_recall")
    assert (recalled["outcome"], recalled["returned_count"]) == ("no_matches", 0)
    assert "hidden" not in command.log


def test_a_mistake_is_one_object_with_its_code_where_the_log_is_json() -> None:
    port = free_port()
    done = run("--port", port, "--log-format", "json", MNEMOSYNE_MEMORY_ROOT="secret/relative")
    assert done.returncode == 78
    found = json.loads(done.stderr)
    assert (found["event"], found["outcome"], found["code"]) == ("start", "error", "invalid_root")
    assert "secret" not in done.stderr


def test_it_serves_at_another_loopback_address_by_that_name(tmp_path: Path) -> None:
    arguments = ("-m", "mymcp", "--address", "127.0.0.9", "--port", "{port}")
    with Command(tmp_path, *arguments, address="127.0.0.9") as command:
        host = [("Host", f"127.0.0.9:{command.wire.port}")]
        assert command.wire.ask("GET", "/health", host).status == 200
        assert command.wire.ask("GET", "/health", [("Host", "127.0.0.8")]).status == 403


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_stderr_that_takes_nothing_holds_up_neither_answers_nor_the_stop(
    tmp_path: Path, number: signal.Signals
) -> None:
    reading, writing = os.pipe()
    ping = {"jsonrpc": "2.0", "id": 1, "method": "ping"}
    with Command(tmp_path, "-m", "mymcp", "--port", "{port}", stderr=writing) as command:
        os.set_blocking(writing, False)
        with contextlib.suppress(BlockingIOError):
            while True:
                os.write(writing, b"x" * 1_024)
        os.set_blocking(writing, True)
        for _ in range(50):
            assert command.wire.post(ping).status == 200
        assert command.stop(number) in {0, -number}
    os.close(reading)
    os.close(writing)


INTERRUPTED = """
import os, signal, sys
from mymcp.cli.{command} import main
def interrupt(event, arguments):
    if event == "import" and arguments[0] == "{module}":
        os.kill(os.getpid(), signal.SIGINT)
sys.addaudithook(interrupt)
sys.exit(main())
"""


@pytest.mark.parametrize("module", ["argparse", "uvicorn", "fastapi", "mymcp.cli.address"])
@pytest.mark.parametrize("command", ["serve", "develop"])
def test_an_interrupt_while_it_loads_ends_it_at_once_without_a_word(
    command: str, module: str
) -> None:
    done = subprocess.run(
        [sys.executable, "-c", INTERRUPTED.format(command=command, module=module)],
        cwd=Path(__file__).parents[2],
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    assert (done.returncode, done.stdout, done.stderr) == (-signal.SIGINT, "", "")


def test_an_interrupt_while_it_starts_ends_it_with_130(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(_settings: object) -> None:
        raise KeyboardInterrupt

    with socket.create_server(("127.0.0.1", 0)) as probe:
        port = probe.getsockname()[1]
    monkeypatch.setattr(service, "create_production_app", interrupt)
    assert serve.main(["--port", str(port)]) == 130


def test_an_interrupt_ends_it_quietly(tmp_path: Path) -> None:
    with Command(tmp_path, "-m", "mymcp", "--port", "{port}") as command:
        assert command.stop(signal.SIGINT) == 0
        assert "Traceback" not in command.log
