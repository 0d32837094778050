import logging
from collections.abc import Callable
from pathlib import Path
from typing import Any, get_args

import pytest

from mymcp._generated.tools.memory_forget import (
    MemoryForgetCode,
    MemoryForgetError,
    MemoryForgetRequest,
)
from mymcp.plugins.mnemosyne.memory.forgetting import Forgetting
from mymcp.plugins.mnemosyne.memory.store import MemoryStore
from mymcp.plugins.mnemosyne.tools.forget import Forget
from tests.plugins.mnemosyne import trouble
from tests.plugins.mnemosyne.caller import Caller
from tests.plugins.mnemosyne.stores import store_of
from tests.plugins.mnemosyne.tree import (
    canonical,
    files,
    legacy,
    memory_id,
    place,
    put,
    reference,
    write,
)
from tests.plugins.mnemosyne.violations import OMIT, Violation, several, spoilt

RECORD = canonical(
    1,
    collection="decisions",
    content="Nobody must read this again.",
    lifecycle={"state": "archived", "revision": 3},
)
ACTIVE = RECORD | {"lifecycle": {"state": "active", "revision": 3}}
GOOD: dict[str, Any] = {"reference": reference(RECORD), "expected_revision": 3}
REFERENCE, REVISION = "invalid_reference", "invalid_expected_revision"
DECLARED = [
    Violation({"content": "x"}, REFERENCE, "reference"),
    Violation({"expected_revision": OMIT}, REVISION, "expected_revision"),
    Violation({"reference.more": 1}, REFERENCE, "reference"),
    Violation({"reference.schema_version": "2"}, REFERENCE, "reference"),
    Violation({"reference.scope": "Project"}, REFERENCE, "reference.scope"),
    Violation({"reference.namespace_id": None}, REFERENCE, "reference.namespace_id"),
    Violation({"reference.collection_id": "A"}, REFERENCE, "reference.collection_id"),
    Violation({"reference.id": "mem_1"}, REFERENCE, "reference.id"),
    Violation({"expected_revision": 0}, REVISION, "expected_revision"),
]


@pytest.mark.parametrize("violations", several(DECLARED))
def test_the_declared_first_fault_is_reported(
    root: Path, caller: Caller, violations: tuple[Violation, ...]
) -> None:
    answer = caller.refusal("memory_forget", **spoilt(GOOD, violations))
    assert answer == ("invalid_request", violations[0].code, violations[0].field)
    assert not root.exists()


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({"reference": OMIT}, (REFERENCE, "reference")),
        ({"reference": None}, (REFERENCE, "reference")),
        ({"reference.collection_id": OMIT}, (REFERENCE, "reference")),
        ({"reference.schema_version": True}, (REFERENCE, "reference")),
        ({"expected_revision": None}, (REVISION, "expected_revision")),
        ({"expected_revision": True}, (REVISION, "expected_revision")),
        ({"expected_revision": 3.0}, (REVISION, "expected_revision")),
    ],
)
def test_an_odd_value_is_named(
    caller: Caller, changes: dict[str, object], expected: tuple[str, str]
) -> None:
    answer = caller.refusal("memory_forget", **spoilt(GOOD, [Violation(changes, "")]))
    assert answer == ("invalid_request", *expected)


def test_a_legacy_reference_is_refused(root: Path, caller: Caller) -> None:
    write(root / "project" / "old.json", legacy())
    old = {"schema_version": 1, "scope": "project", "id": "rainy-weekend"}
    answer = caller.refusal("memory_forget", reference=old, expected_revision=1)
    assert answer == ("invalid_request", REFERENCE, "reference")
    assert list(files(root)) == ["project/old.json"]


def test_a_forgotten_record_is_gone_and_its_folders_and_neighbours_stay(
    root: Path, caller: Caller
) -> None:
    path = put(root, RECORD)
    other = put(root, canonical(2, collection="decisions"))
    found = caller.ok("memory_forget", **GOOD)
    assert found == {"status": "forgotten", "reference": GOOD["reference"]}
    assert list(files(root)) == [str(other.relative_to(root))]
    other.unlink()
    assert path.parent.is_dir()


