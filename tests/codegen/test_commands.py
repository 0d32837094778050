"""`python -m codegen` as people run it, on a project with the small catalog."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from codegen.report import GenerationError
from tests.codegen.project import Project, kitchen_project

CONTRACT = "contracts/tools/kitchen/weigh.json"
PLUGIN = "contracts/manifests/kitchen.json"
LEDGER = "contracts/ledger/weigh.json"
MODULE = "mymcp/_generated/tools/weigh.py"
PUBLISHED = "mymcp/_generated/data/published/weigh.json"


@pytest.fixture(scope="module")
def accepted(tmp_path_factory: pytest.TempPathFactory) -> Project:
    return kitchen_project(tmp_path_factory.mktemp("kitchen") / "project")


@pytest.fixture
def project(accepted: Project, tmp_path: Path) -> Project:
    shutil.copytree(accepted.root, tmp_path / "project")
    return Project(tmp_path / "project")


def refused(project: Project, problem: str, remedy: str, *command: str) -> str:
    """Run a command (`check`) that must fail, and return what it said."""
    run = project.command(*(command or ("check",)))
    assert run.returncode == 1, run.stdout
    lines = run.stdout.splitlines()
    assert any(line.startswith(problem) for line in lines), run.stdout
    assert [line for line in lines if line.startswith("remedy: ")] == [f"remedy: {remedy}"]
    return run.stdout


def test_a_project_that_was_generated_and_accepted_passes(project: Project) -> None:
    assert project.command("check").stdout == "everything is as generated and accepted\n"


def test_an_edited_generated_file_is_found(project: Project) -> None:
    text = (project.root / MODULE).read_text(encoding="utf-8")
    (project.root / MODULE).write_text(
        text.replace("invalid_bread", "invalid_roll"), encoding="utf-8"
    )
    said = refused(
        project,
        f"{MODULE}: is not what its contract generates",
        "run nox -s codegen; a change belongs in contracts/ or codegen/, never in its output",
    )
    assert '-            code="invalid_roll",\n' in said
    assert '+            code="invalid_bread",\n' in said


def test_a_stale_generated_file_is_found_and_deleted(
    project: Project, capsys: pytest.CaptureFixture[str]
) -> None:
    stale = "mymcp/_generated/tools/toast.py"
    (project.root / stale).write_text("BREAD = 1\n", encoding="utf-8")
    problem = f"{stale}: no contract generates this file any more"
    said = refused(project, problem, "run nox -s codegen, which deletes it")
    assert "\n-BREAD = 1\n" in said
    assert project.run("generate") == 0
    assert capsys.readouterr().out == "0 files written, 1 deleted\n"
    assert project.run("check") == 0


def test_a_missing_generated_file_is_found(project: Project) -> None:
    (project.root / MODULE).unlink()
    refused(project, f"{MODULE}: the file is not there", "run nox -s codegen")


def test_a_contract_that_was_accepted_but_not_generated_is_found(project: Project) -> None:
    project.edit(CONTRACT, description="Say the weight.", version="1.1.0")
    project.edit(PLUGIN, version="0.3.0")
    for capability in ("weigh", "plugin-kitchen"):
        assert project.run("accept", capability, "--reason", "a shorter text") == 0
    said = refused(
        project,
        f"{PUBLISHED}: is not what its contract generates",
        "run nox -s codegen; a change belongs in contracts/ or codegen/, never in its output",
    )
    assert '+  "description": "Say the weight.",\n' in said


def test_a_contract_that_changed_without_a_higher_version_is_found(project: Project) -> None:
    def change(content: Any) -> None:
        content["input"]["properties"]["unit"]["enum"].append("lb")

    project.change(CONTRACT, change)
    assert project.run("generate") == 0
    said = refused(
        project,
        f"{CONTRACT}: weigh changed without a version higher than 1.0.0",
        f'raise "version" in {CONTRACT}, then: python -m codegen accept weigh --reason "..."',
    )
    assert "-unit: optional string enum[2]\n+unit: optional string enum[3]\n" in said


def test_an_altered_ledger_entry_is_found(project: Project) -> None:
    project.change(LEDGER, lambda entries: entries[0].update(reason="because"))
    said = refused(
        project, f"{LEDGER}: the ledger entry 1.0.0 was altered", restore_from_copy(LEDGER)
    )
    assert '-    "reason": "because",\n+    "reason": "first version",\n' in said


def test_a_removed_ledger_entry_is_found(project: Project) -> None:
    (project.root / LEDGER).write_text("[]\n", encoding="utf-8")
    said = refused(
        project, f"{LEDGER}: the ledger entry 1.0.0 was removed", restore_from_copy(LEDGER)
    )
    assert '+    "version": "1.0.0",\n' in said


def test_a_removed_ledger_is_found(project: Project) -> None:
    (project.root / LEDGER).unlink()
    refused(project, f"{LEDGER}: the ledger was removed", restore_from_copy(LEDGER))


def restore_from_copy(where: str) -> str:
    copy = f"mymcp/_generated/data/ledger/{Path(where).name}"
    return f"restore {where} from {copy}; only `python -m codegen accept` adds to it"


def test_restoring_a_ledger_from_its_copy_mends_it(project: Project) -> None:
    (project.root / LEDGER).unlink()
    shutil.copy(project.root / "mymcp/_generated/data/ledger/weigh.json", project.root / LEDGER)
    assert project.run("check") == 0


@pytest.mark.parametrize("command", [("generate",), ("accept", "weigh", "--reason", "x")])
def test_neither_generate_nor_accept_cover_a_loss_up(
    project: Project, command: tuple[str, ...]
) -> None:
    project.change(LEDGER, lambda entries: entries[0].update(since=None))
    project.edit(CONTRACT, description="Say the weight.", version="1.1.0")
    before = project.files()
    assert project.run(*command) == 1
    assert project.files() == before


@pytest.mark.parametrize("content", ["", "{}", "[1]", '[{"version": "1.0.0"}]', "\ufeff[]\n"])
def test_a_ledger_that_cannot_be_read_is_found(
    project: Project, content: str, capsys: pytest.CaptureFixture[str]
) -> None:
    (project.root / LEDGER).write_text(content, encoding="utf-8")
    assert project.run("generate") == 1
    assert f"remedy: restore {LEDGER} from version control\n" in capsys.readouterr().out


def test_a_ledger_in_another_layout_is_found(project: Project) -> None:
    project.change(LEDGER, lambda entries: None)
    refused(
        project,
        f"{LEDGER}: the file is not as `accept` writes it",
        f"restore {LEDGER} from version control",
    )


def test_generate_says_what_still_has_to_be_accepted(
    project: Project, capsys: pytest.CaptureFixture[str]
) -> None:
    project.edit(CONTRACT, description="Say the weight.", version="1.1.0")
    assert project.run("generate") == 0
    said = capsys.readouterr().out
    assert "weigh changed since 1.0.0 and is not accepted\n" in said
    assert 'remedy: record it: python -m codegen accept weigh --reason "..."\n' in said
    assert "plugin-kitchen changed without a version higher than 0.2.0\n" in said


def test_a_change_is_edited_accepted_generated_and_checked(project: Project) -> None:
    project.edit(CONTRACT, description="Say the weight.", version="1.1.0")
    project.edit(PLUGIN, version="0.3.0")
    for capability in ("weigh", "plugin-kitchen"):
        assert project.run("accept", capability, "--reason", "a shorter text") == 0
    assert project.run("generate") == 0
    assert project.run("check") == 0
    first, last = json.loads((project.root / LEDGER).read_bytes())
    assert (first["version"], last["version"]) == ("1.0.0", "1.1.0")
    assert (last["reason"], last["since"]) == ("a shorter text", "0.3.0")
    page = (project.root / "docs/contracts/weigh.md").read_text(encoding="utf-8")
    assert "| 1.1.0 | 0.3.0 | a shorter text |\n" in page


def test_a_record_format_counts_its_accepted_changes(project: Project) -> None:
    project.edit("contracts/records/order-v1.json", description="An order.")
    assert project.run("check") == 1
    assert project.run("accept", "record-order-v1", "--reason", "a shorter text") == 0
    entries = json.loads((project.root / "contracts/ledger/record-order-v1.json").read_bytes())
    assert [entry["version"] for entry in entries] == ["1.0.0", "1.1.0"]


@pytest.mark.parametrize(
    ("capability", "reason", "says"),
    [
        ("weigh", "why not", "weigh: nothing changed since 1.0.0; there is nothing to accept\n"),
        ("toast", "why not", "there is no capability 'toast'; known are config-oven-v1,"),
        ("weigh", " ", "weigh: the reason is one line of text that says why the contract changed"),
    ],
)
def test_accept_refuses_in_one_line(
    project: Project,
    capability: str,
    reason: str,
    says: str,
    capsys: pytest.CaptureFixture[str],
) -> None:
    before = project.files()
    assert project.run("accept", capability, "--reason", reason) == 1
    said = capsys.readouterr().out
    assert said.startswith(says)
    assert said.count("\n") == 1
    assert project.files() == before


def test_accept_refuses_a_version_that_is_not_higher(
    project: Project, capsys: pytest.CaptureFixture[str]
) -> None:
    project.edit(CONTRACT, description="Say the weight.")
    assert project.run("accept", "weigh", "--reason", "shorter") == 1
    said = capsys.readouterr().out
    assert "version 1.0.0 is not higher than the accepted 1.0.0; raise it in contracts/" in said


@pytest.mark.parametrize("arguments", [(), ("accept", "weigh"), ("dream",), ("check", "weigh")])
def test_wrong_usage_is_exit_2(
    project: Project, arguments: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as stop:
        project.run(*arguments)
    assert stop.value.code == 2
    assert "usage: python -m codegen" in capsys.readouterr().err


@pytest.mark.parametrize(
    "command", [("generate",), ("check",), ("accept", "weigh", "--reason", "x")]
)
def test_a_contract_outside_the_dialect_stops_every_command(
    project: Project, command: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    project.change(CONTRACT, lambda content: content["input"].update(minProperties=1))
    before = project.files()
    assert project.run(*command) == 1
    said = capsys.readouterr().out
    assert said.startswith(f"{CONTRACT}#/input")
    assert "D03" in said
    assert "Remedy: " in said
    assert project.files() == before


def test_a_project_without_contracts_is_refused(
    project: Project, capsys: pytest.CaptureFixture[str]
) -> None:
    shutil.rmtree(project.root / "contracts")
    assert project.run("check") == 1
    assert capsys.readouterr().out == "contracts: there is no contract here\n"


def test_a_failing_disk_is_one_line(project: Project, capsys: pytest.CaptureFixture[str]) -> None:
    shutil.rmtree(project.root / "docs")
    (project.root / "docs").write_text("", encoding="utf-8")
    assert project.run("generate") == 1
    said = capsys.readouterr().out
    assert said.startswith("docs/contracts")
    assert said.count("\n") == 1


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"version": "banana"}, "version of an entry is no semantic version"),
        ({"contract": "sha256:0"}, "a digest of an entry is not sha256: and 64 hexadecimal digits"),
        ({"published": "md5"}, "a digest of an entry is not sha256: and 64 hexadecimal digits"),
    ],
)
def test_an_entry_of_a_wrong_form_is_a_finding(
    project: Project, change: dict[str, str], says: str, capsys: pytest.CaptureFixture[str]
) -> None:
    project.change(LEDGER, lambda entries: entries[0].update(change))
    (project.root / "mymcp/_generated/data/ledger/weigh.json").unlink()
    assert project.run("check") == 1
    assert f"{LEDGER}: {says}\n" in capsys.readouterr().out


def test_a_ledger_without_its_contract_is_found(project: Project) -> None:
    orphan = "contracts/ledger/toast.json"
    copy = "mymcp/_generated/data/ledger/toast.json"
    for path in (orphan, copy):
        shutil.copy(project.root / LEDGER, project.root / path)
    assert project.run("generate") == 0
    refused(
        project,
        f"{orphan}: no contract has this ledger",
        "restore the contract; if it was given up, delete the ledger and its copy in "
        "mymcp/_generated/data/ledger",
    )
    for path in (orphan, copy):
        (project.root / path).unlink()
    assert project.run("generate") == 0
    assert project.run("check") == 0


def test_settings_of_the_working_directory_change_nothing(project: Project) -> None:
    with (project.root / "pyproject.toml").open("a", encoding="utf-8") as settings:
        settings.write("[tool.ruff]\nline-length = 40\n[tool.black]\nline-length = 40\n")
        settings.write('[tool.isort]\nknown_first_party = ["pydantic"]\nline_length = 40\n')
    assert project.command("check").returncode == 0
    (project.root / "pyproject.toml").write_text('[project]\nversion = "1"\n[', encoding="utf-8")
    assert project.command("check").returncode == 0


def test_broken_settings_of_the_project_are_one_line(
    project: Project, capsys: pytest.CaptureFixture[str]
) -> None:
    (project.root / "pyproject.toml").write_text("[", encoding="utf-8")
    project.edit(CONTRACT, description="Say the weight.", version="1.1.0")
    assert project.run("accept", "weigh", "--reason", "shorter") == 1
    said = capsys.readouterr().out
    assert said.startswith("pyproject.toml: ")
    assert said.count("\n") == 1


@pytest.mark.parametrize(
    ("error", "says"),
    [
        (OSError("the disk\nis gone"), "OSError: the disk is gone\n"),
        (GenerationError("ruff check: x"), "GenerationError: ruff check: x\n"),
        (ValueError("a" * 600), f"ValueError: {'a' * 488} ...\n"),
        (
            ModuleNotFoundError("No module named 'ruff'", name="ruff"),
            "the module ruff is not installed; install the dependency group codegen\n",
        ),
    ],
)
def test_an_expected_failure_is_one_line(
    project: Project,
    error: Exception,
    says: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    def fail(repository: Path) -> None:
        raise error

    monkeypatch.setattr("codegen.commands.check", fail)
    assert project.run("check") == 1
    assert capsys.readouterr().out == says


def test_a_finding_that_the_terminal_cannot_show_is_escaped(project: Project) -> None:
    project.change(CONTRACT, lambda content: content["input"].update({"gr\u00f6\u00dfe": 1}))
    run = project.command("check", PYTHONIOENCODING="ascii")
    assert run.returncode == 1
    assert run.stdout.startswith(f"{CONTRACT}#/input/gr\\xf6\\xdfe  D01 ")


def test_a_reader_that_went_away_is_no_traceback(project: Project) -> None:
    read_end, write_end = os.pipe()
    os.close(read_end)
    with os.fdopen(write_end, "wb") as gone:
        run = subprocess.run(
            [sys.executable, "-m", "codegen", "check"],
            cwd=project.root,
            stdout=gone,
            stderr=subprocess.PIPE,
            check=False,
        )
    assert (run.returncode, run.stderr) == (0, b"")


def test_a_plugin_with_a_hyphen_in_its_id_is_generated_and_imported(project: Project) -> None:
    contracts = project.root / "contracts"
    (contracts / "tools/kitchen").rename(contracts / "tools/tiny-kitchen")
    (contracts / "manifests/kitchen.json").rename(contracts / "manifests/tiny-kitchen.json")
    project.edit("contracts/manifests/tiny-kitchen.json", id="tiny-kitchen")
    for tool in ("weigh", "slice_bread"):
        project.edit(f"contracts/tools/tiny-kitchen/{tool}.json", plugin="tiny-kitchen")
    assert project.command("generate").returncode == 0
    script = (
        "from mymcp._generated.plugins.tiny_kitchen import TinyKitchenHandlers\n"
        "from mymcp._generated.tools.weigh import WEIGH\n"
        "print(WEIGH.capability.plugin, WEIGH.input_schema['title'])\n"
    )
    run = subprocess.run(
        [sys.executable, "-c", script],
        cwd=project.root,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (run.stdout, run.stderr) == ("tiny-kitchen WeighRequest\n", "")
