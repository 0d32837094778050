import logging
from collections.abc import Callable
from pathlib import Path
from typing import Any, get_args

import pytest

from mymcp._generated.tools.memory_inspect import MemoryInspectCode
from mymcp.plugins.mnemosyne.memory.store import MemoryStore
from tests.plugins.mnemosyne.caller import Caller
from tests.plugins.mnemosyne.tree import (
    NOON,
    canonical,
    legacy,
    memory_id,
    place,
    put,
    reference,
    write,
)
from tests.plugins.mnemosyne.violations import OMIT, Violation, several, spoilt

RECORD = canonical(1, collection="decisions")
GOOD = {"reference": reference(RECORD)}
OLD = {"reference": {"schema_version": 1, "scope": "project", "id": "rainy-weekend"}}
INVALID = "invalid_reference"
DECLARED = [
    Violation({"query": "x"}, INVALID, "reference"),
    Violation({"reference": OMIT}, INVALID, "reference"),
    Violation({"reference": None}, INVALID, "reference"),
    Violation({"reference.schema_version": 3}, INVALID, "reference"),
    Violation({"reference.more": 1}, INVALID, "reference"),
    Violation({"reference.scope": "Project"}, INVALID, "reference.scope"),
    Violation({"reference.namespace_id": "../x"}, INVALID, "reference.namespace_id"),
    Violation({"reference.collection_id": ""}, INVALID, "reference.collection_id"),
    Violation({"reference.id": "mem_1"}, INVALID, "reference.id"),
]
DECLARED_OLD = [
    Violation({"reference.collection_id": None}, INVALID, "reference"),
    Violation({"reference.scope": None}, INVALID, "reference.scope"),
    Violation({"reference.id": "a/b"}, INVALID, "reference.id"),
]


@pytest.mark.parametrize("violations", several(DECLARED))
def test_the_declared_first_fault_is_reported(
    caller: Caller, violations: tuple[Violation, ...]
) -> None:
    answer = caller.refusal("memory_inspect", **spoilt(GOOD, violations))
    assert answer == ("invalid_request", INVALID, violations[0].field)


@pytest.mark.parametrize("violations", several(DECLARED_OLD))
def test_the_declared_first_fault_of_an_old_reference_is_reported(
    caller: Caller, violations: tuple[Violation, ...]
) -> None:
    answer = caller.refusal("memory_inspect", **spoilt(OLD, violations))
    assert answer == ("invalid_request", INVALID, violations[0].field)


@pytest.mark.parametrize("version", [None, True, False, 0, 3, 1.0, 2.0, "2", "1", [2], OMIT])
@pytest.mark.parametrize("good", [GOOD, OLD])
def test_a_schema_version_is_the_integer_1_or_2(
    caller: Caller, good: dict[str, Any], version: object
) -> None:
    arguments = spoilt(good, [Violation({"reference.schema_version": version}, "")])
    answer = caller.refusal("memory_inspect", **arguments)
    assert answer == ("invalid_request", INVALID, "reference")


@pytest.mark.parametrize("value", [None, "x", [], 1, True, [reference(RECORD)]])
def test_a_reference_is_an_object(caller: Caller, value: object) -> None:
    answer = caller.refusal("memory_inspect", reference=value)
    assert answer == ("invalid_request", INVALID, "reference")


@pytest.mark.parametrize("member", ["scope", "namespace_id", "collection_id", "id"])
def test_every_member_of_a_reference_is_needed(caller: Caller, member: str) -> None:
    arguments = spoilt(GOOD, [Violation({f"reference.{member}": OMIT}, "")])
    answer = caller.refusal("memory_inspect", **arguments)
    assert answer == ("invalid_request", INVALID, "reference")


@pytest.mark.parametrize(
    "identifier", ["", "mem_" + "A" * 32, "mem_" + "0" * 31, memory_id(1) + "\n", None, 1]
)
def test_an_id_is_canonical(caller: Caller, identifier: object) -> None:
    arguments = spoilt(GOOD, [Violation({"reference.id": identifier}, "")])
    assert caller.refusal("memory_inspect", **arguments)[2] == "reference.id"


def test_a_version_2_record_is_shown_whole_in_contract_order(caller: Caller, root: Path) -> None:
    record = RECORD | {
        "kind": "event",
        "title": "Title",
        "tags": ["a"],
        "occurred_at": NOON,
        "language": None,
        "lifecycle": {"state": "archived", "revision": 10**20},
    }
    put(root, record)
    found = caller.ok("memory_inspect", **GOOD)
    memory = found["memory"]
    assert found["status"] == "ok"
    assert memory == {"reference": reference(record)} | record | {"language": "und"}
    assert list(memory) == [
        "reference", "schema_version", "id", "scope", "namespace", "collection", "kind",
        "language", "title", "content", "tags", "provenance", "lifecycle", "created_at",
        "updated_at", "occurred_at",
    ]  # fmt: skip
    assert list(memory["namespace"]) == ["kind", "id", "label"]


