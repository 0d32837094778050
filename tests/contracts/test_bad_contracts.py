"""Bad contracts, one thing wrong in each: the linter says what, where, and what to do."""

import json
from pathlib import Path
from typing import Any

import pytest

from codegen.dialect import RULES, lint
from tests.contracts.patching import HERE, base_files, patched

CASES = {path.stem: path for path in sorted((HERE / "cases").glob("*.json"))}
BASE = base_files()


def load(path: Path) -> dict[str, Any]:
    case = json.loads(path.read_text("utf-8"))
    assert isinstance(case, dict)
    return case


def test_the_base_of_all_cases_keeps_to_the_dialect() -> None:
    assert lint(patched(BASE, [])) == ()


@pytest.mark.parametrize("name", CASES)
def test_a_bad_contract_is_refused_as_recorded(name: str) -> None:
    case = load(CASES[name])
    findings = lint(patched(BASE, case["changes"]))
    assert [str(finding) for finding in findings] == case["findings"]
    assert (case["rule"], case["at"]) in {(f.rule, f"{f.file}#{f.pointer}") for f in findings}


def test_every_rule_has_a_bad_contract_of_its_own() -> None:
    rules = [load(path)["rule"] for path in CASES.values()]
    assert set(rules) == set(RULES)
    assert len(rules) >= 60


def test_a_case_is_named_after_the_rule_it_breaks() -> None:
    for name, path in CASES.items():
        assert name.startswith(f"{load(path)['rule']}-")


def test_one_mistake_seldom_gives_more_than_one_finding() -> None:
    alone = [name for name, path in CASES.items() if len(load(path)["findings"]) == 1]
    assert len(alone) >= 0.9 * len(CASES)


def test_every_finding_names_a_remedy() -> None:
    for path in CASES.values():
        for line in load(path)["findings"]:
            assert "  D" in line
            assert line.rpartition("Remedy: ")[2].strip(".")