def test_a_second_call_finds_nothing(root: Path, caller: Caller) -> None:
    put(root, RECORD)
    caller.ok("memory_forget", **GOOD)
    assert caller.refusal("memory_forget", **GOOD) == ("not_found", "not_found", None)
    assert caller.code("memory_inspect", reference=GOOD["reference"]) == "not_found"
    assert caller.code("memory_list", scope="project") == "ok"


def test_a_whole_life_ends_with_an_empty_tree(root: Path, caller: Caller) -> None:
    draft = {
        "scope": "self",
        "namespace": {"kind": "aspect", "id": "habits", "label": None},
        "collection": None,
        "kind": "attribute",
        "language": None,
        "title": None,
        "content": "Drinks tea.",
        "tags": [],
        "origin": "explicit_user_statement",
    }
    exact = caller.ok("memory_remember", **draft)["reference"]
    assert caller.code("memory_forget", reference=exact, expected_revision=1) == "not_archived"
    caller.ok("memory_archive", reference=exact, expected_revision=1)
    assert caller.code("memory_forget", reference=exact, expected_revision=1) == (
        "revision_conflict"
    )
    caller.ok("memory_forget", reference=exact, expected_revision=2)
    assert files(root) == {}
    assert caller.ok("memory_remember", **draft)["reference"] != exact


@pytest.mark.parametrize("record", [RECORD, ACTIVE])
@pytest.mark.parametrize("revision", [2, 4, 10**30])
def test_another_revision_conflicts_whatever_the_state(
    root: Path, caller: Caller, record: dict[str, object], revision: int
) -> None:
    put(root, record)
    before = files(root)
    answer = caller.refusal("memory_forget", **GOOD | {"expected_revision": revision})
    assert answer == ("conflict", "revision_conflict", None)
    assert files(root) == before


def leftovers(root: Path) -> list[Path]:
    """Leave what killed servers, ours and older ones, may have left of the record."""
    folder = place(root, RECORD).parent
    path = put(root, RECORD)
    linked = folder / f".{RECORD['id']}.0011223344556677.tmp"
    linked.hardlink_to(path)
    return [linked, write(folder / f".{RECORD['id']}.k3_x9abc.tmp", path.read_bytes()[:150])]


def test_nothing_readable_is_left_even_of_what_was_left_by_others_since_the_start(
    root: Path, caller: Caller
) -> None:
    put(root, canonical(7))
    caller.error("memory_forget", **{**GOOD, "reference": reference(canonical(7))})  # sweeps
    leftovers(root)
    folder = place(root, RECORD).parent
    kept = {
        f".{memory_id(8)}.0011223344556677.tmp": b"of another record",
        f".{RECORD['id']}.tmp": b"no name of ours",
        f"{RECORD['id']}.json.bak": b"a copy that a person made",
    }
    for name, data in kept.items():
        write(folder / name, data)
    caller.ok("memory_forget", **GOOD)
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == kept


def test_a_leftover_that_cannot_be_deleted_keeps_the_record(
    root: Path, caller: Caller, monkeypatch: pytest.MonkeyPatch
) -> None:
    leftovers(root)
    before = files(root)
    trouble.refused("unlink")(monkeypatch, root)
    answer = caller.refusal("memory_forget", **GOOD)
    assert answer == ("storage_error", "memory_source_unavailable", None)
    assert files(root) == before


def ready(root: Path) -> Path:
    return put(root, RECORD)


SITUATIONS: dict[str, tuple[str, Callable[[Path], object], trouble.Trouble | None]] = {
    "not_found": ("not_found", lambda root: put(root, canonical(2)), None),
    "revision_conflict": (
        "conflict",
        lambda root: put(root, RECORD | {"lifecycle": {"state": "archived", "revision": 5}}),
        None,
    ),
    "not_archived": ("conflict", lambda root: put(root, ACTIVE), None),
    "write_conflict": ("conflict", ready, trouble.edited_before_unlink),
    "memory_source_unavailable": (
        "storage_error",
        lambda root: write(place(root, RECORD), b"{"),
        None,
    ),
    "deletion_outcome_uncertain": ("uncertain", ready, trouble.unconfirmed_folders),
}


