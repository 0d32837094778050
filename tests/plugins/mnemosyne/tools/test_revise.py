import json
import logging
import stat
from collections.abc import Callable
from pathlib import Path
from typing import Any, get_args

import pytest

from mymcp._generated.tools.memory_revise import (
    MemoryReviseCode,
    MemoryReviseError,
    MemoryReviseRequest,
)
from mymcp.plugins.mnemosyne.memory.editing import Editing
from mymcp.plugins.mnemosyne.memory.store import MemoryStore
from mymcp.plugins.mnemosyne.tools.revise import Revise
from tests.plugins.mnemosyne import trouble
from tests.plugins.mnemosyne.caller import INSTANT, Caller, randomness_of
from tests.plugins.mnemosyne.stores import store_of
from tests.plugins.mnemosyne.tree import canonical, files, place, put, reference, write
from tests.plugins.mnemosyne.violations import OMIT, Violation, several, spoilt

EVENT = canonical(
    1,
    kind="event",
    namespace="tea",
    collection="favourites",
    title="Old title",
    content="Old content.",
    tags=["old", "Tea"],
    occurred_at="2026-07-17T08:00:00Z",
    lifecycle={"state": "active", "revision": 3},
) | {"namespace": {"kind": "project", "id": "tea", "label": "Tea"}}
PLAIN = canonical(2, namespace="tea", lifecycle={"state": "active", "revision": 3})
GOOD: dict[str, Any] = {
    "reference": reference(EVENT),
    "expected_revision": 3,
    "namespace_label": "Tea, green",
    "collection_label": "Favourites",
    "title": "Japanischer Grüntee",
    "content": "Sencha and gyokuro.",
    "tags": ["tea", "Überblick"],
}
OF_PLAIN = {**GOOD, "reference": reference(PLAIN), "collection_label": None}
RECORD, REFERENCE, REVISION = "invalid_record", "invalid_reference", "invalid_expected_revision"
DECLARED = [
    Violation({"language": "de"}, RECORD, "revision"),
    Violation({"expected_revision": OMIT}, REVISION, "expected_revision"),
    Violation({"reference.more": 1}, REFERENCE, "reference"),
    Violation({"reference.schema_version": 1}, REFERENCE, "reference"),
    Violation({"reference.scope": "Project"}, REFERENCE, "reference.scope"),
    Violation({"reference.namespace_id": "-a"}, REFERENCE, "reference.namespace_id"),
    Violation({"reference.id": "mem_1"}, REFERENCE, "reference.id"),
    Violation({"expected_revision": 0}, REVISION, "expected_revision"),
    Violation({"namespace_label": OMIT}, RECORD, "namespace_label"),
    Violation({"title": OMIT}, RECORD, "title"),
    Violation({"content": OMIT}, RECORD, "content"),
    Violation({"tags": OMIT}, RECORD, "tags"),
    Violation({"collection_label": OMIT}, RECORD, "collection_label"),
    Violation({"namespace_label": " "}, RECORD, "namespace_label"),
    Violation({"collection_label": 5}, RECORD, "collection_label"),
    Violation({"title": ""}, RECORD, "title"),
    Violation({"content": None}, RECORD, "content"),
    Violation({"tags": ["a", "A"]}, RECORD, "tags"),
]


def changed(changes: dict[str, Any], good: dict[str, Any] = GOOD) -> dict[str, Any]:
    return spoilt(good, [Violation(changes, "")])


@pytest.mark.parametrize("violations", several(DECLARED))
def test_the_declared_first_fault_is_reported(
    caller: Caller, root: Path, violations: tuple[Violation, ...]
) -> None:
    answer = caller.refusal("memory_revise", **spoilt(GOOD, violations))
    assert answer == ("invalid_request", violations[0].code, violations[0].field)
    assert not root.exists()


@pytest.mark.parametrize(
    ("member", "value"),
    [
        ("namespace_label", ""),
        ("namespace_label", "x" * 101),
        ("namespace_label", "\u200b"),
        ("collection_label", "\u202e"),
        ("collection_label", "x" * 101),
        ("title", "\u00a0\u3000"),
        ("title", "x" * 201),
        ("title", "a\x1b[31m"),
        ("title", "\ud800"),
        ("content", ""),
        ("content", "\0"),
        ("content", "x" * 4_001),
        ("content", "\u0958" * 2_001),
        ("content", "a\udfff"),
        ("tags", None),
        ("tags", "a"),
        ("tags", [1]),
        ("tags", [""]),
        ("tags", ["a b", "a  b"]),
        ("tags", ["ß", "SS"]),
        ("tags", ["x" * 51]),
        ("tags", [str(n) for n in range(11)]),
    ],
)
def test_a_value_that_breaks_its_rule_is_named(caller: Caller, member: str, value: object) -> None:
    answer = caller.refusal("memory_revise", **GOOD | {member: value})
    assert answer == ("invalid_request", RECORD, member)


