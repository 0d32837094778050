"""The commands and the host configuration: where they serve, what stops them, how they say so."""

import os
import signal
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from tests.configuration.texts import adapter, anonymous, plugin, text
from tests.transport.command import Command

DEVELOP = ("-c", "import sys; from mymcp.cli.develop import main; sys.exit(main())")
SERVE = ("-m", "mymcp")
COMMANDS = {"mymcp": SERVE, "mymcp-dev": DEVELOP}


def written(folder: Path, data: str) -> Path:
    path = folder / "mymcp" / "config.toml"
    path.parent.mkdir(mode=0o700, exist_ok=True)
    path.write_text(data)
    path.chmod(0o600)
    return path


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as probe:
        port = probe.getsockname()[1]
    assert isinstance(port, int)
    return port


def run(command: str, base: Path, *arguments: str, **more: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, *COMMANDS[command], *arguments],
        env=os.environ | {"XDG_CONFIG_HOME": str(base), "HOME": str(base)} | more,
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )


@pytest.mark.parametrize("arguments", [SERVE, DEVELOP], ids=["mymcp", "mymcp-dev"])
def test_the_file_says_where_a_command_serves(tmp_path: Path, arguments: tuple[str, ...]) -> None:
    # The port is chosen before: Command probes the one that it is given by its wire.
    port = free_port()
    written(tmp_path, text(7, f'[server]\naddress = "127.0.0.9"\nport = {port}\n'))
    settings = {"XDG_CONFIG_HOME": str(tmp_path)}
    with Command(
        tmp_path, *arguments, address="127.0.0.9", port=port, settings=settings
    ) as command:
        host = [("Host", f"127.0.0.9:{port}")]
        assert command.wire.ask("GET", "/health", host).status == 200
        assert command.wire.ask("GET", "/health", [("Host", "127.0.0.8")]).status == 403
        assert command.wire.post({"jsonrpc": "2.0", "id": 1, "method": "ping"}).status == 200
        command.stop()
        event = (
            "INFO mymcp.host.configuration host_configuration outcome=loaded schema_version=7"
            f" address=127.0.0.9 port={port} declarations=0 enabled=0\n"
        )
        assert event in command.log
        assert "INFO mymcp.host.authentication authentication_composition outcome=loaded" in (
            command.log
        )


def test_options_win_over_the_file_for_one_run(tmp_path: Path) -> None:
    written(tmp_path, text(1, f'[server]\naddress = "127.0.0.9"\nport = {free_port()}\n'))
    settings = {"XDG_CONFIG_HOME": str(tmp_path)}
    arguments = (*SERVE, "--address", "0:0:0:0:0:0:0:1", "--port", "{port}")
    with Command(tmp_path, *arguments, address="::1", settings=settings) as command:
        port = command.wire.port
        assert command.wire.ask("GET", "/health", [("Host", f"[::1]:{port}")]).status == 200
        assert command.stop() in {0, -signal.SIGTERM}
        assert f"serving url=http://[::1]:{port}/mcp" in command.log


def test_another_file_can_be_chosen(tmp_path: Path) -> None:
    written(tmp_path, "broken")
    (tmp_path / "other").mkdir(mode=0o700)
    chosen = written(tmp_path / "other", text(3))
    settings = {"XDG_CONFIG_HOME": str(tmp_path)}
    arguments = (*SERVE, "--config", str(chosen), "--port", "{port}")
    with Command(tmp_path, *arguments, settings=settings) as command:
        command.stop()
        assert "outcome=loaded schema_version=3" in command.log


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize(
    ("data", "start"),
    [
        ("secret", "invalid_toml: the host configuration must be TOML"),
        ("a = " + "[" * 30_000, "invalid_toml: the host configuration must be TOML"),
        ("schema_version = 8\n", "unsupported_schema_version: schema_version in the host"),
        (
            text(1, '[server]\naddress = "secret.invalid"\n'),
            "invalid_schema: server.address in the host configuration must be a literal loopback",
        ),
        (
            text(2, plugin(2, id='"mnemosyne"')),
            "bundled_plugin_conflict: plugins#1.id in the host configuration must be none of",
        ),
        (
            text(1, plugin(1, enabled="true")),
            "enabled_plugin_unsupported: plugins#1.enabled in the host configuration must be",
        ),
        (
            text(3, authentication=anonymous() + adapter(enabled="true")),
            "adapter_type_unavailable: authentication.adapters#1 in the host configuration is",
        ),
    ],
    ids=lambda value: value[:24],
)
def test_a_mistake_is_one_line_and_ends_with_78(
    tmp_path: Path, command: str, data: str, start: str
) -> None:
    written(tmp_path, data)
    done = run(command, tmp_path, "--port", str(free_port()))
    assert (done.returncode, done.stdout) == (78, "")
    assert done.stderr.startswith(f"{command}: {start}")
    assert done.stderr.count("\n") == 1
    assert "secret" not in done.stderr
    assert str(tmp_path) not in done.stderr


def test_a_file_that_others_may_write_is_one_line_and_ends_with_78(tmp_path: Path) -> None:
    written(tmp_path, text(1)).chmod(0o666)
    done = run("mymcp", tmp_path)
    assert done.returncode == 78
    assert done.stderr.startswith(
        "mymcp: unsafe_permissions: the host configuration and its folder"
    )
    assert done.stderr.count("\n") == 1


def test_a_chosen_file_that_is_missing_is_one_line_and_ends_with_78(tmp_path: Path) -> None:
    done = run("mymcp", tmp_path, "--config", "missing.toml")
    assert done.returncode == 78
    line = "mymcp: unreadable: the host configuration is missing where --config says\n"
    assert done.stderr == line


@pytest.mark.parametrize("command", COMMANDS)
def test_a_port_of_the_file_that_is_in_use_is_one_line_and_ends_with_1(
    tmp_path: Path, command: str
) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        written(tmp_path, text(1, f"[server]\nport = {port}\n"))
        done = run(command, tmp_path)
    assert done.returncode == 1
    assert done.stderr.startswith(f"{command}: port {port} of 127.0.0.1 is in use; ")
    assert done.stderr.count("\n") == 1


def test_without_a_home_the_place_is_said_to_be_missing(tmp_path: Path) -> None:
    done = run("mymcp", Path("relative"))
    assert done.returncode == 78
    assert done.stderr.startswith("mymcp: invalid_location: the host configuration has no place")
    assert done.stderr.count("\n") == 1
