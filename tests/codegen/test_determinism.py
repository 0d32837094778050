"""The same contracts give the same bytes, whatever the folder, the hash seed, the time."""

import shutil
from pathlib import Path

from tests.codegen.project import REPOSITORY, Project, copy_of_this_project


def test_output_is_the_same_under_other_seeds_and_in_other_folders(tmp_path: Path) -> None:
    outputs = []
    for name, seed in (("one", "0"), ("another one", "4711")):
        project = copy_of_this_project(tmp_path / name)
        shutil.rmtree(project.root / "mymcp/_generated")
        shutil.rmtree(project.root / "docs/contracts")
        assert project.command("generate", seed=seed).returncode == 0
        outputs.append(project.files())
    assert outputs[0] == outputs[1]
    assert outputs[0] == Project(REPOSITORY).files()
    assert str(tmp_path).encode() not in b"".join(outputs[0].values())


def test_this_project_is_as_generated_and_accepted(tmp_path: Path) -> None:
    run = copy_of_this_project(tmp_path / "copy").command("check")
    assert (run.returncode, run.stdout) == (0, "everything is as generated and accepted\n")


def test_generating_again_writes_nothing(tmp_path: Path) -> None:
    project = copy_of_this_project(tmp_path / "copy")
    before = project.files()
    run = project.command("generate", seed="1")
    assert (run.returncode, run.stdout) == (0, "0 files written, 0 deleted\n")
    assert project.files() == before
