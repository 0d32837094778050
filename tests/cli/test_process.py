"""Commands whose streams are closed or full, and whose threads run on."""

import json
import os
import shlex
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.examining import host_configuration
from tests.configuration.texts import plugin, text
from tests.transport.command import Command

STUBBORN = """
import threading
threading.Thread(target=threading.Event().wait).start()
"""
CHECKOUT = str(Path(__file__).parents[2])
FULL = Path("/dev/full")


def shell(home: Path, words: str, redirection: str) -> subprocess.CompletedProcess[str]:
    """Run `mymcp` with streams that only a shell can make."""
    return subprocess.run(
        ["sh", "-c", f"{shlex.quote(sys.executable)} -m mymcp {words} {redirection}"],
        cwd=home,
        env={
            **os.environ,
            "HOME": str(home),
            "PYTHONPATH": CHECKOUT,
            "XDG_CONFIG_HOME": str(home / ".config"),
        },
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )


def stubborn(home: Path) -> dict[str, str]:
    """Make and declare a plugin with a thread that never ends. Returns what finds its module."""
    subprocess.run(
        [sys.executable, "-m", "mymcp", "plugin", "new", "stubborn"],
        cwd=home,
        env={**os.environ, "PYTHONPATH": CHECKOUT},
        check=True,
        capture_output=True,
    )
    package = home / "stubborn" / "stubborn_plugin"
    with (package / "__init__.py").open("a") as module:
        module.write(STUBBORN)
    declared = plugin(
        2,
        id='"stubborn"',
        enabled="true",
        manifest_path=json.dumps(str(package / "manifest.json")),
        module='"stubborn_plugin"',
    )
    host_configuration(home, text(2, declared))
    return {"PYTHONPATH": str(home / "stubborn"), "XDG_CONFIG_HOME": str(home / ".config")}


@pytest.mark.parametrize("words", ["check", "client-config cursor"])
def test_command_without_stdout_does_its_work(words: str, tmp_path: Path) -> None:
    done = shell(tmp_path, words, ">&-")
    assert "Traceback" not in done.stderr
    assert done.returncode == shell(tmp_path, words, ">/dev/null").returncode


@pytest.mark.skipif(not FULL.exists(), reason="no device that is always full")
@pytest.mark.parametrize("words", ["check", "doctor", "client-config cursor", "plugin new some"])
def test_output_that_cannot_be_written_is_one_line(words: str, tmp_path: Path) -> None:
    done = shell(tmp_path, words, f"> {FULL}")
    assert (done.returncode, done.stderr) == (1, "mymcp: the output cannot be written\n")


@pytest.mark.parametrize("redirection", ["2>&-", "2>/dev/full"])
def test_exit_code_survives_a_stderr_that_takes_nothing(redirection: str, tmp_path: Path) -> None:
    assert shell(tmp_path, "--config /no/such", redirection).returncode == 78


@pytest.mark.skipif(sys.platform != "linux", reason="/proc shows what descriptors are")
def test_log_is_not_written_into_what_took_the_place_of_stderr(tmp_path: Path) -> None:
    closing = "import os; os.close(2); os.execv(sys.executable, [sys.executable, *sys.argv[1:]])"
    words = ("-c", f"import sys; {closing}", "-m", "mymcp", "--port", "{port}")
    with Command(tmp_path, *words) as command:
        assert Path(f"/proc/{command.process.pid}/fd/2").readlink() == Path(os.devnull)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_threads_of_a_plugin_do_not_keep_a_stopped_server(
    number: signal.Signals, tmp_path: Path
) -> None:
    settings = stubborn(tmp_path)
    with Command(tmp_path, "-m", "mymcp", "--port", "{port}", settings=settings) as command:
        assert command.stop(number) in {0, -number}


def test_threads_of_a_plugin_do_not_keep_a_command(tmp_path: Path) -> None:
    variables = {**os.environ, "HOME": str(tmp_path), **stubborn(tmp_path)}
    for words in (["check"], ["plugin", "check", str(tmp_path / "stubborn")]):
        done = subprocess.run(
            [sys.executable, "-m", "mymcp", *words],
            env=variables,
            capture_output=True,
            text=True,
            check=False,
            timeout=30,
        )
        assert "stubborn__greet" in done.stdout
        assert done.returncode in {0, 1}  # 1 where the usual port is taken
