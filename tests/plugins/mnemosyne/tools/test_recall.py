import logging
from collections.abc import Callable
from pathlib import Path
from typing import Any, get_args

import pytest

from mymcp._generated.tools.memory_recall import MemoryRecallCode
from mymcp.plugins.mnemosyne.memory.store import MemoryStore
from tests.plugins.mnemosyne.caller import Caller
from tests.plugins.mnemosyne.tree import NOON, canonical, legacy, memory_id, put, reference, write
from tests.plugins.mnemosyne.violations import OMIT, Violation, several, spoilt

GOOD = {"query": "tea", "scope": "project", "namespace_id": "atlas", "tags": ["green"]}
DECLARED = [
    Violation({"collection_id": "x"}, "invalid_request"),
    Violation({"query": OMIT}, "invalid_query"),
    Violation({"query": " \n\u3000"}, "invalid_query"),
    Violation({"scope": OMIT}, "invalid_scope"),
    Violation({"scope": ["project"]}, "invalid_scope"),
    Violation({"namespace_id": None}, "invalid_namespace"),
    Violation({"tags": []}, "invalid_tags"),
]


def error(caller: Caller, **changes: Any) -> str:
    found = caller.error("memory_recall", **spoilt(GOOD, [Violation(changes, "")]))
    assert list(found) == ["status", "code", "message"]
    return str(found["code"])


@pytest.mark.parametrize("violations", several(DECLARED))
def test_the_declared_first_fault_is_reported(
    caller: Caller, violations: tuple[Violation, ...]
) -> None:
    answer = caller.refusal("memory_recall", **spoilt(GOOD, violations))
    assert answer == ("invalid_request", violations[0].code, None)


@pytest.mark.parametrize("query", [None, 1, True, "", " ", "\u0085", ["tea"], "x" * 1_001])
def test_a_query_must_be_text_that_says_something(caller: Caller, query: object) -> None:
    assert error(caller, query=query) == "invalid_query"


@pytest.mark.parametrize("query", ["x" * 1_000, " " * 50 + "x" * 1_000 + " ", "e\u0301" * 1_000])
def test_a_query_is_measured_after_normalisation(caller: Caller, query: str) -> None:
    assert caller.ok("memory_recall", query=query, scope="self")["status"] == "no_matches"


@pytest.mark.parametrize("scope", [None, "Project", " project", '"project"', "", "all", 1, {}])
def test_a_scope_is_one_of_seven_words(caller: Caller, scope: object) -> None:
    assert error(caller, scope=scope) == "invalid_scope"


@pytest.mark.parametrize("namespace", [None, "", "-a", "a-", "_a", "A", "a" * 65, "a\n", 1, ["a"]])
def test_a_namespace_is_an_identifier(caller: Caller, namespace: object) -> None:
    assert error(caller, namespace_id=namespace) == "invalid_namespace"


def test_an_identifier_may_have_hyphens_and_underscores_inside(caller: Caller) -> None:
    answer = caller.ok("memory_recall", query="tea", scope="self", namespace_id="a--_b")
    assert answer == {
        "status": "no_matches",
        "memories": [],
        "total_matches": 0,
        "archived_matches": 0,
        "skipped_count": 0,
    }


@pytest.mark.parametrize(
    "tags",
    [None, [], "tea", {}, [1], [""], [" "], ["x" * 51], ["a", "a"], ["a b", "a  b"],
     [str(n) for n in range(11)]],
)  # fmt: skip
def test_tags_are_one_to_ten_different_texts(caller: Caller, tags: object) -> None:
    assert error(caller, tags=tags) == "invalid_tags"


def test_tags_that_differ_in_letter_case_are_accepted_and_count_once(
    caller: Caller, root: Path
) -> None:
    put(root, canonical(1, tags=["Tea"]))
    found = caller.ok("memory_recall", query="zz", scope="project", tags=["tea", "TEA"])
    match = {"terms": [], "tags": ["tea"], "how": "exact", "fuzzy": []}
    assert found["memories"][0]["match"] == match


def test_a_match_is_shown_whole_in_contract_order(caller: Caller, root: Path) -> None:
    record = canonical(
        1,
        collection="decisions",
        title="Tee \U0001f43c",
        content="Green tea.\nDaily.",
        tags=["Tea", "b"],
    )
    put(root, record)
    found = caller.ok("memory_recall", query="GREEN tea please", scope="project", tags=["tea"])
    (memory,) = found["memories"]
    assert memory == {
        "reference": reference(record),
        "id": memory_id(1),
        "scope": "project",
        "title": "Tee \U0001f43c",
        "content": "Green tea.\nDaily.",
        "tags": ["Tea", "b"],
        "match": {"terms": ["green", "tea"], "tags": ["tea"], "how": "exact", "fuzzy": []},
        "kind": "decision",
        "updated_at": NOON,
        "revision": 1,
    }
    assert list(memory) == [
        "reference", "id", "scope", "title", "content", "tags", "match", "kind", "updated_at",
        "revision",
    ]  # fmt: skip
    assert list(found) == [
        "status", "memories", "total_matches", "archived_matches", "skipped_count",
    ]  # fmt: skip
    assert list(memory["reference"]) == [
        "schema_version", "scope", "namespace_id", "collection_id", "id",
    ]  # fmt: skip


def test_text_is_compact_and_not_escaped(caller: Caller, root: Path) -> None:
    put(root, canonical(1, content="Café 東京"))
    text = caller.tools["memory_recall"].call({"query": "café", "scope": "project"}).text
    assert "Café 東京" in text
    assert '"status":"ok","memories":[{"reference":{"schema_version":2,' in text


