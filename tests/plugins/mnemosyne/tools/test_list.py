import json
import logging
from base64 import urlsafe_b64encode
from collections.abc import Callable
from pathlib import Path
from typing import Any, get_args

import pytest

from mymcp._generated.tools.memory_list import MemoryListCode
from mymcp.plugins.mnemosyne.memory.store import MemoryStore
from tests.plugins.mnemosyne.caller import Caller
from tests.plugins.mnemosyne.tree import canonical, legacy, memory_id, put, reference, write
from tests.plugins.mnemosyne.violations import OMIT, Violation, several, spoilt

GOOD = {"scope": "project", "namespace_id": "atlas"}
DECLARED = [
    Violation({"query": "x"}, "invalid_request", "request"),
    Violation({"scope": OMIT}, "invalid_scope", "scope"),
    Violation({"scope": ["project"]}, "invalid_scope", "scope"),
    Violation({"namespace_id": None}, "invalid_namespace", "namespace_id"),
    Violation({"collection_id": 5}, "invalid_collection", "collection_id"),
    Violation({"cursor": ""}, "invalid_cursor", "cursor"),
    Violation({"page_size": 0}, "invalid_page_size", "page_size"),
]


def error(caller: Caller, **changes: Any) -> tuple[str, str | None]:
    _, code, field = caller.refusal("memory_list", **spoilt(GOOD, [Violation(changes, "")]))
    return code, field


def filled(root: Path, count: int = 3) -> Caller:
    for number in range(count):
        put(root, canonical(number))
    return Caller(root)


def cursor_of(caller: Caller, **selection: Any) -> str:
    page = caller.ok("memory_list", **(GOOD | selection), page_size=1)["page"]
    assert isinstance(page["next_cursor"], str)
    return page["next_cursor"]


@pytest.mark.parametrize("violations", several(DECLARED))
def test_the_declared_first_fault_is_reported(
    caller: Caller, violations: tuple[Violation, ...]
) -> None:
    answer = caller.refusal("memory_list", **spoilt(GOOD, violations))
    assert answer == ("invalid_request", violations[0].code, violations[0].field)


@pytest.mark.parametrize("collection", [None, "decisions", 5])
def test_a_collection_needs_a_namespace(caller: Caller, collection: object) -> None:
    answer = caller.refusal("memory_list", scope="project", collection_id=collection)
    assert answer == ("invalid_request", "invalid_collection", "collection_id")


@pytest.mark.parametrize("page_size", [1, 50, 0, None, "many"])
def test_a_cursor_and_a_page_size_exclude_each_other(root: Path, page_size: object) -> None:
    caller = filled(root)
    answer = error(caller, cursor=cursor_of(caller), page_size=page_size)
    assert answer == ("invalid_cursor", "cursor")


@pytest.mark.parametrize("size", [None, 0, 101, -1, True, 2.0, "2", [], 10**30])
def test_a_page_size_is_an_integer_from_1_to_100(caller: Caller, size: object) -> None:
    assert error(caller, page_size=size) == ("invalid_page_size", "page_size")


@pytest.mark.parametrize("cursor", [None, "", 1, [], "x" * 4_097, "x", "a.b", "é.é"])
def test_a_cursor_is_a_text_that_a_page_gave(caller: Caller, cursor: object) -> None:
    assert error(caller, cursor=cursor) == ("invalid_cursor", "cursor")


def test_a_tampered_cursor_is_invalid_before_the_memory_is_looked_at(root: Path) -> None:
    caller = filled(root)
    cursor = cursor_of(caller)
    (root / "project").rename(root / "elsewhere")
    (root / "project").symlink_to("elsewhere")
    assert error(caller, cursor=cursor[:-1] + "!") == ("invalid_cursor", "cursor")
    assert error(caller, cursor=cursor) == ("memory_source_unavailable", None)


