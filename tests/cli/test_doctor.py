"""`mymcp doctor` as a person runs it; what it can find is tested beside the examination."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from mymcp.cli import serve
from mymcp.plugins.mnemosyne.memory.examination.findings import NOTES, REMEDIES, FindingCode
from tests.cli.examining import free_port, host_configuration, run
from tests.plugins.mnemosyne.memory.examination.faulty import FAULTS, healthy
from tests.plugins.mnemosyne.tree import canonical, files, legacy, put, write

ROOT = Path(".mnemosyne", "memory")
HOSTILE = "x\x1b]0;owned\x07\u202e\r\nok    all is well.json"


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The home of whoever runs the command within this process."""
    (tmp_path / ".mnemosyne").mkdir(mode=0o700)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.delenv("MNEMOSYNE_MEMORY_ROOT", raising=False)
    return tmp_path


def test_a_healthy_memory_is_counted_and_ends_with_0(tmp_path: Path) -> None:
    healthy(tmp_path / ROOT)
    before = files(tmp_path)
    done = run(tmp_path, "doctor", "--port", free_port(), MNEMOSYNE_MEMORY_CANDIDATE_LIMIT="2000")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.endswith("\nok: all is well\n")
    assert (
        "ok    project: 2 record files (1 active, 1 archived), room for 1998 of 2000\n"
        in done.stdout
    )
    assert "ok    knowledge: 1 record file (1 of format 1), room for 1999 of 2000\n" in done.stdout
    assert f"ok    memory root: {tmp_path / ROOT}\n" in done.stdout
    assert "\nok    file system: " in done.stdout
    assert files(tmp_path) == before


def test_every_fault_of_a_memory_is_named_with_its_place_and_remedy(tmp_path: Path) -> None:
    root = tmp_path / ROOT
    healthy(root)
    write(root / "self" / "broken.json", b"{")
    put(root, canonical(9, content="password=hunter2222")).chmod(0o666)
    done = run(tmp_path, "doctor", "--port", free_port())
    assert (done.returncode, done.stderr) == (1, "")
    faults = [line for line in done.stdout.splitlines() if line.startswith("fault ")]
    place = f"project/atlas/{canonical(9)['id']}.json"
    assert faults == [
        f"fault invalid_json: self/broken.json (near line 1): {REMEDIES['invalid_json']}",
        f"fault loose_permissions: {place} (mode 0666): {REMEDIES['loose_permissions']}",
        f"fault refused_by_policy: {place} (content credential_shape):"
        f" {REMEDIES['refused_by_policy']}",
    ]
    assert "hunter" not in done.stdout
    assert done.stdout.endswith("\nnot ok: see each fault\n")


@pytest.mark.parametrize("code", [code for code in FAULTS if "limit" not in code])
def test_faults_end_with_1_and_notes_with_0(
    home: Path,
    code: FindingCode,
    capsys: pytest.CaptureFixture[str],
) -> None:
    FAULTS[code][0](home / ROOT)
    assert serve.main(["doctor", "--port", free_port()]) == (0 if code in NOTES else 1)
    level = "note " if code in NOTES else "fault"
    shown = capsys.readouterr().out
    assert f"\n{level} {code}: " in shown
    assert REMEDIES[code] in shown


def test_names_of_files_move_no_cursor_and_forge_no_line(tmp_path: Path) -> None:
    write(tmp_path / ROOT / "self" / HOSTILE, legacy(content="password=hunter2222"))
    done = run(tmp_path, "doctor", "--port", free_port())
    assert done.returncode == 1
    assert all(line.isprintable() for line in done.stdout.splitlines())
    assert "self/x\\u001b]0;owned\\u0007\\u202e\\u000d\\u000aok    all is well.json" in done.stdout
    assert not any(line.startswith("ok    all is well") for line in done.stdout.splitlines())


def test_names_that_are_no_text_are_shown_under_any_locale(tmp_path: Path) -> None:
    write(tmp_path / ROOT / "self" / os.fsdecode(b"\xff\xe9.json"), b"{")
    write(tmp_path / ROOT / "self" / "é.json", b"{")
    done = run(tmp_path, "doctor", "--port", free_port(), PYTHONIOENCODING="ascii")
    assert (done.returncode, done.stderr) == (1, "")
    assert "self/\\udcff\\udce9.json" in done.stdout
    assert "self/\\xe9.json" in done.stdout


def test_the_memory_is_examined_although_the_host_is_not_configured_well(tmp_path: Path) -> None:
    host_configuration(tmp_path, "")
    write(tmp_path / ROOT / "self" / "broken.json", b"{")
    done = run(tmp_path, "doctor")
    assert done.returncode == 78
    assert "fault invalid_schema: schema_version in the host configuration" in done.stdout
    assert "fault invalid_json: self/broken.json" in done.stdout


def test_a_reader_that_saw_enough_is_no_error(tmp_path: Path) -> None:
    for number in range(2_000):
        write(tmp_path / ROOT / "self" / f"{number}.json", b"{")
    environment = os.environ | {"HOME": str(tmp_path)}
    with subprocess.Popen(
        [sys.executable, "-m", "mymcp", "doctor", "--port", free_port()],
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        assert process.stdout.readline().startswith(b"ok    host configuration")
        process.stdout.close()
        process.wait(60)
        assert process.stderr.read() == b""
