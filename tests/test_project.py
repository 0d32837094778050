"""The rules of the house that no tool checks: one truth each, and what files may look like."""

import ast
import json
import os
import re
import subprocess
import sys
import tomllib
from importlib import import_module
from pathlib import Path

import pytest

from mymcp._generated.registry import CAPABILITIES
from mymcp.settings import PRODUCT_VERSION

CHECKOUT = Path(__file__).resolve().parents[1]
PYPROJECT = tomllib.loads((CHECKOUT / "pyproject.toml").read_text(encoding="utf-8"))
CONSTRAINTS = (CHECKOUT / ".ci" / "constraints.txt").read_text(encoding="utf-8")
CHANGELOG = (CHECKOUT / "CHANGELOG.md").read_text(encoding="utf-8").split("\n## ")[1]
GATE = CHECKOUT / ".ci" / "run"
NOT_FOR_A_REPOSITORY = re.compile(
    r"/[w]ork/|/[r]oot/|pypi\.[o]rg|pythonhosted\.[o]rg|registry\.[n]pmjs|deb\.[d]ebian"
)

IMPORTED_AS = {"pyjwt": "jwt", "pystemmer": "Stemmer"}
"""Distributions whose module has another name."""


def group(name: str) -> list[str]:
    requirements = []
    for entry in PYPROJECT["dependency-groups"][name]:
        included = group(entry["include-group"]) if isinstance(entry, dict) else [entry]
        requirements.extend(included)
    return requirements


def named(requirement: str) -> str:
    return re.split(r"[\[<>=!~ ]", requirement)[0].lower()


def tracked_files() -> list[Path]:
    listed = subprocess.run(
        ["git", "ls-files", "-z"], cwd=CHECKOUT, capture_output=True, text=True, check=True
    )
    paths = (CHECKOUT / name for name in listed.stdout.split("\0") if name)
    return [path for path in paths if path.is_file()]


def modules(*packages: str) -> list[Path]:
    found = (path for package in packages for path in (CHECKOUT / package).rglob("*.py"))
    return [path for path in found if "_generated" not in path.parts]


def test_version_is_the_same_wherever_it_is_said() -> None:
    assert PYPROJECT["project"]["version"] == PRODUCT_VERSION
    assert f"| host `mymcp` | {PRODUCT_VERSION} |" in CHANGELOG


def test_changelog_names_the_version_of_every_capability() -> None:
    for path in (CHECKOUT / "contracts" / "manifests").glob("*.json"):
        manifest = json.loads(path.read_text(encoding="utf-8"))
        if "version" in manifest and "id" in manifest:
            assert f"| plugin `{manifest['id']}` | {manifest['version']} |" in CHANGELOG
    rows = re.findall(r"^\| (`.+`) \| ([0-9.]+) \|$", CHANGELOG, re.MULTILINE)
    told = {name: version for names, version in rows for name in re.findall(r"`(\w+)`", names)}
    assert told == {capability.name: capability.version for capability in CAPABILITIES}


def test_extra_and_group_of_the_tests_are_equal() -> None:
    assert sorted(PYPROJECT["project"]["optional-dependencies"]["test"]) == sorted(group("test"))


def test_every_requirement_has_an_exact_version_in_the_constraints() -> None:
    asked = {
        *PYPROJECT["project"]["dependencies"],
        *group("dev"),
        *group("test"),
        *group("codegen"),
    }
    pinned = set(re.findall(r"^([a-z0-9._-]+)==", CONSTRAINTS, re.MULTILINE))
    assert {named(requirement) for requirement in asked} <= pinned


def test_exact_requirements_are_those_of_the_constraints() -> None:
    exact = {requirement for requirement in group("dev") if "==" in requirement}
    assert {
        r for r in exact if not re.search(rf"^{re.escape(r)}\b", CONSTRAINTS, re.MULTILINE)
    } == set()


@pytest.mark.parametrize("command", sorted(PYPROJECT["project"]["scripts"]))
def test_command_leads_to_a_function(command: str) -> None:
    module, _, function = PYPROJECT["project"]["scripts"][command].partition(":")
    assert callable(getattr(import_module(module), function))


def test_gate_is_executable_and_calls_every_session_that_guards() -> None:
    assert os.access(GATE, os.X_OK)
    called = set(re.findall(r"nox --no-color -s ([a-z ]+)", GATE.read_text(encoding="utf-8")))
    assert {word for call in called for word in call.split()} == {
        "codegen",
        "lint",
        "types",
        "bench",
    }
    assert "command_of_readme 2" in GATE.read_text(encoding="utf-8")


def test_ci_matrix_and_classifiers_name_the_same_pythons() -> None:
    workflow = (CHECKOUT / ".github" / "workflows" / "ci.yml").read_text(encoding="utf-8")
    matrix = re.search(r"python: \[(.*)\]", workflow)
    assert matrix is not None
    prefix = "Programming Language :: Python :: "
    classifiers = [c for c in PYPROJECT["project"]["classifiers"] if c.startswith(prefix)]
    assert [c.removeprefix(prefix) for c in classifiers] == re.findall(r'"([0-9.]+)"', matrix[1])


def test_tracked_files_name_no_machine_and_no_registry() -> None:
    texts = ((path, path.read_text(encoding="utf-8")) for path in tracked_files())
    leaks = [
        (path.name, found[0])
        for path, text in texts
        if (found := NOT_FOR_A_REPOSITORY.search(text))
    ]
    assert leaks == []


def test_modules_stay_small() -> None:
    sizes = {
        path: len(path.read_text(encoding="utf-8").splitlines())
        for path in modules("mymcp", "codegen")
    }
    assert [(path.name, size) for path, size in sizes.items() if size > 400] == []
    sizes = {path: len(path.read_text(encoding="utf-8").splitlines()) for path in modules("tests")}
    assert [(path.name, size) for path, size in sizes.items() if size > 600] == []


def test_top_level_is_the_agreed_one() -> None:
    folders = {
        path.relative_to(CHECKOUT).parts[0] for path in tracked_files() if path.parent != CHECKOUT
    }
    assert {name for name in folders if not name.startswith(".")} == {
        "codegen", "contracts", "docs", "mymcp", "tests",
    }  # fmt: skip


def test_product_imports_only_what_it_declares() -> None:
    declared = {
        IMPORTED_AS.get(name := named(r), name.replace("-", "_"))
        for r in PYPROJECT["project"]["dependencies"]
    }
    imported = {
        name.partition(".")[0]
        for path in (CHECKOUT / "mymcp").rglob("*.py")
        for name in imports_of(path)
    }
    assert imported - sys.stdlib_module_names - {"mymcp"} == declared


def imports_of(path: Path) -> list[str]:
    nodes = list(ast.walk(ast.parse(path.read_text(encoding="utf-8"))))
    plain = [alias.name for node in nodes if isinstance(node, ast.Import) for alias in node.names]
    froms = [node for node in nodes if isinstance(node, ast.ImportFrom) and node.level == 0]
    return plain + [str(node.module) for node in froms]
