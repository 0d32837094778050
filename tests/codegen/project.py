"""A copy of a project that the generator works on, and `python -m codegen` in it."""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from codegen.__main__ import main
from tests.codegen.kitchen import SMALL

REPOSITORY = Path(__file__).parents[2]
GENERATOR = ("codegen", "mymcp/contract", "mymcp/schema")


@dataclass(frozen=True)
class Project:
    """What the generator reads and writes, below `root`."""

    root: Path

    def command(
        self, *arguments: str, seed: str = "0", **variables: str
    ) -> subprocess.CompletedProcess[str]:
        """Run the command as people do: a process of its own, in the folder of the project."""
        environment = {**os.environ, "PYTHONHASHSEED": seed, **variables}
        environment.pop("PYTHONPATH", None)
        run = subprocess.run(
            [sys.executable, "-m", "codegen", *arguments],
            cwd=self.root,
            env=environment,
            capture_output=True,
            text=True,
            check=False,
        )
        assert run.stderr == ""
        return run

    def run(self, *arguments: str) -> int:
        """Run the command in this process; what it says is on the standard output."""
        return main(arguments, self.root)

    def edit(self, path: str, **changes: object) -> None:
        """Set members of the JSON object at `path`."""
        self.change(path, lambda content: content.update(changes))

    def change(self, path: str, change: Callable[[Any], None]) -> None:
        content = json.loads((self.root / path).read_bytes())
        change(content)
        text = json.dumps(content, ensure_ascii=False, indent=2)
        (self.root / path).write_text(f"{text}\n", encoding="utf-8")

    def files(self) -> dict[str, bytes]:
        """Return what the generator reads and writes, by path."""
        return {
            path.relative_to(self.root).as_posix(): path.read_bytes()
            for folder in ("mymcp/_generated", "docs/contracts", "contracts")
            for path in sorted((self.root / folder).rglob("*"))
            if path.is_file() and "__pycache__" not in path.parts
        }


def copy_of_this_project(root: Path) -> Project:
    """Return a copy of this project's contracts, generator and output."""
    _copy(REPOSITORY, root, "contracts", "docs/contracts", "mymcp/_generated", *GENERATOR)
    shutil.copy(REPOSITORY / "pyproject.toml", root)
    shutil.copy(REPOSITORY / "mymcp/__init__.py", root / "mymcp")
    return Project(root)


def kitchen_project(root: Path) -> Project:
    """Return a project with the small catalog, accepted and generated."""
    _copy(SMALL, root, "contracts")
    _copy(REPOSITORY, root, "contracts/meta", *GENERATOR)
    (root / "mymcp/__init__.py").write_text("", encoding="utf-8")
    (root / "pyproject.toml").write_text('[project]\nversion = "0.3.0"\n', encoding="utf-8")
    project = Project(root)
    for capability in (
        "ping_kitchen",
        "weigh",
        "slice_bread",
        "record-order-v1",
        "manifest-plugin-v1",
        "config-oven-v1",
        "config-pantry",
        "credential-lock-v1",
        "plugin-kitchen",
    ):
        assert project.run("accept", capability, "--reason", "first version") == 0
    assert project.run("generate") == 0
    return project


def _copy(source: Path, root: Path, *folders: str) -> None:
    for folder in folders:
        unwanted = shutil.ignore_patterns("__pycache__")
        shutil.copytree(source / folder, root / folder, ignore=unwanted)