@pytest.mark.parametrize("reference_value", [OMIT, None, "mem_1", []])
def test_a_reference_is_needed(caller: Caller, reference_value: object) -> None:
    answer = caller.refusal("memory_revise", **changed({"reference": reference_value}))
    assert answer == ("invalid_request", REFERENCE, "reference")


@pytest.mark.parametrize("revision", [None, True, 3.0, "3", -1])
def test_a_revision_is_a_native_integer(caller: Caller, revision: object) -> None:
    answer = caller.refusal("memory_revise", **GOOD | {"expected_revision": revision})
    assert answer == ("invalid_request", REVISION, "expected_revision")


def test_the_file_has_exactly_the_bytes_of_the_next_revision(caller: Caller, root: Path) -> None:
    path = put(root, EVENT)
    path.chmod(0o640)
    found = caller.ok("memory_revise", **GOOD)
    assert found == {
        "status": "revised",
        "reference": GOOD["reference"],
        "lifecycle": {"state": "active", "revision": 4},
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
    "id": "tea",
    "label": "Tea, green"
  }},
  "collection": {{
    "id": "favourites",
    "label": "Favourites"
  }},
  "kind": "event",
  "language": "en",
  "title": "Japanischer Grüntee",
  "content": "Sencha and gyokuro.",
  "tags": [
    "tea",
    "Überblick"
  ],
  "provenance": {{
    "origin": "manual",
    "recorded_via": "filesystem"
  }},
  "lifecycle": {{
    "state": "active",
    "revision": 4
  }},
  "created_at": "2026-07-18T12:00:00Z",
  "updated_at": "2026-11-30T09:08:07Z",
  "occurred_at": "2026-07-17T08:00:00Z"
}}
"""
    )


def test_only_what_may_be_revised_changes(caller: Caller, root: Path) -> None:
    path = put(root, EVENT)
    caller.ok("memory_revise", **GOOD)
    record = json.loads(path.read_bytes())
    kept = set(EVENT) - {"namespace", "collection", "title", "content", "tags", "lifecycle"}
    kept.remove("updated_at")
    assert {name: record[name] for name in kept} == {name: EVENT[name] for name in kept}


def test_null_removes_labels_and_title_and_moves_nothing(caller: Caller, root: Path) -> None:
    path = put(root, EVENT)
    nothing = {"namespace_label": None, "collection_label": None, "title": None, "tags": []}
    caller.ok("memory_revise", **GOOD | nothing)
    memory = caller.ok("memory_inspect", reference=GOOD["reference"])["memory"]
    assert memory["namespace"] == {"kind": "project", "id": "tea", "label": None}
    assert memory["collection"] == {"id": "favourites", "label": None}
    assert (memory["title"], memory["tags"]) == (None, [])
    assert list(files(root)) == [str(path.relative_to(root))]


@pytest.mark.parametrize("label", [OMIT, None])
def test_a_record_without_a_collection_needs_no_label_for_it(
    caller: Caller, root: Path, label: object
) -> None:
    put(root, PLAIN)
    found = caller.ok("memory_revise", **changed({"collection_label": label}, OF_PLAIN))
    assert found["status"] == "revised"
    memory = caller.ok("memory_inspect", reference=OF_PLAIN["reference"])["memory"]
    assert memory["collection"] is None


def test_a_label_for_no_collection_is_refused_after_the_revision_was_compared(
    caller: Caller, root: Path
) -> None:
    arguments = OF_PLAIN | {"collection_label": "null"}
    assert caller.code("memory_revise", **arguments) == "not_found"
    put(root, PLAIN)
    before = files(root)
    stale = caller.code("memory_revise", **arguments | {"expected_revision": 2})
    assert stale == "revision_conflict"
    answer = caller.refusal("memory_revise", **arguments)
    assert answer == ("invalid_request", "invalid_collection", "collection_label")
    assert files(root) == before


def test_texts_are_stored_normalised(caller: Caller, root: Path) -> None:
    put(root, EVENT)
    texts = {
        "namespace_label": " null ",
        "title": " " * 5 + "e\u0301" * 200 + "\u3000",
        "content": "one\r\ntwo\rthree\n",
        "tags": ["  a   b\tc "],
    }
    caller.ok("memory_revise", **GOOD | texts)
    memory = caller.ok("memory_inspect", reference=GOOD["reference"])["memory"]
    assert memory["namespace"]["label"] == "null"
    assert memory["title"] == "é" * 200
    assert (memory["content"], memory["tags"]) == ("one\ntwo\nthree", ["a b c"])


CURRENT = {
    "namespace_label": "Tea",
    "collection_label": None,
    "title": "Old title",
    "content": "Old content.",
    "tags": ["old", "Tea"],
}


@pytest.mark.parametrize("state", ["active", "archived"])
@pytest.mark.parametrize("same", [{}, {"title": "  Old title "}, {"tags": [" old ", "Tea"]}])
def test_what_is_current_after_normalisation_is_not_written_again(
    caller: Caller, root: Path, state: str, same: dict[str, object]
) -> None:
    path = put(root, EVENT | {"lifecycle": {"state": state, "revision": 3}})
    before = (path.read_bytes(), path.stat())
    found = caller.ok("memory_revise", **GOOD | CURRENT | same)
    assert found["status"] == "already_current"
    assert found["lifecycle"] == {"state": state, "revision": 3}
    assert (path.read_bytes(), path.stat()) == before


@pytest.mark.parametrize(
    "other",
    [
        {"tags": ["Tea", "old"]},
        {"tags": ["old", "tea"]},
        {"title": "old title"},
        {"title": None},
        {"namespace_label": None},
        {"collection_label": "x"},
        {"content": "Old content"},
    ],
)
def test_letter_case_and_order_of_tags_are_a_revision(
    caller: Caller, root: Path, other: dict[str, object]
) -> None:
    put(root, EVENT)
    assert caller.ok("memory_revise", **GOOD | CURRENT | other)["status"] == "revised"


@pytest.mark.parametrize("revision", [2, 4, 10**30])
def test_a_stale_revision_conflicts_before_it_is_seen_that_nothing_differs(
    caller: Caller, root: Path, revision: int
) -> None:
    put(root, EVENT)
    before = files(root)
    stale = GOOD | CURRENT | {"expected_revision": revision}
    assert caller.refusal("memory_revise", **stale) == ("conflict", "revision_conflict", None)
    assert files(root) == before


def test_an_archived_memory_stays_archived(caller: Caller, root: Path) -> None:
    put(root, EVENT | {"lifecycle": {"state": "archived", "revision": 3}})
    found = caller.ok("memory_revise", **GOOD)
    assert found["lifecycle"] == {"state": "archived", "revision": 4}
    assert caller.code("memory_recall", query="sencha", scope="project") == "no_matches"


def test_recall_finds_the_new_text_and_no_longer_the_old(caller: Caller, root: Path) -> None:
    put(root, EVENT)
    assert caller.code("memory_recall", query="content", scope="project") == "ok"
    caller.ok("memory_revise", **GOOD)
    assert caller.code("memory_recall", query="content", scope="project") == "no_matches"
    assert caller.code("memory_recall", query="gyokuro", scope="project") == "ok"


def test_a_clock_that_runs_behind_dates_no_revision_before_the_last(
    caller: Caller, root: Path
) -> None:
    later = {"created_at": "2027-01-01T00:00:00Z", "updated_at": "2027-02-01T00:00:00Z"}
    path = put(root, EVENT | later)
    caller.ok("memory_revise", **GOOD)
    record = json.loads(path.read_bytes())
    assert {name: record[name] for name in later} == later


SHAPE = "123-45-6789"
KEY = "sk-" + 20 * "a"


@pytest.mark.parametrize(
    ("changes", "field", "reason"),
    [
        ({"namespace_label": SHAPE}, "namespace_label", "government_identifier_shape"),
        ({"collection_label": "password=abcd"}, "collection_label", "credential_shape"),
        ({"title": "eyJ" + 8 * "a" + ".a.b"}, "title", "compact_token_shape"),
        ({"content": "-----BEGIN " + "PRIVATE KEY-----"}, "content", "private_key_shape"),
        ({"content": "4" + 15 * "1"}, "content", "payment_card_shape"),
        ({"tags": ["fine", SHAPE]}, "tags", "government_identifier_shape"),
        ({"collection_label": KEY, "title": SHAPE}, "collection_label", "credential_shape"),
        ({"content": KEY, "tags": [SHAPE]}, "content", "credential_shape"),
    ],
)
def test_content_that_looks_like_a_secret_is_refused_before_anything_is_touched(
    caller: Caller, root: Path, changes: dict[str, Any], field: str, reason: str
) -> None:
    found = caller.error("memory_revise", **GOOD | changes)
    assert list(found) == ["status", "code", "field", "reason", "message"]
    assert (found["status"], found["code"]) == ("refused", "disallowed_content")
    assert (found["field"], found["reason"]) == (field, reason)
    assert not root.exists()


def test_a_fault_of_the_arguments_comes_before_the_content_policy(caller: Caller) -> None:
    answer = caller.refusal("memory_revise", **GOOD | {"title": SHAPE, "tags": None})
    assert answer == ("invalid_request", RECORD, "tags")


SITUATIONS: dict[str, tuple[str, Callable[[Path], object], trouble.Trouble | None]] = {
    "not_found": ("not_found", lambda root: put(root, PLAIN), None),
    "revision_conflict": (
        "conflict",
        lambda root: put(root, EVENT | {"lifecycle": {"state": "active", "revision": 5}}),
        None,
    ),
    "write_conflict": ("conflict", lambda root: put(root, EVENT), trouble.edited_meanwhile),
    "memory_source_unavailable": (
        "storage_error",
        lambda root: write(place(root, EVENT), b"{"),
        None,
    ),
    "replacement_outcome_uncertain": (
        "uncertain",
        lambda root: put(root, EVENT),
        trouble.unconfirmed_folders,
    ),
}


@pytest.mark.parametrize("code", SITUATIONS)
def test_every_code_of_the_record_is_raised(
    root: Path, caller: Caller, monkeypatch: pytest.MonkeyPatch, code: str
) -> None:
    status, prepare, happens = SITUATIONS[code]
    prepare(root)
    if happens is not None:
        happens(monkeypatch, place(root, EVENT))
    assert caller.refusal("memory_revise", **GOOD) == (status, code, None)
    assert all(name.endswith(".json") for name in files(root))


@pytest.mark.parametrize(
    "happens", [trouble.full_disk, trouble.refused("fsync"), trouble.refused("rename")]
)
def test_a_disk_that_refuses_changes_nothing(
    root: Path, caller: Caller, monkeypatch: pytest.MonkeyPatch, happens: trouble.Trouble
) -> None:
    path = put(root, EVENT)
    before = files(root)
    happens(monkeypatch, path)
    answer = caller.refusal("memory_revise", **GOOD)
    assert answer == ("storage_error", "memory_source_unavailable", None)
    assert files(root) == before


def test_a_handler_that_is_switched_off_refuses_even_when_called(root: Path) -> None:
    editing = Editing(store_of(root), lambda: INSTANT, randomness_of("one"))
    switched_off = Revise(editing, enabled=False)
    with pytest.raises(MemoryReviseError, match="mutation_disabled"):
        switched_off(MemoryReviseRequest.model_validate(GOOD | {"content": SHAPE}))
    assert not root.exists()


def test_an_unexpected_failure_is_an_internal_error_and_every_code_has_a_test(
    caller: Caller, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise RuntimeError("/secret/path")

    monkeypatch.setattr(MemoryStore, "changing", fail)
    answer = caller.refusal("memory_revise", **GOOD)
    assert answer == ("internal_error", "internal_error", None)
    elsewhere = {RECORD, REFERENCE, REVISION, "invalid_collection", "disallowed_content"}
    elsewhere |= {"mutation_disabled", "internal_error"}
    assert set(get_args(MemoryReviseCode)) == {*SITUATIONS, *elsewhere}


def test_the_log_has_dimensions_and_no_text(
    root: Path, caller: Caller, caplog: pytest.LogCaptureFixture
) -> None:
    put(root, EVENT)
    with caplog.at_level(logging.INFO, "mcp.memory_revise"):
        caller.ok("memory_revise", **GOOD)
        caller.error("memory_revise", **GOOD | {"content": SHAPE})
        caller.error("memory_revise", **{**GOOD, "reference": reference(PLAIN)})
    assert [record.getMessage() for record in caplog.records] == [
        "event=memory_revise outcome=revised schema_version=2 scope=project "
        "lifecycle_state=active revision=4",
        "event=memory_revise outcome=refused code=disallowed_content field=content "
        "reason=government_identifier_shape schema_version=2 scope=project",
        "event=memory_revise outcome=not_found code=not_found schema_version=2 scope=project",
    ]
