"""Changes that happened although the system said no, and changes to a root that is there no more.

Whatever may be visible is uncertain, and never `memory_source_unavailable`, which says that nothing
was changed.
"""

from pathlib import Path
from typing import Any

import pytest

from tests.plugins.mnemosyne import trouble
from tests.plugins.mnemosyne.caller import Caller
from tests.plugins.mnemosyne.tree import canonical, files, place, put, reference

RECORD = canonical(1)
ARCHIVED = canonical(1, state="archived")
EXACT: dict[str, Any] = {"reference": reference(RECORD), "expected_revision": 1}
DRAFT = {
    "scope": "project",
    "namespace": {"kind": "project", "id": "atlas", "label": None},
    "collection": None,
    "kind": "decision",
    "language": None,
    "title": None,
    "content": "Something new.",
    "tags": [],
    "origin": "explicit_user_statement",
}
STATEMENT = EXACT | {
    "namespace_label": None,
    "collection_label": None,
    "title": None,
    "content": "Another statement.",
    "tags": [],
}
CHANGES = [
    ("memory_remember", DRAFT, None, "link", "creation_outcome_uncertain"),
    ("memory_revise", STATEMENT, RECORD, "rename", "replacement_outcome_uncertain"),
    ("memory_archive", EXACT, RECORD, "rename", "replacement_outcome_uncertain"),
    ("memory_restore", EXACT, ARCHIVED, "rename", "replacement_outcome_uncertain"),
    ("memory_forget", EXACT, ARCHIVED, "unlink", "deletion_outcome_uncertain"),
]


@pytest.mark.parametrize(("tool", "arguments", "record", "call", "code"), CHANGES)
def test_a_change_that_was_made_without_an_answer_is_uncertain_and_can_be_inspected(
    root: Path,
    monkeypatch: pytest.MonkeyPatch,
    tool: str,
    arguments: dict[str, Any],
    record: dict[str, Any] | None,
    call: str,
    code: str,
) -> None:
    if record is not None:
        put(root, record)
    before = files(root)
    with monkeypatch.context() as patch:
        trouble.unanswered(call)(patch, place(root, RECORD))
        answer = Caller(root).error(tool, **arguments)
    assert (answer["status"], answer["code"]) == ("uncertain", code)
    assert files(root) != before
    named = answer.get("reference", EXACT["reference"])
    found = Caller(root).code("memory_inspect", reference=named)
    assert found == ("not_found" if tool == "memory_forget" else "ok")


@pytest.mark.parametrize(("tool", "arguments", "record", "call", "code"), CHANGES)
def test_a_change_of_a_root_that_was_replaced_meanwhile_is_uncertain(
    root: Path,
    monkeypatch: pytest.MonkeyPatch,
    tool: str,
    arguments: dict[str, Any],
    record: dict[str, Any] | None,
    call: str,
    code: str,
) -> None:
    if record is not None:
        put(root, record)
    with monkeypatch.context() as patch:
        trouble.swapped_root(call)(patch, place(root, RECORD))
        answer = Caller(root).error(tool, **arguments)
    assert (answer["status"], answer["code"]) == ("uncertain", code)
    assert files(root) == {}


def test_nothing_is_stored_in_a_root_that_was_replaced_before_its_folders_are_made(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    root.mkdir()
    with monkeypatch.context() as patch:
        trouble.swapped_root("mkdir")(patch, place(root, RECORD))
        code = Caller(root).code("memory_remember", **DRAFT)
    assert code == "memory_source_unavailable"
    assert files(root) == files(root.with_name("aside")) == {}
    assert Caller(root).code("memory_remember", **DRAFT) == "remembered"
