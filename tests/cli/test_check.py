"""`mymcp check`, and the part of `mymcp doctor` that is the same."""

import re
import socket
import threading
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest

from mymcp._generated.registry import CAPABILITIES
from mymcp.cli import serve
from tests.cli.examining import free_port, host_configuration, memory_settings, run
from tests.configuration.texts import adapter, anonymous, plugin, text
from tests.transport.command import Command

ROOT = "MNEMOSYNE_MEMORY_ROOT"
SECRET = "hunter2"


def loose_settings(home: Path) -> None:
    memory_settings(home, "").chmod(0o666)


def linked_configuration(home: Path) -> None:
    real = host_configuration(home, text(1))
    real.rename(real.with_name("real.toml"))
    real.symlink_to(real.with_name("real.toml"))


def root_is_a_file(home: Path) -> None:
    memory_settings(home, "").with_name("memory").write_text("")


def root_is_a_link(home: Path) -> None:
    memory_settings(home, "").with_name("memory").symlink_to(home)


def nothing(_home: Path) -> None:
    pass


def configured(*parts: str) -> Callable[[Path], object]:
    return lambda home: host_configuration(home, "".join(parts))


def settled(data: str) -> Callable[[Path], object]:
    return lambda home: memory_settings(home, data)


BROKEN = {
    "relative root": (nothing, {ROOT: SECRET}, 78, "invalid_root", "absolute path"),
    "unknown home": (nothing, {ROOT: f"~{SECRET}/x"}, 78, "invalid_root", "known user's home"),
    "gate in words": (
        nothing,
        {"MNEMOSYNE_MEMORY_FORGET_ENABLED": SECRET},
        78,
        "invalid_gate",
        "exactly true or false",
    ),
    "limit too low": (
        nothing,
        {"MNEMOSYNE_MEMORY_CANDIDATE_LIMIT": "999"},
        78,
        "invalid_candidate_limit",
        "from 1000 to 1000000",
    ),
    "loose settings": (loose_settings, {}, 78, "unsafe_permissions", "writable by nobody else"),
    "settings no TOML": (settled(SECRET), {}, 78, "invalid_toml", "each key once"),
    "unknown switch": (
        settled(f"[memory]\n{SECRET} = true\n"),
        {},
        78,
        "invalid_schema",
        "remember_enabled",
    ),
    "configuration no TOML": (configured(SECRET), {}, 78, "invalid_toml", "must be TOML"),
    "configuration a link": (linked_configuration, {}, 78, "unsafe_path", "must be no links"),
    "port out of range": (
        configured(text(1, "[server]\nport = 0\n")),
        {},
        78,
        "invalid_schema: server.port",
        "1 to 65535",
    ),
    "format of the future": (
        configured("schema_version = 99\n"),
        {},
        78,
        "unsupported_schema_version",
        "1 to 7",
    ),
    "plugin under format 1": (
        configured(text(1, plugin(1, enabled="true"))),
        {},
        78,
        "enabled_plugin_unsupported",
        "enabled",
    ),
    "plugin like a bundled one": (
        configured(text(2, plugin(2, id='"mnemosyne"'))),
        {},
        78,
        "bundled_plugin_conflict",
        "id",
    ),
    "adapter of no known type": (
        configured(text(3, authentication=anonymous()), adapter(enabled="true")),
        {},
        78,
        "adapter_type_unavailable",
        "set enabled = false",
    ),
    "root a file": (root_is_a_file, {}, 1, "root_unusable: (the root) (no folder)", "real folder"),
    "root a link": (root_is_a_link, {}, 1, "root_unusable: (the root) (a symlink)", "real folder"),
}


@pytest.mark.parametrize("name", BROKEN)
def test_a_broken_set_up_is_told_with_its_code_and_what_to_do(tmp_path: Path, name: str) -> None:
    make, environment, exit_code, code, remedy = BROKEN[name]
    make(tmp_path)
    done = run(tmp_path, "check", "--port", free_port(), **environment)
    faults = [line for line in done.stdout.splitlines() if line.startswith("fault ")]
    assert len(faults) == 1
    assert faults[0].startswith(f"fault {code}")
    assert remedy in faults[0]
    assert done.stdout.endswith("\nnot ok: see each fault\n")
    assert (done.returncode, done.stderr) == (exit_code, "")
    assert SECRET not in done.stdout


