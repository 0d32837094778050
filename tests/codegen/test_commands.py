"""`python -m codegen` as people run it, on a copy of this project."""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

REPOSITORY = Path(__file__).parents[2]
CONTRACT = "contracts/tools/mnemosyne/memory_list.json"
LEDGER = "contracts/ledger/memory_list.json"
MODULE = "mymcp/_generated/tools/memory_list.py"


@dataclass(frozen=True)
class Project:
    """A copy of what the generator reads and writes."""

    root: Path

    def run(self, *arguments: str, seed: str = "random") -> subprocess.CompletedProcess[str]:
        environment = {**os.environ, "PYTHONHASHSEED": seed}
        environment.pop("PYTHONPATH", None)
        run = subprocess.run(
            [sys.executable, "-m", "codegen", *arguments],
            cwd=self.root,
            env=environment,
            capture_output=True,
            text=True,
            check=False,
        )
        assert "Traceback" not in run.stderr, run.stderr
        return run

    def edit(self, path: str, change: Callable[[Any], None]) -> None:
        content = json.loads((self.root / path).read_text(encoding="utf-8"))
        change(content)
        text = json.dumps(content, ensure_ascii=False, indent=2)
        (self.root / path).write_text(f"{text}\n", encoding="utf-8")

    def files(self) -> dict[str, bytes]:
        return {
            path.relative_to(self.root).as_posix(): path.read_bytes()
            for folder in ("mymcp/_generated", "docs/contracts", "contracts")
            for path in sorted((self.root / folder).rglob("*"))
            if path.is_file() and "__pycache__" not in path.parts
        }


@pytest.fixture
def project(tmp_path: Path) -> Project:
    return copy_to(tmp_path / "copy")


def copy_to(root: Path) -> Project:
    unwanted = shutil.ignore_patterns("__pycache__", ".*")
    for folder in ("contracts", "codegen", "mymcp", "docs/contracts"):
        shutil.copytree(REPOSITORY / folder, root / folder, ignore=unwanted)
    shutil.copy(REPOSITORY / "pyproject.toml", root)
    return Project(root)


def refused(run: subprocess.CompletedProcess[str], problem: str, remedy: str) -> None:
    assert run.returncode == 1, run.stdout + run.stderr
    lines = run.stdout.splitlines()
    assert any(problem in line for line in lines), run.stdout
    assert any(line.startswith("remedy: ") and remedy in line for line in lines), run.stdout


def described(text: str) -> Callable[[Any], None]:
    def change(content: dict[str, Any]) -> None:
        content["description"] = text

    return change


def versioned(version: str) -> Callable[[Any], None]:
    def change(content: dict[str, Any]) -> None:
        content["version"] = version

    return change


def test_this_project_is_as_generated_and_accepted(project: Project) -> None:
    run = project.run("check")
    assert (run.returncode, run.stdout) == (0, "everything is as generated and accepted\n")


def test_generating_again_changes_nothing(project: Project) -> None:
    before = project.files()
    run = project.run("generate")
    assert (run.returncode, run.stdout) == (0, "0 files written, 0 deleted\n")
    assert project.files() == before


def test_output_is_the_same_under_other_seeds_and_in_other_folders(tmp_path: Path) -> None:
    trees = []
    for name, seed in (("one", "0"), ("two of them", "4711")):
        project = copy_to(tmp_path / name)
        shutil.rmtree(project.root / "mymcp/_generated")
        shutil.rmtree(project.root / "docs/contracts")
        # The ledger stays, and nothing pins it now: a lost copy is not a lost past.
        assert project.run("generate", seed=seed).returncode == 0
        trees.append(project.files())
    assert trees[0] == trees[1]
    assert trees[0] == Project(REPOSITORY).files()
    assert str(tmp_path).encode() not in b"".join(trees[0].values())


def test_an_edited_generated_file_is_found(project: Project) -> None:
    text = (project.root / MODULE).read_text(encoding="utf-8")
    (project.root / MODULE).write_text(text.replace("stale_cursor", "old_cursor"), encoding="utf-8")
    run = project.run("check")
    refused(run, f"{MODULE}: is not what its contract generates", "run nox -s codegen")
    assert '-    "old_cursor",\n+    "stale_cursor",\n' in run.stdout
    assert run.stdout.count("remedy: ") == 1


