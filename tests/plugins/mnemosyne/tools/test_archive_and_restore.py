"""`memory_archive` and `memory_restore`: one shape, two directions."""

import json
import logging
import stat
from collections.abc import Callable
from pathlib import Path
from typing import Any, get_args

import pytest

from mymcp._generated.tools.memory_archive import (
    MemoryArchiveCode,
    MemoryArchiveError,
    MemoryArchiveRequest,
)
from mymcp._generated.tools.memory_restore import (
    MemoryRestoreCode,
    MemoryRestoreError,
    MemoryRestoreRequest,
)
from mymcp.plugins.mnemosyne.memory.editing import Editing
from mymcp.plugins.mnemosyne.memory.store import MemoryStore
from mymcp.plugins.mnemosyne.tools.archive import Archive
from mymcp.plugins.mnemosyne.tools.restore import Restore
from tests.plugins.mnemosyne import trouble
from tests.plugins.mnemosyne.caller import INSTANT, Caller, randomness_of
from tests.plugins.mnemosyne.stores import store_of
from tests.plugins.mnemosyne.tree import canonical, files, legacy, place, put, reference, write
from tests.plugins.mnemosyne.violations import OMIT, Violation, several, spoilt

EVENT = canonical(
    1,
    collection="decisions",
    kind="event",
    title="Überblick",
    content="Shipped.",
    tags=["Release", "Q3"],
    occurred_at="2026-07-17T08:00:00Z",
    lifecycle={"state": "active", "revision": 3},
)
GOOD: dict[str, Any] = {"reference": reference(EVENT), "expected_revision": 3}
REFERENCE, REVISION = "invalid_reference", "invalid_expected_revision"
DECLARED = [
    Violation({"state": "archived"}, REFERENCE, "reference"),
    Violation({"expected_revision": OMIT}, REVISION, "expected_revision"),
    Violation({"reference.more": 1}, REFERENCE, "reference"),
    Violation({"reference.schema_version": 1}, REFERENCE, "reference"),
    Violation({"reference.scope": "Project"}, REFERENCE, "reference.scope"),
    Violation({"reference.namespace_id": "-a"}, REFERENCE, "reference.namespace_id"),
    Violation({"reference.collection_id": "A"}, REFERENCE, "reference.collection_id"),
    Violation({"reference.id": "mem_1"}, REFERENCE, "reference.id"),
    Violation({"expected_revision": 0}, REVISION, "expected_revision"),
]
TOOLS = ["memory_archive", "memory_restore"]
STATE_BEFORE = {"memory_archive": "active", "memory_restore": "archived"}
STATE_AFTER = {"memory_archive": "archived", "memory_restore": "active"}
DONE = {"memory_archive": "archived", "memory_restore": "restored"}
ALREADY = {"memory_archive": "already_archived", "memory_restore": "already_active"}

each_tool = pytest.mark.parametrize("tool", TOOLS)


def stored(root: Path, tool: str, **members: object) -> Path:
    """Put the record that `tool` can change."""
    lifecycle = {"state": STATE_BEFORE[tool], "revision": 3}
    return put(root, EVENT | {"lifecycle": lifecycle} | members)


@each_tool
@pytest.mark.parametrize("violations", several(DECLARED))
def test_the_declared_first_fault_is_reported(
    root: Path, caller: Caller, tool: str, violations: tuple[Violation, ...]
) -> None:
    answer = caller.refusal(tool, **spoilt(GOOD, violations))
    assert answer == ("invalid_request", violations[0].code, violations[0].field)
    assert not root.exists()