def test_a_good_set_up_says_what_would_be_served_and_changes_nothing(tmp_path: Path) -> None:
    memory_settings(tmp_path, "[memory]\nremember_enabled = true\nforget_enabled = true\n")
    port = free_port()
    before = sorted(tmp_path.rglob("*"))
    done = run(tmp_path, "check", "--port", port, "--address", "127.0.0.9")
    assert (done.returncode, done.stderr) == (0, "")
    assert "\nfault" not in done.stdout
    assert f"ok    address: http://127.0.0.9:{port}/mcp\n" in done.stdout
    assert "ok    gates: remember on, archive_restore off, forget on, revise off\n" in done.stdout
    assert f"ok    memory root: {tmp_path}/.mnemosyne/memory\n" in done.stdout
    assert "ok      memory_recall: reads only\n" in done.stdout
    assert (
        "ok      memory_forget: changes and deletes, ask the user before each call, gate forget\n"
        in done.stdout
    )
    assert "ok      memory_revise: not served, gate revise is off\n" in done.stdout
    told = re.findall(r"^ok      (\w+):", done.stdout, re.MULTILINE)
    assert sorted(told) == sorted(capability.name for capability in CAPABILITIES)
    assert done.stdout.endswith("\nok: this would start\n")
    assert sorted(tmp_path.rglob("*")) == before


def test_mistakes_in_different_places_are_told_together(tmp_path: Path) -> None:
    host_configuration(tmp_path, "")
    done = run(tmp_path, "check", MNEMOSYNE_MEMORY_ROOT="x")
    assert done.returncode == 78
    assert "fault invalid_schema: schema_version in the host configuration" in done.stdout
    assert "fault invalid_root: MNEMOSYNE_MEMORY_ROOT" in done.stdout


def test_a_chosen_configuration_that_is_missing_is_a_fault(tmp_path: Path) -> None:
    done = run(tmp_path, "check", "--config", str(tmp_path / "none.toml"))
    assert done.returncode == 78
    assert "fault unreadable: the host configuration is missing where --config says" in done.stdout


def test_a_port_of_another_program_is_a_fault_and_one_of_ours_is_not(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        taken.listen(0)
        port = str(taken.getsockname()[1])
        done = run(tmp_path, "check", "--port", port)
    assert done.returncode == 1
    assert f"fault address: port {port} of 127.0.0.1 is in use; stop the program" in done.stdout
    with Command(tmp_path, "-m", "mymcp", "--port", "{port}") as command:
        port = str(command.wire.port)
        done = run(tmp_path, "check", "--port", port)
    assert done.returncode == 0
    assert f"note  address: mymcp is being served at http://127.0.0.1:{port}/mcp\n" in done.stdout


def test_what_is_declared_and_off_is_counted_apart(tmp_path: Path) -> None:
    parts = anonymous() + adapter()
    host_configuration(tmp_path, text(3, plugin(3), authentication=parts))
    done = run(tmp_path, "check", "--port", free_port())
    assert done.returncode == 0
    assert "ok    external plugins: none, 1 declared and off\n" in done.stdout
    assert "ok    authentication adapters: none, 1 declared and off\n" in done.stdout


def test_nobody_who_may_call_is_noted(tmp_path: Path) -> None:
    host_configuration(tmp_path, text(3, authentication=anonymous("false")))
    done = run(tmp_path, "check", "--port", free_port())
    assert done.returncode == 0
    assert "note  nobody may call the tools: anonymous access is off" in done.stdout


@pytest.mark.parametrize("command", serve.OTHER_COMMANDS)
def test_each_command_helps_and_refuses_wrong_usage(
    command: str, capsys: pytest.CaptureFixture[str]
) -> None:
    for arguments, code in ((["--help"], 0), (["--no-such"], 2), (["--port", "0"], 2)):
        with pytest.raises(SystemExit) as ended:
            serve.main([command, *arguments])
        assert ended.value.code == code
        shown = capsys.readouterr()
        assert f"usage: mymcp {command} " in (shown.err if code else shown.out)


def test_whoever_has_the_port_and_answers_for_ever_is_not_waited_for(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = str(listener.getsockname()[1])

        def drip() -> None:
            connection, _ = listener.accept()
            with connection, suppress(OSError):
                connection.sendall(b"HTTP/1.1 200 OK\r\nx: ")
                while not threading.Event().wait(0.1):
                    connection.sendall(b"x")

        thread = threading.Thread(target=drip)
        thread.start()
        done = run(tmp_path, "check", "--port", port)
        thread.join()
    assert done.returncode == 1
    assert f"fault address: port {port} of 127.0.0.1 is in use" in done.stdout