def test_a_stale_generated_file_is_found_and_deleted(project: Project) -> None:
    stale = "mymcp/_generated/tools/memory_dream.py"
    (project.root / stale).write_text("", encoding="utf-8")
    refused(project.run("check"), stale, "run nox -s codegen, which deletes it")
    assert project.run("generate").stdout == "0 files written, 1 deleted\n"
    assert project.run("check").returncode == 0


def test_a_missing_generated_file_is_found(project: Project) -> None:
    (project.root / MODULE).unlink()
    refused(project.run("check"), f"{MODULE}: the file is not there", "run nox -s codegen")


def test_a_contract_that_was_accepted_but_not_generated_is_found(project: Project) -> None:
    project.edit(CONTRACT, described("List memories."))
    project.edit(CONTRACT, versioned("1.4.0"))
    assert project.run("accept", "memory_list", "--reason", "shorter").returncode == 0
    run = project.run("check")
    published = "mymcp/_generated/data/published/memory_list.json"
    refused(run, f"{published}: is not what its contract generates", "run nox -s codegen")
    assert '+  "description": "List memories.",\n' in run.stdout


def test_a_contract_that_changed_without_a_higher_version_is_found(project: Project) -> None:
    project.edit(CONTRACT, lambda content: content["input"]["properties"].pop("page_size"))
    project.edit(CONTRACT, lambda content: content["input"]["allOf"].pop())
    project.edit(CONTRACT, without_page_size)
    assert project.run("generate").returncode == 0
    run = project.run("check")
    problem = "memory_list changed without a version higher than 1.3.0"
    refused(run, f"{CONTRACT}: {problem}", f'raise "version" in {CONTRACT}, then: python')
    assert "-page_size: optional integer 1..100\n" in run.stdout
    assert run.stdout.count("remedy: ") == 1


def without_page_size(content: dict[str, Any]) -> None:
    gone = ("page_size", "cursor_without_page_size")
    content["errors"] = [e for e in content["errors"] if e["code"] != "invalid_page_size"]
    for entry in content["errors"]:
        conditions = entry.get("when", [])
        entry["when"] = [c for c in conditions if not any(g in str(c) for g in gone)]
        if not entry["when"]:
            del entry["when"]
    content["examples"] = content["examples"][:1]


def test_generate_says_what_still_has_to_be_accepted(project: Project) -> None:
    project.edit(CONTRACT, described("List memories."))
    project.edit(CONTRACT, versioned("1.4.0"))
    run = project.run("generate")
    assert run.returncode == 0
    assert "memory_list changed since 1.3.0 and is not accepted" in run.stdout
    assert 'remedy: record it: python -m codegen accept memory_list --reason "..."' in run.stdout


def test_a_change_is_edited_accepted_generated_and_checked(project: Project) -> None:
    project.edit(CONTRACT, described("List memories."))
    project.edit(CONTRACT, versioned("1.4.0"))
    project.edit("contracts/manifests/mnemosyne.json", versioned("0.5.0"))
    for capability in ("memory_list", "plugin-mnemosyne"):
        run = project.run("accept", capability, "--reason", "a shorter text")
        assert run.returncode == 0, run.stdout
    assert project.run("generate").returncode == 0
    assert project.run("check").returncode == 0
    *_, last = json.loads((project.root / LEDGER).read_bytes())
    assert (last["version"], last["reason"]) == ("1.4.0", "a shorter text")
    assert last["since"] == "0.11.0"
    page = (project.root / "docs/contracts/memory_list.md").read_text(encoding="utf-8")
    assert "| 1.4.0 | 0.11.0 | a shorter text |" in page


def test_an_altered_ledger_entry_is_found(project: Project) -> None:
    project.edit(LEDGER, lambda entries: entries[0].update(reason="because"))
    run = project.run("check")
    refused(run, f"{LEDGER}: the ledger entry 1.3.0 was altered", f"restore {LEDGER}")
    assert '-    "reason": "because",\n' in run.stdout