@each_tool
@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({"reference": OMIT}, (REFERENCE, "reference")),
        ({"reference": None}, (REFERENCE, "reference")),
        ({"reference": []}, (REFERENCE, "reference")),
        ({"reference.schema_version": True}, (REFERENCE, "reference")),
        ({"reference.schema_version": 2.0}, (REFERENCE, "reference")),
        ({"reference.schema_version": OMIT}, (REFERENCE, "reference")),
        ({"reference.collection_id": OMIT}, (REFERENCE, "reference")),
        ({"reference.scope": None}, (REFERENCE, "reference.scope")),
        ({"reference.scope": '"project"'}, (REFERENCE, "reference.scope")),
        ({"reference.namespace_id": "a" * 65}, (REFERENCE, "reference.namespace_id")),
        ({"reference.namespace_id": "a\n"}, (REFERENCE, "reference.namespace_id")),
        ({"reference.collection_id": ""}, (REFERENCE, "reference.collection_id")),
        ({"reference.id": "mem_" + "A" * 32}, (REFERENCE, "reference.id")),
        ({"expected_revision": None}, (REVISION, "expected_revision")),
        ({"expected_revision": True}, (REVISION, "expected_revision")),
        ({"expected_revision": 3.0}, (REVISION, "expected_revision")),
        ({"expected_revision": "3"}, (REVISION, "expected_revision")),
        ({"expected_revision": -1}, (REVISION, "expected_revision")),
    ],
)
def test_an_odd_value_is_named(
    caller: Caller, tool: str, changes: dict[str, object], expected: tuple[str, str]
) -> None:
    answer = caller.refusal(tool, **spoilt(GOOD, [Violation(changes, "")]))
    assert answer == ("invalid_request", *expected)


@each_tool
def test_a_legacy_reference_is_refused(root: Path, caller: Caller, tool: str) -> None:
    write(root / "project" / "old.json", legacy())
    old = {"schema_version": 1, "scope": "project", "id": "rainy-weekend"}
    answer = caller.refusal(tool, reference=old, expected_revision=1)
    assert answer == ("invalid_request", REFERENCE, "reference")


@each_tool
def test_the_file_has_exactly_the_bytes_of_the_next_revision(
    root: Path, caller: Caller, tool: str
) -> None:
    path = stored(root, tool)
    path.chmod(0o644)
    found = caller.ok(tool, **GOOD)
    assert found == {
        "status": DONE[tool],
        "reference": GOOD["reference"],
        "lifecycle": {"state": STATE_AFTER[tool], "revision": 4},
    }
    assert list(files(root)) == [str(path.relative_to(root))]
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert (
        path.read_text()
        == f"""{{
  "schema_version": 2,
  "id": "{EVENT["id"]}",
  "scope": "project",
  "namespace": {{
    "kind": "project",
    "id": "atlas",
    "label": null
  }},
  "collection": {{
    "id": "decisions",
    "label": null
  }},
  "kind": "event",
  "language": "en",
  "title": "Überblick",
  "content": "Shipped.",
  "tags": [
    "Release",
    "Q3"
  ],
  "provenance": {{
    "origin": "manual",
    "recorded_via": "filesystem"
  }},
  "lifecycle": {{
    "state": "{STATE_AFTER[tool]}",
    "revision": 4
  }},
  "created_at": "2026-07-18T12:00:00Z",
  "updated_at": "2026-11-30T09:08:07Z",
  "occurred_at": "2026-07-17T08:00:00Z"
}}
"""
    )


def test_an_archived_memory_is_not_recalled_until_it_is_restored(root: Path) -> None:
    stored(root, "memory_archive")
    caller = Caller(root)
    ask = {"query": "shipped", "scope": "project"}
    assert caller.code("memory_recall", **ask) == "ok"
    caller.ok("memory_archive", **GOOD)
    assert caller.code("memory_recall", **ask) == "no_matches"
    (listed,) = caller.ok("memory_list", scope="project")["memories"]
    assert listed["lifecycle"] == {"state": "archived"}
    inspected = caller.ok("memory_inspect", reference=GOOD["reference"])["memory"]
    assert inspected["lifecycle"] == {"state": "archived", "revision": 4}
    restored = caller.ok("memory_restore", **GOOD | {"expected_revision": 4})
    assert restored["lifecycle"] == {"state": "active", "revision": 5}
    assert caller.code("memory_recall", **ask) == "ok"


