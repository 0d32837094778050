"""What every storage keeps: the tools answer alike over files and over a dictionary."""

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from tests.plugins.mnemosyne.caller import Caller
from tests.plugins.mnemosyne.in_memory import DictionaryStorage

DRAFT = {
    "scope": "project",
    "namespace": {"kind": "project", "id": "atlas", "label": "Atlas"},
    "collection": None,
    "kind": "decision",
    "language": "en",
    "title": "Retention",
    "content": "Keep build artefacts for thirty days.",
    "tags": ["storage"],
    "origin": "explicit_user_statement",
}


@pytest.fixture(params=["files", "dictionary"])
def caller(request: pytest.FixtureRequest, root: Path) -> Caller:
    storage = DictionaryStorage() if request.param == "dictionary" else None
    return Caller(root, storage=storage)


def listed(caller: Caller, **selection: object) -> list[dict[str, Any]]:
    found = caller.ok("memory_list", scope="project", **selection)["memories"]
    return [memory["reference"] for memory in found]


def test_a_memory_lives_from_the_first_word_to_the_last(caller: Caller) -> None:
    reference = caller.ok("memory_remember", **DRAFT)["reference"]
    assert caller.ok("memory_remember", **DRAFT)["status"] == "already_exists"
    (found,) = caller.ok("memory_recall", scope="project", query="artefact")["memories"]
    assert (found["reference"], found["match"]["how"]) == (reference, "stemmed")
    assert listed(caller) == listed(caller, namespace_id="atlas") == [reference]
    assert listed(caller, namespace_id="other") == []

    exact = {"reference": reference}
    said = {"namespace_label": None, "title": "Retention", "content": "Sixty days.", "tags": []}
    revised = caller.ok("memory_revise", **exact, expected_revision=1, **said)
    assert revised["lifecycle"]["revision"] == 2
    assert caller.code("memory_revise", **exact, expected_revision=1, **said) == "revision_conflict"
    assert caller.code("memory_recall", scope="project", query="artefact") == "no_matches"
    assert caller.ok("memory_inspect", **exact)["memory"]["content"] == "Sixty days."

    assert caller.code("memory_forget", **exact, expected_revision=2) == "not_archived"
    caller.ok("memory_archive", **exact, expected_revision=2)
    recalled = caller.ok("memory_recall", scope="project", query="sixty")
    assert (recalled["status"], recalled["archived_matches"]) == ("no_matches", 1)
    caller.ok("memory_restore", **exact, expected_revision=3)
    caller.ok("memory_archive", **exact, expected_revision=4)
    caller.ok("memory_forget", **exact, expected_revision=5)
    assert caller.code("memory_inspect", **exact) == "not_found"
    assert listed(caller) == []


def test_a_cursor_ends_with_the_state_that_it_is_of(caller: Caller) -> None:
    for number in range(3):
        caller.ok("memory_remember", **DRAFT | {"content": f"Number {number}."})
    page = caller.ok("memory_list", scope="project", page_size=2)["page"]
    cursor = {"scope": "project", "cursor": page["next_cursor"]}
    assert caller.ok("memory_list", **cursor)["page"]["count"] == 1
    caller.ok("memory_remember", **DRAFT)
    assert caller.code("memory_list", **cursor) == "stale_cursor"


def test_of_many_equal_memories_at_once_one_is_stored(caller: Caller) -> None:
    with ThreadPoolExecutor(4) as pool:
        told = list(pool.map(lambda _: caller.code("memory_remember", **DRAFT), range(12)))
    assert sorted(told) == ["already_exists"] * 11 + ["remembered"]
    assert len(listed(caller)) == 1