@pytest.mark.parametrize("kind", ["[", '{"a":'])
def test_a_deep_cursor_is_invalid(caller: Caller, kind: str) -> None:
    deep = urlsafe_b64encode((kind * (2_900 // len(kind))).encode()).decode().rstrip("=")
    assert error(caller, cursor=f"{deep}.AAAA") == ("invalid_cursor", "cursor")


def test_omitted_and_null_collections_select_differently(root: Path) -> None:
    caller = filled(root, 2)
    put(root, canonical(7, collection="null"))
    totals = [
        caller.ok("memory_list", **GOOD, **selection)["page"]["total_count"]
        for selection in ({}, {"collection_id": None}, {"collection_id": "null"})
    ]
    assert totals == [3, 2, 1]


def test_an_empty_inventory_is_a_success(caller: Caller) -> None:
    assert caller.ok("memory_list", scope="knowledge") == {
        "status": "ok",
        "memories": [],
        "page": {
            "number": 1,
            "count": 0,
            "total_count": 0,
            "total_pages": 0,
            "truncated": False,
            "next_cursor": None,
            "skipped_count": 0,
        },
    }


def test_every_page_counts_what_cannot_be_served(root: Path) -> None:
    for number in range(3):
        put(root, canonical(number))
    write(root / "project" / "atlas" / "broken.json", b"{")
    write(root / "project" / "other" / "broken.json", b"{")
    caller = Caller(root)
    page = caller.ok("memory_list", scope="project", page_size=2)["page"]
    assert (page["total_count"], page["skipped_count"]) == (3, 2)
    last = caller.ok("memory_list", scope="project", cursor=page["next_cursor"])["page"]
    assert last["skipped_count"] == 2
    narrowed = caller.ok("memory_list", scope="project", namespace_id="atlas")["page"]
    assert narrowed["skipped_count"] == 1


def test_items_of_both_versions_have_their_own_shape(root: Path) -> None:
    record = canonical(1, collection="decisions", state="archived", title="Title")
    put(root, record)
    for name in ("one", "two"):
        write(root / "project" / f"{name}.json", legacy("same"))
    write(root / "project" / "three.json", legacy("alone", title="Old"))
    listed = Caller(root).ok("memory_list", scope="project")["memories"]
    old = {"schema_version": 1, "scope": "project"}
    assert listed == [
        {"reference": old | {"id": "alone"}, "title": "Old", "inspectability": "exact"},
        {"reference": old | {"id": "same"}, "title": None, "inspectability": "ambiguous"},
        {"reference": old | {"id": "same"}, "title": None, "inspectability": "ambiguous"},
        {
            "reference": reference(record),
            "title": "Title",
            "inspectability": "exact",
            "kind": "decision",
            "lifecycle": {"state": "archived"},
        },
    ]
    assert list(listed[3]) == ["reference", "title", "inspectability", "kind", "lifecycle"]


def test_pages_are_fifty_long_unless_asked_otherwise(root: Path) -> None:
    caller = filled(root, 51)
    page = caller.ok("memory_list", scope="project")["page"]
    assert list(page) == [
        "number", "count", "total_count", "total_pages", "truncated", "next_cursor",
        "skipped_count",
    ]  # fmt: skip
    assert (page["count"], page["total_pages"], page["truncated"]) == (50, 2, True)
    last = caller.ok("memory_list", scope="project", cursor=page["next_cursor"])["page"]
    assert last == {
        "number": 2,
        "count": 1,
        "total_count": 51,
        "total_pages": 2,
        "truncated": False,
        "next_cursor": None,
        "skipped_count": 0,
    }


def test_a_cursor_keeps_the_size_of_the_first_page(root: Path) -> None:
    caller = filled(root, 5)
    first = caller.ok("memory_list", **GOOD, page_size=2)["page"]
    second = caller.ok("memory_list", **GOOD, cursor=first["next_cursor"])["page"]
    assert (second["number"], second["count"]) == (2, 2)


def overflowing(root: Path) -> Caller:
    (root / "project" / "atlas").mkdir(parents=True)
    for number in range(1_001):
        (root / "project" / "atlas" / f"{number}.json").touch()
    return Caller(root)


def unsafe(root: Path) -> Caller:
    root.mkdir()
    (root / "project").symlink_to(root)
    return Caller(root)


def stale(root: Path) -> tuple[Caller, dict[str, Any]]:
    caller = filled(root)
    cursor = cursor_of(caller)
    put(root, canonical(99))
    return caller, {"cursor": cursor}


CODES: dict[str, Callable[[Path], tuple[Caller, dict[str, Any]]]] = {
    "invalid_request": lambda root: (Caller(root), {"limit": 1}),
    "invalid_scope": lambda root: (Caller(root), {"scope": "user"}),
    "invalid_namespace": lambda root: (Caller(root), {"namespace_id": ".."}),
    "invalid_collection": lambda root: (Caller(root), {"collection_id": "../x"}),
    "invalid_cursor": lambda root: (Caller(root), {"cursor": "AAAA.AAAA"}),
    "invalid_page_size": lambda root: (Caller(root), {"page_size": 101}),
    "stale_cursor": stale,
    "candidate_limit_exceeded": lambda root: (overflowing(root), {}),
    "memory_source_unavailable": lambda root: (unsafe(root), {}),
}
STATUSES = {
    "stale_cursor": "conflict",
    "candidate_limit_exceeded": "storage_error",
    "memory_source_unavailable": "storage_error",
}


@pytest.mark.parametrize("code", [code for code in get_args(MemoryListCode) if code in CODES])
def test_every_code_is_raised(root: Path, code: str) -> None:
    caller, changes = CODES[code](root)
    status, found, field = caller.refusal("memory_list", **(GOOD | changes))
    assert (status, found) == (STATUSES.get(code, "invalid_request"), code)
    assert (field is None) == (code in STATUSES)


def test_an_unexpected_failure_is_an_internal_error_and_every_code_has_a_test(
    caller: Caller, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise RuntimeError("/secret/path")

    monkeypatch.setattr(MemoryStore, "viewing", fail)
    assert caller.refusal("memory_list", **GOOD) == ("internal_error", "internal_error", None)
    assert set(get_args(MemoryListCode)) == {*CODES, "internal_error"}


def test_a_full_scope_can_still_be_listed_by_namespace(root: Path) -> None:
    caller = overflowing(root)
    put(root, canonical(1, namespace="borealis"))
    page = caller.ok("memory_list", scope="project", namespace_id="borealis")["page"]
    assert page["total_count"] == 1


def test_the_log_has_counts_and_no_names(root: Path, caplog: pytest.LogCaptureFixture) -> None:
    caller = filled(root)
    with caplog.at_level(logging.INFO, "mcp.memory_list"):
        caller.ok("memory_list", **GOOD, page_size=2)
        caller.error("memory_list", **GOOD, cursor="x.y")
    assert [record.getMessage() for record in caplog.records] == [
        "event=memory_list outcome=ok scope=project namespace_selector_present=true "
        "collection_selector_present=false returned_count=2 total_count=3 page_number=1 "
        "truncated=true",
        "event=memory_list outcome=invalid_request code=invalid_cursor field=cursor "
        "scope=project namespace_selector_present=true collection_selector_present=false",
    ]


def test_a_page_of_the_usual_length_is_bounded_in_bytes_whatever_it_lists(
    caller: Caller, root: Path
) -> None:
    widest = {"scope": "relationship", "namespace": "n" * 64, "collection": "c" * 64}
    for number in range(60):
        put(root, canonical(number, **widest, title="\U0001f43c" * 200, content="x"))
    found = caller.tools["memory_list"].call({"scope": "relationship"})
    assert json.loads(found.text)["page"]["count"] == 50
    assert len(found.text.encode()) <= 65_536


def test_a_walk_visits_every_record_once(caller: Caller, root: Path) -> None:
    for number in range(320):
        collection = [None, "a", "b"][number % 3]
        put(root, canonical(number, namespace=f"n{number % 7}", collection=collection))
    page = caller.ok("memory_list", scope="project")
    seen = [memory["reference"]["id"] for memory in page["memories"]]
    while (cursor := page["page"]["next_cursor"]) is not None:
        page = caller.ok("memory_list", scope="project", cursor=cursor)
        seen += [memory["reference"]["id"] for memory in page["memories"]]
    assert sorted(seen) == [memory_id(number) for number in range(320)]
    assert page["page"]["number"] == page["page"]["total_pages"] == 7