def test_a_record_that_is_no_event_has_no_time_of_occurrence(caller: Caller, root: Path) -> None:
    put(root, RECORD)
    assert "occurred_at" not in caller.ok("memory_inspect", **GOOD)["memory"]


def test_a_version_1_record_is_shown_with_what_it_has(caller: Caller, root: Path) -> None:
    write(root / "project" / "x" / "y.json", legacy(content=" kept \r\n"))
    assert caller.ok("memory_inspect", **OLD)["memory"] == OLD | {
        "schema_version": 1,
        "id": "rainy-weekend",
        "content": " kept \r\n",
        "title": None,
        "tags": [],
    }


@pytest.mark.parametrize("identifier", ["..", ".", "A.b-_9", "x" * 100, memory_id(1)])
def test_a_legacy_id_is_never_a_path(caller: Caller, root: Path, identifier: str) -> None:
    write(root / "self" / "note.json", legacy(identifier))
    legacy_reference = {"schema_version": 1, "scope": "self", "id": identifier}
    found = caller.ok("memory_inspect", reference=legacy_reference)
    assert found["memory"]["id"] == identifier


def test_a_version_1_reference_never_gives_a_version_2_record(caller: Caller, root: Path) -> None:
    put(root, RECORD)
    wrong = {"schema_version": 1, "scope": "project", "id": RECORD["id"]}
    assert caller.refusal("memory_inspect", reference=wrong)[1] == "not_found"


def ambiguous(root: Path) -> tuple[Caller, dict[str, Any]]:
    for name in ("one", "two"):
        write(root / "project" / name / "note.json", legacy())
    return Caller(root), OLD


def overflowing(root: Path) -> tuple[Caller, dict[str, Any]]:
    (root / "project").mkdir(parents=True)
    for number in range(1_001):
        (root / "project" / f"{number}.json").touch()
    return Caller(root), OLD


def corrupt(root: Path) -> tuple[Caller, dict[str, Any]]:
    write(place(root, RECORD), b"[" * 20_000)
    return Caller(root), GOOD


CODES: dict[str, Callable[[Path], tuple[Caller, dict[str, Any]]]] = {
    "invalid_reference": lambda root: (Caller(root), {}),
    "not_found": lambda root: (Caller(root), GOOD),
    "ambiguous_reference": ambiguous,
    "candidate_limit_exceeded": overflowing,
    "memory_source_unavailable": corrupt,
}
STATUSES = {
    "invalid_reference": "invalid_request",
    "not_found": "not_found",
    "ambiguous_reference": "conflict",
    "candidate_limit_exceeded": "storage_error",
    "memory_source_unavailable": "storage_error",
}


@pytest.mark.parametrize("code", CODES)
def test_every_code_is_raised(root: Path, code: str) -> None:
    caller, arguments = CODES[code](root)
    status, found, field = caller.refusal("memory_inspect", **arguments)
    assert (status, found) == (STATUSES[code], code)
    assert (field is None) == (code != "invalid_reference")


def test_an_unexpected_failure_is_an_internal_error_and_every_code_has_a_test(
    caller: Caller, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise RuntimeError("/secret/path")

    monkeypatch.setattr(MemoryStore, "record", fail)
    assert caller.refusal("memory_inspect", **GOOD) == ("internal_error", "internal_error", None)
    assert set(get_args(MemoryInspectCode)) == {*CODES, "internal_error"}


def test_a_full_scope_can_still_be_inspected_by_exact_reference(root: Path) -> None:
    caller, _ = overflowing(root)
    put(root, RECORD)
    assert caller.ok("memory_inspect", **GOOD)["memory"]["id"] == RECORD["id"]


def test_the_log_has_version_and_scope_and_no_id(
    caller: Caller, root: Path, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.INFO, "mcp.memory_inspect"):
        caller.error("memory_inspect", **GOOD)
        put(root, RECORD)
        caller.ok("memory_inspect", **GOOD)
        caller.error("memory_inspect", reference={})
    assert [(r.levelname, r.getMessage()) for r in caplog.records] == [
        (
            "INFO",
            "event=memory_inspect outcome=not_found code=not_found schema_version=2 scope=project",
        ),
        ("INFO", "event=memory_inspect outcome=ok schema_version=2 scope=project"),
        (
            "WARNING",
            "event=memory_inspect outcome=invalid_request code=invalid_reference field=reference",
        ),
    ]
