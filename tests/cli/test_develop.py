"""`mymcp-dev`: the parent says no to a mistake, the worker serves and is replaced."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from mymcp.cli import develop
from tests.transport.command import Command

START = "import sys; from mymcp.cli.develop import main; sys.exit(main())"


def test_a_worker_serves_and_logs(tmp_path: Path) -> None:
    with Command(tmp_path, "-c", START, "--port", "{port}") as command:
        assert command.wire.post({"jsonrpc": "2.0", "id": 5, "method": "ping"}).status == 200
        with command.wire.open_stream():
            command.stop()
        assert "response id=5 method=ping outcome=ok" in command.log
        assert "Traceback" not in command.log


def test_a_mistake_is_one_line_and_ends_with_78() -> None:
    done = subprocess.run(
        [sys.executable, "-c", START],
        env=os.environ | {"MNEMOSYNE_MEMORY_ROOT": "relative"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 78
    assert done.stderr.startswith("mymcp-dev: invalid_root: ")
    assert done.stderr.count("\n") == 1


@pytest.mark.parametrize("arguments", [["--port", "0"], ["--address", "127.0.0.1"], ["x"]])
def test_wrong_usage_ends_with_2(arguments: list[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        develop.main(arguments)
    assert ended.value.code == 2


WORK = """
from mymcp.cli import reloading
from mymcp.transport.server import configured
reloading._work(configured("mymcp.app:create_production_app", factory=True, log_level="error"))
"""


def test_a_mistake_that_a_worker_meets_is_one_line_too(tmp_path: Path) -> None:
    (tmp_path / "mymcp").mkdir(mode=0o700)
    (tmp_path / "mymcp" / "config.toml").write_text("broken")
    done = subprocess.run(
        [sys.executable, "-c", WORK],
        env=os.environ | {"XDG_CONFIG_HOME": str(tmp_path)},
        cwd=Path(__file__).parents[2],
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    assert done.returncode == 78
    last = done.stderr.splitlines()[-1]
    assert last.startswith("mymcp-dev: invalid_toml: the host configuration must be TOML")
    assert "Traceback" not in done.stderr
