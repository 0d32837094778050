"""`mymcp-test`: the tests of the current directory, or a hint."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from mymcp.cli import test as command

RUN = "import sys; from mymcp.cli.test import main; sys.exit(main())"


def run_in(folder: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", RUN],
        cwd=folder,
        env=os.environ | {"PYTHONPATH": str(Path(__file__).parents[2])},
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.parametrize(("verdict", "code"), [("True", 0), ("False", 1)])
def test_it_ends_as_the_tests_of_the_directory_end(tmp_path: Path, verdict: str, code: int) -> None:
    tests = tmp_path / "tests"
    tests.mkdir()
    (tests / "test_it.py").write_text(f"def test_it():\n    assert {verdict}\n")
    assert run_in(tmp_path).returncode == code


def test_without_pytest_it_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(command, "find_spec", lambda _name: None)
    assert command.main() == 1
    assert ".[test]" in capsys.readouterr().err