def test_a_version_1_match_has_its_own_reference(caller: Caller, root: Path) -> None:
    write(root / "self" / "note.json", legacy("Old.one", content="Green tea.", title=None))
    (memory,) = caller.ok("memory_recall", query="tea", scope="self")["memories"]
    assert memory["reference"] == {"schema_version": 1, "scope": "self", "id": "Old.one"}
    assert (memory["title"], memory["tags"]) == (None, [])
    assert not {"kind", "updated_at", "revision"} & set(memory)


def test_an_answer_counts_what_it_does_not_show(caller: Caller, root: Path) -> None:
    for number in range(7):
        put(root, canonical(number, content="tea"))
    put(root, canonical(7, content="tea", state="archived"))
    write(root / "project" / "atlas" / "broken.json", b"{")
    found = caller.ok("memory_recall", query="tea", scope="project")
    counts = [found[name] for name in ("total_matches", "archived_matches", "skipped_count")]
    assert (len(found["memories"]), counts) == (5, [7, 1, 1])


def test_what_is_only_alike_is_marked(caller: Caller, root: Path) -> None:
    put(root, canonical(1, content="postgres"))
    (memory,) = caller.ok("memory_recall", query="postgers", scope="project")["memories"]
    assert memory["match"] == {
        "terms": ["postgers"], "tags": [], "how": "fuzzy", "fuzzy": ["postgers"],
    }  # fmt: skip


def test_what_recall_gives_inspect_takes(caller: Caller, root: Path) -> None:
    put(root, canonical(1, content="tea"))
    write(root / "project" / "note.json", legacy(content="tea"))
    found = caller.ok("memory_recall", query="tea", scope="project")
    for memory in found["memories"]:
        inspected = caller.ok("memory_inspect", reference=memory["reference"])["memory"]
        assert inspected["content"] == memory["content"]


@pytest.mark.parametrize(
    ("query", "content", "tag"),
    [
        ("\ufdfa" * 1_000, "\ufdfa" * 1_000, "\ufdfa" * 50),
        ("\u3300" * 1_000, "\u3300" * 1_000, "\u3300" * 50),
        ("\u00df" * 1_000, "\u00df" * 1_000, "\u00df" * 50),
        ("x" * 1_000, "x" * 1_000, "\u0390" * 50),
    ],
)
def test_words_and_tags_that_folding_makes_longer_still_fit_the_answer(
    caller: Caller, root: Path, query: str, content: str, tag: str
) -> None:
    put(root, canonical(1, content=content, tags=[tag]))
    found = caller.ok("memory_recall", query=query, scope="project", tags=[tag])
    assert found["memories"][0]["match"]["tags"] != []


def overflowing(root: Path) -> Caller:
    (root / "project" / "atlas").mkdir(parents=True)
    for number in range(1_001):
        (root / "project" / "atlas" / f"{number}.json").touch()
    return Caller(root)


def unsafe(root: Path) -> Caller:
    (root / "project").mkdir(parents=True)
    (root / "project" / "atlas").symlink_to(root)
    return Caller(root)


CODES: dict[str, Callable[[Path], tuple[Caller, dict[str, Any]]]] = {
    "invalid_request": lambda root: (Caller(root), {"limit": 1}),
    "invalid_query": lambda root: (Caller(root), {"query": ""}),
    "invalid_scope": lambda root: (Caller(root), {"scope": "user"}),
    "invalid_namespace": lambda root: (Caller(root), {"namespace_id": ".."}),
    "invalid_tags": lambda root: (Caller(root), {"tags": "tea"}),
    "candidate_limit_exceeded": lambda root: (overflowing(root), {}),
    "memory_source_unavailable": lambda root: (unsafe(root), {}),
}


@pytest.mark.parametrize("code", [code for code in get_args(MemoryRecallCode) if code in CODES])
def test_every_code_is_raised(root: Path, code: str) -> None:
    caller, changes = CODES[code](root)
    assert error(caller, **changes) == code


def test_an_unexpected_failure_is_an_internal_error_and_every_code_has_a_test(
    caller: Caller, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise RuntimeError("/secret/path")

    monkeypatch.setattr(MemoryStore, "viewing", fail)
    found = caller.error("memory_recall", **GOOD)
    assert (found["status"], found["code"]) == ("internal_error", "internal_error")
    assert "secret" not in str(found)
    assert set(get_args(MemoryRecallCode)) == {*CODES, "internal_error"}


def test_storage_problems_have_the_status_of_retrieval(root: Path) -> None:
    answer = overflowing(root).refusal("memory_recall", **GOOD)
    assert answer == ("retrieval_error", "candidate_limit_exceeded", None)


def test_the_log_has_the_outcome_and_never_the_query(
    caller: Caller, root: Path, caplog: pytest.LogCaptureFixture
) -> None:
    put(root, canonical(1, content="secretword"))
    with caplog.at_level(logging.INFO, "mcp.memory_recall"):
        caller.ok("memory_recall", query="secretword", scope="project", tags=["tagword"])
        caller.error("memory_recall", query="secretword", scope="nowhere")
    lines = [record.getMessage() for record in caplog.records]
    assert lines == [
        "event=memory_recall outcome=ok scope=project namespace_selector_present=false "
        "tag_selector_present=true returned_count=1",
        "event=memory_recall outcome=invalid_request code=invalid_scope",
    ]
    assert [record.levelname for record in caplog.records] == ["INFO", "WARNING"]