def test_a_removed_ledger_entry_is_found(project: Project) -> None:
    (project.root / LEDGER).write_text("[]\n", encoding="utf-8")
    run = project.run("check")
    refused(run, f"{LEDGER}: the ledger entry 1.3.0 was removed", f"restore {LEDGER}")
    assert '+    "version": "1.3.0",\n' in run.stdout


def test_a_removed_ledger_is_found(project: Project) -> None:
    (project.root / LEDGER).unlink()
    refused(project.run("check"), f"{LEDGER}: the ledger was removed", f"restore {LEDGER}")


@pytest.mark.parametrize("command", [("generate",), ("accept", "memory_list", "--reason", "x")])
def test_neither_generate_nor_accept_cover_a_loss_up(
    project: Project, command: tuple[str, ...]
) -> None:
    (project.root / LEDGER).unlink()
    before = project.files()
    refused(project.run(*command), "the ledger was removed", f"restore {LEDGER}")
    assert project.files() == before


@pytest.mark.parametrize("content", ["", "{}", "[1]", '[{"version": "1.0.0"}]', "[]", "\ufeff[]\n"])
def test_a_ledger_that_cannot_be_read_is_found(project: Project, content: str) -> None:
    (project.root / LEDGER).write_text(content, encoding="utf-8")
    refused(project.run("check"), LEDGER, f"restore {LEDGER}")
    assert project.run("generate").returncode == 1


def test_a_ledger_in_another_layout_is_found(project: Project) -> None:
    entries = json.loads((project.root / LEDGER).read_bytes())
    (project.root / LEDGER).write_text(json.dumps(entries), encoding="utf-8")
    refused(project.run("check"), "not as `accept` writes it", f"restore {LEDGER}")


@pytest.mark.parametrize(
    ("capability", "reason", "says"),
    [
        ("memory_list", "why not", "memory_list: nothing changed since 1.3.0"),
        ("memory_dream", "why not", "there is no capability 'memory_dream'; known are list_tools,"),
        ("memory_list", " ", "memory_list: the reason is one line of text"),
    ],
)
def test_accept_refuses_in_one_line(
    project: Project, capability: str, reason: str, says: str
) -> None:
    before = project.files()
    run = project.run("accept", capability, "--reason", reason)
    assert run.returncode == 1
    assert run.stdout.startswith(says)
    assert run.stdout.count("\n") == 1
    assert project.files() == before


def test_accept_refuses_a_version_that_is_not_higher(project: Project) -> None:
    project.edit(CONTRACT, described("List memories."))
    run = project.run("accept", "memory_list", "--reason", "shorter")
    assert run.returncode == 1
    assert "version 1.3.0 is not higher than the accepted 1.3.0" in run.stdout


def test_accept_needs_a_reason(project: Project) -> None:
    run = project.run("accept", "memory_list")
    assert run.returncode == 2
    assert "--reason" in run.stderr


@pytest.mark.parametrize(
    "command", [("generate",), ("check",), ("accept", "memory_list", "--reason", "x")]
)
def test_a_contract_outside_the_dialect_stops_every_command(
    project: Project, command: tuple[str, ...]
) -> None:
    project.edit(CONTRACT, lambda content: content["input"].update(format="date"))
    before = project.files()
    run = project.run(*command)
    assert run.returncode == 1
    assert f"{CONTRACT}#/input" in run.stdout
    assert "D03" in run.stdout
    assert project.files() == before


def test_a_project_without_contracts_is_refused(project: Project) -> None:
    shutil.rmtree(project.root / "contracts")
    run = project.run("check")
    assert (run.returncode, run.stdout) == (1, "contracts: there is no contract here\n")


def test_a_failing_disk_is_one_line(project: Project) -> None:
    shutil.rmtree(project.root / "docs")
    (project.root / "docs").write_text("", encoding="utf-8")
    run = project.run("generate")
    assert run.returncode == 1
    assert run.stdout.count("\n") == 1
    assert str(project.root) not in run.stdout