@pytest.mark.parametrize("code", SITUATIONS)
def test_every_code_of_the_record_is_raised(
    root: Path, caller: Caller, monkeypatch: pytest.MonkeyPatch, code: str
) -> None:
    status, prepare, happens = SITUATIONS[code]
    caller.error("memory_forget", **GOOD)
    prepare(root)
    if happens is not None:
        caller.error("memory_forget", **GOOD | {"expected_revision": 9})  # the sweep is over
        happens(monkeypatch, place(root, RECORD))
    assert caller.refusal("memory_forget", **GOOD) == (status, code, None)
    assert (place(root, RECORD) in root.rglob("*.json")) == (
        code not in {"not_found", "deletion_outcome_uncertain"}
    )


def test_a_record_removed_by_hand_meanwhile_is_a_conflict(
    root: Path, caller: Caller, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = ready(root)
    caller.error("memory_forget", **GOOD | {"expected_revision": 9})  # the sweep is over
    trouble.removed_before_unlink(monkeypatch, path)
    assert caller.refusal("memory_forget", **GOOD) == ("conflict", "write_conflict", None)


def test_a_disk_that_refuses_keeps_the_record(
    root: Path, caller: Caller, monkeypatch: pytest.MonkeyPatch
) -> None:
    ready(root)
    before = files(root)
    trouble.refused("unlink")(monkeypatch, root)
    answer = caller.refusal("memory_forget", **GOOD)
    assert answer == ("storage_error", "memory_source_unavailable", None)
    assert files(root) == before


def test_an_uncertain_deletion_is_visible_and_an_inspection_tells(
    root: Path, caller: Caller, monkeypatch: pytest.MonkeyPatch
) -> None:
    trouble.unconfirmed_folders(monkeypatch, ready(root))
    assert caller.code("memory_forget", **GOOD) == "deletion_outcome_uncertain"
    assert files(root) == {}
    assert caller.code("memory_inspect", reference=GOOD["reference"]) == "not_found"


def test_a_handler_that_is_switched_off_refuses_even_when_called(root: Path) -> None:
    path = ready(root)
    switched_off = Forget(Forgetting(store_of(root)), enabled=False)
    with pytest.raises(MemoryForgetError, match="mutation_disabled"):
        switched_off(MemoryForgetRequest.model_validate(GOOD))
    assert path.exists()


def test_an_unexpected_failure_is_an_internal_error_and_every_code_has_a_test(
    caller: Caller, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise RuntimeError("/secret/path")

    monkeypatch.setattr(MemoryStore, "changing", fail)
    answer = caller.refusal("memory_forget", **GOOD)
    assert answer == ("internal_error", "internal_error", None)
    elsewhere = {REFERENCE, REVISION, "mutation_disabled", "internal_error"}
    assert set(get_args(MemoryForgetCode)) == {*SITUATIONS, *elsewhere}


def test_the_log_has_dimensions_and_no_identity(
    root: Path, caller: Caller, caplog: pytest.LogCaptureFixture
) -> None:
    ready(root)
    with caplog.at_level(logging.INFO, "mcp.memory_forget"):
        caller.ok("memory_forget", **GOOD)
        caller.error("memory_forget", **GOOD)
        caller.error("memory_forget", **GOOD | {"expected_revision": None})
    assert [(record.levelname, record.getMessage()) for record in caplog.records] == [
        ("INFO", "event=memory_forget outcome=forgotten schema_version=2 scope=project"),
        (
            "INFO",
            "event=memory_forget outcome=not_found code=not_found schema_version=2 scope=project",
        ),
        (
            "WARNING",
            f"event=memory_forget outcome=invalid_request code={REVISION} field=expected_revision",
        ),
    ]