@each_tool
def test_a_record_already_there_is_not_written_again(root: Path, caller: Caller, tool: str) -> None:
    path = put(root, EVENT | {"lifecycle": {"state": STATE_AFTER[tool], "revision": 3}})
    before = (path.read_bytes(), path.stat())
    found = caller.ok(tool, **GOOD)
    assert found["status"] == ALREADY[tool]
    assert found["lifecycle"] == {"state": STATE_AFTER[tool], "revision": 3}
    assert (path.read_bytes(), path.stat()) == before


@each_tool
@pytest.mark.parametrize("state", ["active", "archived"])
@pytest.mark.parametrize("revision", [2, 4, 10**30])
def test_another_revision_conflicts_even_where_nothing_would_change(
    root: Path, caller: Caller, tool: str, state: str, revision: int
) -> None:
    put(root, EVENT | {"lifecycle": {"state": state, "revision": 3}})
    before = files(root)
    answer = caller.refusal(tool, **GOOD | {"expected_revision": revision})
    assert answer == ("conflict", "revision_conflict", None)
    assert files(root) == before


@each_tool
def test_a_revision_beyond_any_machine_word_counts_on(
    root: Path, caller: Caller, tool: str
) -> None:
    stored(root, tool, lifecycle={"state": STATE_BEFORE[tool], "revision": 10**20})
    found = caller.ok(tool, **GOOD | {"expected_revision": 10**20})
    assert found["lifecycle"]["revision"] == 10**20 + 1


@each_tool
def test_a_clock_that_runs_behind_dates_no_change_before_the_last(
    root: Path, caller: Caller, tool: str
) -> None:
    later = {"created_at": "2027-01-01T00:00:00Z", "updated_at": "2027-02-01T00:00:00Z"}
    path = stored(root, tool, **later)
    caller.ok(tool, **GOOD)
    record = json.loads(path.read_bytes())
    assert {name: record[name] for name in later} == later


@each_tool
def test_a_hand_written_record_is_normalised_by_its_first_change(
    root: Path, caller: Caller, tool: str
) -> None:
    path = stored(root, tool, title="  e\u0301 ", language=None, content="a\r\nb\n")
    caller.ok(tool, **GOOD)
    record = json.loads(path.read_bytes())
    assert (record["title"], record["language"], record["content"]) == ("é", "und", "a\nb")


def no_record(root: Path, tool: str) -> None:
    stored(root, tool, id=f"mem_{9:032x}")


def broken_record(root: Path, tool: str) -> None:
    write(place(root, EVENT), b"{")


SITUATIONS: dict[str, tuple[str, Callable[[Path, str], object], trouble.Trouble | None]] = {
    "not_found": ("not_found", no_record, None),
    "revision_conflict": (
        "conflict",
        lambda root, tool: stored(
            root, tool, lifecycle={"state": STATE_BEFORE[tool], "revision": 5}
        ),
        None,
    ),
    "write_conflict": ("conflict", stored, trouble.edited_meanwhile),
    "memory_source_unavailable": ("storage_error", broken_record, None),
    "replacement_outcome_uncertain": ("uncertain", stored, trouble.unconfirmed_folders),
}


@each_tool
@pytest.mark.parametrize("code", SITUATIONS)
def test_every_code_of_the_record_is_raised(
    root: Path, caller: Caller, monkeypatch: pytest.MonkeyPatch, tool: str, code: str
) -> None:
    status, prepare, happens = SITUATIONS[code]
    prepare(root, tool)
    if happens is not None:
        happens(monkeypatch, place(root, EVENT))
    assert caller.refusal(tool, **GOOD) == (status, code, None)
    assert all(name.endswith(".json") for name in files(root))


@each_tool
@pytest.mark.parametrize(
    "happens",
    [
        trouble.full_disk,
        trouble.refused("fsync"),
        trouble.refused("rename"),
        trouble.refused("write"),
    ],
)
def test_a_disk_that_refuses_changes_nothing(
    root: Path,
    caller: Caller,
    monkeypatch: pytest.MonkeyPatch,
    tool: str,
    happens: trouble.Trouble,
) -> None:
    path = stored(root, tool)
    before = files(root)
    happens(monkeypatch, path)
    answer = caller.refusal(tool, **GOOD)
    assert answer == ("storage_error", "memory_source_unavailable", None)
    assert files(root) == before
    monkeypatch.undo()
    assert caller.ok(tool, **GOOD)["status"] == DONE[tool]


@each_tool
def test_a_record_removed_by_hand_meanwhile_is_not_made_again(
    root: Path, caller: Caller, monkeypatch: pytest.MonkeyPatch, tool: str
) -> None:
    trouble.removed_meanwhile(monkeypatch, stored(root, tool))
    assert caller.refusal(tool, **GOOD) == ("conflict", "write_conflict", None)
    assert files(root) == {}


@each_tool
def test_an_uncertain_change_is_visible_and_an_inspection_tells(
    root: Path, caller: Caller, monkeypatch: pytest.MonkeyPatch, tool: str
) -> None:
    stored(root, tool)
    trouble.unconfirmed_folders(monkeypatch, place(root, EVENT))
    assert caller.code(tool, **GOOD) == "replacement_outcome_uncertain"
    memory = caller.ok("memory_inspect", reference=GOOD["reference"])["memory"]
    assert memory["lifecycle"] == {"state": STATE_AFTER[tool], "revision": 4}


def test_a_handler_that_is_switched_off_refuses_even_when_called(root: Path) -> None:
    path = put(root, EVENT)
    before = path.read_bytes()
    editing = Editing(store_of(root), lambda: INSTANT, randomness_of("one"))
    with pytest.raises(MemoryArchiveError, match="mutation_disabled"):
        Archive(editing, enabled=False)(MemoryArchiveRequest.model_validate(GOOD))
    with pytest.raises(MemoryRestoreError, match="mutation_disabled"):
        Restore(editing, enabled=False)(MemoryRestoreRequest.model_validate(GOOD))
    assert path.read_bytes() == before


@each_tool
def test_an_unexpected_failure_is_an_internal_error_and_every_code_has_a_test(
    caller: Caller, monkeypatch: pytest.MonkeyPatch, tool: str
) -> None:
    def fail(*_: object) -> None:
        raise RuntimeError("/secret/path")

    monkeypatch.setattr(MemoryStore, "changing", fail)
    assert caller.refusal(tool, **GOOD) == ("internal_error", "internal_error", None)
    elsewhere = {REFERENCE, REVISION, "mutation_disabled", "internal_error"}
    declared = MemoryArchiveCode if tool == "memory_archive" else MemoryRestoreCode
    assert set(get_args(declared)) == {*SITUATIONS, *elsewhere}


@each_tool
def test_the_log_has_dimensions_and_no_identity(
    root: Path, caller: Caller, caplog: pytest.LogCaptureFixture, tool: str
) -> None:
    stored(root, tool)
    with caplog.at_level(logging.INFO, f"mcp.{tool}"):
        caller.ok(tool, **GOOD)
        caller.error(tool, **GOOD)
        caller.error(tool, **GOOD | {"expected_revision": 0})
    assert [(record.levelname, record.getMessage()) for record in caplog.records] == [
        (
            "INFO",
            f"event={tool} outcome={DONE[tool]} schema_version=2 scope=project "
            f"lifecycle_state={STATE_AFTER[tool]} revision=4",
        ),
        (
            "WARNING",
            f"event={tool} outcome=conflict code=revision_conflict schema_version=2 scope=project",
        ),
        (
            "WARNING",
            f"event={tool} outcome=invalid_request code={REVISION} field=expected_revision",
        ),
    ]
