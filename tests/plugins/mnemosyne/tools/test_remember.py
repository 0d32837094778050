import errno
import logging
import os
import stat
from collections.abc import Callable
from pathlib import Path
from typing import Any, get_args

import pytest

from mymcp._generated.tools.memory_remember import (
    MemoryRememberCode,
    MemoryRememberError,
    MemoryRememberRequest,
)
from mymcp.plugins.mnemosyne.memory.remembering import Remembering
from mymcp.plugins.mnemosyne.memory.store import MemoryStore
from mymcp.plugins.mnemosyne.tools.remember import Remember
from tests.plugins.mnemosyne.caller import INSTANT, Caller, randomness_of
from tests.plugins.mnemosyne.memory.policy.formulas import accepted, refused
from tests.plugins.mnemosyne.stores import store_of
from tests.plugins.mnemosyne.tree import canonical, files, put
from tests.plugins.mnemosyne.violations import OMIT, Violation, several, spoilt

GOOD: dict[str, Any] = {
    "scope": "project",
    "namespace": {"kind": "project", "id": "atlas", "label": "Atlas"},
    "collection": {"id": "decisions", "label": "Decisions"},
    "kind": "decision",
    "language": "en",
    "title": "Consent boundary",
    "content": "Every durable write needs approval of the exact call.",
    "tags": ["architecture", "Überblick"],
    "origin": "user_approved_proposal",
}
RECORD, NAMESPACE, COLLECTION = "invalid_record", "invalid_namespace", "invalid_collection"
DECLARED = [
    Violation({"origin": OMIT}, "invalid_origin", "origin"),
    Violation({"origin": []}, "invalid_origin", "origin"),
    Violation({"id": "mem_1"}, RECORD, "memory"),
    Violation({"tags": OMIT}, RECORD, "memory"),
    Violation({"scope": {}}, "invalid_scope", "scope"),
    Violation({"namespace.more": 1}, RECORD, "namespace"),
    Violation({"namespace.kind": 1}, NAMESPACE, "namespace.kind"),
    Violation({"namespace.id": "../x"}, NAMESPACE, "namespace.id"),
    Violation({"namespace.label": " "}, RECORD, "namespace.label"),
    Violation({"collection.more": 1}, RECORD, "collection"),
    Violation({"collection.id": None}, COLLECTION, "collection.id"),
    Violation({"collection.label": 5}, RECORD, "collection.label"),
    Violation({"kind": "note"}, "invalid_kind", "kind"),
    Violation({"occurred_at": None}, RECORD, "occurred_at"),
    Violation({"language": "english!"}, RECORD, "language"),
    Violation({"title": ""}, RECORD, "title"),
    Violation({"content": None}, RECORD, "content"),
    Violation({"tags": ["a", "A"]}, RECORD, "tags"),
]
OF_SCOPE = [
    Violation({"namespace.kind": "topic"}, NAMESPACE, "namespace.kind"),
    Violation({"kind": "attribute"}, "invalid_kind", "kind"),
    Violation({"occurred_at": "2026-07-20T15:00:00Z"}, RECORD, "occurred_at"),
    Violation({"language": "null"}, RECORD, "language"),
]


def refusal(caller: Caller, **changes: Any) -> tuple[str, str, str | None]:
    dotted = {name.replace("__", "."): value for name, value in changes.items()}
    return caller.refusal("memory_remember", **spoilt(GOOD, [Violation(dotted, "")]))


@pytest.mark.parametrize("violations", several(DECLARED))
def test_the_declared_first_fault_is_reported(
    caller: Caller, root: Path, violations: tuple[Violation, ...]
) -> None:
    answer = caller.refusal("memory_remember", **spoilt(GOOD, violations))
    assert answer == ("invalid_request", violations[0].code, violations[0].field)
    assert not root.exists()


@pytest.mark.parametrize("violations", several(OF_SCOPE))
def test_what_the_scope_does_not_know_is_reported_in_order(
    caller: Caller, violations: tuple[Violation, ...]
) -> None:
    answer = caller.refusal("memory_remember", **spoilt(GOOD, violations))
    assert answer == ("invalid_request", violations[0].code, violations[0].field)


@pytest.mark.parametrize("member", GOOD)
def test_every_member_is_needed(caller: Caller, member: str) -> None:
    expected = ("invalid_origin", "origin") if member == "origin" else (RECORD, "memory")
    assert refusal(caller, **{member: OMIT}) == ("invalid_request", *expected)


@pytest.mark.parametrize(
    ("member", "expected"),
    [
        ("scope", ("invalid_scope", "scope")),
        ("namespace", (RECORD, "namespace")),
        ("namespace__kind", (NAMESPACE, "namespace.kind")),
        ("namespace__id", (NAMESPACE, "namespace.id")),
        ("collection__id", (COLLECTION, "collection.id")),
        ("kind", ("invalid_kind", "kind")),
        ("content", (RECORD, "content")),
        ("tags", (RECORD, "tags")),
        ("origin", ("invalid_origin", "origin")),
        ("occurred_at", (RECORD, "occurred_at")),
    ],
)
def test_null_is_refused_where_there_must_be_something(
    caller: Caller, member: str, expected: tuple[str, str]
) -> None:
    assert refusal(caller, **{member: None}) == ("invalid_request", *expected)


def test_null_is_taken_where_there_may_be_nothing(caller: Caller, root: Path) -> None:
    nothing = {
        "collection": None,
        "language": None,
        "title": None,
        "tags": [],
        "namespace": {"kind": "project", "id": "atlas", "label": None},
    }
    found = caller.ok("memory_remember", **GOOD | nothing)
    assert found["reference"]["collection_id"] is None
    memory = caller.ok("memory_inspect", reference=found["reference"])["memory"]
    assert (memory["language"], memory["title"], memory["tags"]) == ("und", None, [])


@pytest.mark.parametrize("part", ["namespace", "collection"])
@pytest.mark.parametrize("member", ["kind", "id", "label"])
def test_every_part_of_a_namespace_and_a_collection_is_needed(
    caller: Caller, part: str, member: str
) -> None:
    if part == "collection" and member == "kind":
        answer = refusal(caller, collection__kind="project")
    else:
        answer = refusal(caller, **{f"{part}__{member}": OMIT})
    assert answer == ("invalid_request", RECORD, part)


@pytest.mark.parametrize(
    ("member", "value"),
    [
        ("origin", "manual"),
        ("origin", {"a": 1}),
        ("language", "null"),
        ("language", "en_US"),
        ("language", "\u212aa"),
        ("language", "en-" + "x" * 40),
        ("language", ""),
        ("title", "\u00a0\u3000"),
        ("title", "\u200b"),
        ("title", "x" * 201),
        ("title", "a\x1b[31m"),
        ("title", "\ud800"),
        ("content", ""),
        ("content", "\0"),
        ("content", "x" * 4_001),
        ("content", "\u0958" * 2_001),
        ("content", "a\udfff"),
        ("tags", "a"),
        ("tags", [1]),
        ("tags", ["a b", "a  b"]),
        ("tags", ["ß", "SS"]),
        ("tags", ["x" * 51]),
        ("tags", [str(n) for n in range(11)]),
        ("namespace__label", "x" * 101),
        ("collection__label", "\u202e"),
        ("occurred_at", ""),
    ],
)
def test_a_value_that_breaks_its_rule_is_named(caller: Caller, member: str, value: object) -> None:
    code = "invalid_origin" if member == "origin" else RECORD
    assert refusal(caller, **{member: value}) == (
        "invalid_request",
        code,
        member.replace("__", "."),
    )


@pytest.mark.parametrize(
    "instant",
    [
        OMIT, None, "", "2026-07-20", "2026-07-20T24:00:00Z", "2026-07-20T15:00:60Z",
        "2026-07-20T15:00:00+00:00", "2026-07-20T15:00:00.0Z", "2026-07-20t15:00:00z",
        "2026-02-30T00:00:00Z", "2025-02-29T00:00:00Z", "0000-01-01T00:00:00Z",
        "\u0662026-07-20T15:00:00Z", " 2026-07-20T15:00:00Z", 1,
    ],
)  # fmt: skip
def test_an_event_needs_a_real_second_of_utc(caller: Caller, instant: object) -> None:
    answer = refusal(caller, kind="event", occurred_at=instant)
    assert answer == ("invalid_request", RECORD, "occurred_at")


@pytest.mark.parametrize(
    "instant", ["2024-02-29T23:59:59Z", "9999-12-31T23:59:59Z", "0999-01-01T00:00:00Z"]
)
def test_an_event_keeps_its_time_in_any_year(caller: Caller, instant: str) -> None:
    found = caller.ok("memory_remember", **GOOD | {"kind": "event", "occurred_at": instant})
    memory = caller.ok("memory_inspect", reference=found["reference"])["memory"]
    assert memory["occurred_at"] == instant


def test_texts_are_stored_normalised(caller: Caller) -> None:
    texts = {
        "title": " " * 5 + "e\u0301" * 200 + "\u3000",
        "content": "one\r\ntwo\rthree\n",
        "tags": ["  a   b\tc "],
        "language": " PT-br ",
    }
    found = caller.ok("memory_remember", **GOOD | texts)
    memory = caller.ok("memory_inspect", reference=found["reference"])["memory"]
    assert memory["title"] == "é" * 200
    assert memory["content"] == "one\ntwo\nthree"
    assert (memory["tags"], memory["language"]) == (["a b c"], "pt-br")


def test_the_file_has_exactly_the_bytes_path_and_modes_of_the_format(
    caller: Caller, root: Path
) -> None:
    found = caller.ok("memory_remember", **GOOD)
    identifier = found["reference"]["id"]
    assert found == {
        "status": "remembered",
        "reference": {
            "schema_version": 2,
            "scope": "project",
            "namespace_id": "atlas",
            "collection_id": "decisions",
            "id": identifier,
        },
        "lifecycle": {"state": "active", "revision": 1},
    }
    path = root / "project" / "atlas" / "decisions" / f"{identifier}.json"
    assert list(files(root).values()) == [path.read_bytes()]
    assert (
        path.read_bytes().decode()
        == f"""{{
  "schema_version": 2,
  "id": "{identifier}",
  "scope": "project",
  "namespace": {{
    "kind": "project",
    "id": "atlas",
    "label": "Atlas"
  }},
  "collection": {{
    "id": "decisions",
    "label": "Decisions"
  }},
  "kind": "decision",
  "language": "en",
  "title": "Consent boundary",
  "content": "Every durable write needs approval of the exact call.",
  "tags": [
    "architecture",
    "Überblick"
  ],
  "provenance": {{
    "origin": "user_approved_proposal",
    "recorded_via": "memory_remember"
  }},
  "lifecycle": {{
    "state": "active",
    "revision": 1
  }},
  "created_at": "2026-11-30T09:08:07Z",
  "updated_at": "2026-11-30T09:08:07Z"
}}
"""
    )
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert {stat.S_IMODE(p.stat().st_mode) for p in (root, *path.parents[:3])} == {0o700}


def test_the_same_call_again_names_what_is_there(caller: Caller, root: Path) -> None:
    first = caller.ok("memory_remember", **GOOD)
    again = caller.ok("memory_remember", **GOOD | {"language": "de"})
    assert again == first | {"status": "already_exists"}
    assert len(files(root)) == 1


def test_an_archived_equal_is_named_with_its_lifecycle(caller: Caller, root: Path) -> None:
    record = canonical(5, content="Known.", lifecycle={"state": "archived", "revision": 4})
    put(root, record)
    known = {"collection": None, "title": None, "tags": [], "content": "Known."}
    found = caller.ok("memory_remember", **GOOD | known)
    assert found["status"] == "existing_archived"
    assert found["lifecycle"] == {"state": "archived", "revision": 4}
    assert found["reference"]["id"] == record["id"]


SHAPE = "123-45-6789"
KEY = "sk-" + 20 * "a"


@pytest.mark.parametrize(
    ("changes", "field", "reason"),
    [
        ({"namespace.id": SHAPE}, "namespace", "government_identifier_shape"),
        ({"namespace.id": KEY}, "namespace", "credential_shape"),
        ({"namespace.label": SHAPE}, "namespace", "government_identifier_shape"),
        ({"collection.id": "4" + 15 * "1"}, "collection", "payment_card_shape"),
        ({"collection.label": "password=abcd"}, "collection", "credential_shape"),
        ({"title": "eyJ" + 8 * "a" + ".a.b"}, "title", "compact_token_shape"),
        ({"content": "-----BEGIN " + "PRIVATE KEY-----"}, "content", "private_key_shape"),
        ({"tags": ["fine", SHAPE]}, "tags", "government_identifier_shape"),
        ({"title": SHAPE, "content": KEY, "tags": [KEY]}, "title", "government_identifier_shape"),
        ({"namespace.label": KEY, "collection.id": SHAPE}, "namespace", "credential_shape"),
    ],
)
def test_content_that_looks_like_a_secret_is_refused_before_anything_is_touched(
    caller: Caller, root: Path, changes: dict[str, Any], field: str, reason: str
) -> None:
    arguments = spoilt(GOOD, [Violation(changes, "")])
    found = caller.error("memory_remember", **arguments)
    assert list(found) == ["status", "code", "field", "reason", "message"]
    assert (found["status"], found["code"]) == ("refused", "disallowed_content")
    assert (found["field"], found["reason"]) == (field, reason)
    assert not root.exists()


def test_a_fault_of_the_arguments_comes_before_the_content_policy(caller: Caller) -> None:
    assert refusal(caller, title=SHAPE, content="") == ("invalid_request", RECORD, "content")


def test_a_secret_that_is_split_over_content_and_tags_is_refused(caller: Caller) -> None:
    answer = caller.error(
        "memory_remember", **GOOD | {"content": "password:", "tags": ["hunter2222"]}
    )
    assert (answer["code"], answer["field"]) == ("disallowed_content", "content")


@pytest.mark.parametrize(("text", "reason"), [*refused()][::9])
def test_an_example_that_the_policy_refuses_is_not_stored(
    caller: Caller, root: Path, text: str, reason: str
) -> None:
    found = caller.error("memory_remember", **GOOD | {"content": f"Note:\n{text}"})
    assert (found["field"], found["reason"]) == ("content", reason)
    assert not root.exists()


@pytest.mark.parametrize("text", [*accepted()][::9])
def test_an_example_that_the_policy_accepts_is_stored(caller: Caller, text: str) -> None:
    arguments = GOOD | {"content": text}
    assert caller.ok("memory_remember", **arguments)["status"] == "remembered"


def test_a_refusal_is_logged_with_field_and_reason_and_nothing_else(
    caller: Caller, caplog: pytest.LogCaptureFixture
) -> None:
    """W12."""
    with caplog.at_level(logging.INFO):
        caller.error("memory_remember", **GOOD | {"content": "DB_PASSWORD=hunter2222"})
    (line,) = (record.getMessage() for record in caplog.records)
    assert "code=disallowed_content field=content reason=credential_shape" in line
    assert "hunter" not in line
    assert "PASSWORD" not in line


def filled(root: Path) -> Caller:
    (root / "project").mkdir(parents=True)
    for number in range(1_000):
        (root / "project" / f"{number}.json").touch()
    return Caller(root)


def taken(root: Path) -> Caller:
    Caller(root).ok("memory_remember", **GOOD)
    return Caller(root)  # the same random bytes again


def unsafe(root: Path) -> Caller:
    root.touch()
    return Caller(root)


CODES: dict[str, Callable[[Path], tuple[Caller, dict[str, Any]]]] = {
    "invalid_origin": lambda root: (Caller(root), {"origin": "manual"}),
    "invalid_record": lambda root: (Caller(root), {"more": 1}),
    "invalid_scope": lambda root: (Caller(root), {"scope": "user"}),
    "invalid_namespace": lambda root: (Caller(root), {"namespace.id": ".."}),
    "invalid_collection": lambda root: (Caller(root), {"collection.id": ".."}),
    "invalid_kind": lambda root: (Caller(root), {"kind": "persona"}),
    "disallowed_content": lambda root: (Caller(root), {"content": SHAPE}),
    "candidate_limit_exceeded": lambda root: (filled(root), {}),
    "write_conflict": lambda root: (taken(root), {"content": "Another."}),
    "memory_source_unavailable": lambda root: (unsafe(root), {}),
}
STATUSES = {
    "disallowed_content": "refused",
    "candidate_limit_exceeded": "storage_error",
    "write_conflict": "conflict",
    "memory_source_unavailable": "storage_error",
}


@pytest.mark.parametrize("code", CODES)
def test_every_code_is_raised(root: Path, code: str) -> None:
    caller, changes = CODES[code](root)
    before = files(root)
    found = caller.error("memory_remember", **spoilt(GOOD, [Violation(changes, "")]))
    assert (found["status"], found["code"]) == (STATUSES.get(code, "invalid_request"), code)
    assert files(root) == before


def test_a_handler_that_is_switched_off_refuses_even_when_called(root: Path) -> None:
    remembering = Remembering(store_of(root), lambda: INSTANT, randomness_of("one"))
    switched_off = Remember(remembering, enabled=False)
    arguments = GOOD | {"content": SHAPE}
    with pytest.raises(MemoryRememberError, match="mutation_disabled"):
        switched_off(MemoryRememberRequest.model_validate(arguments))
    assert not root.exists()


def test_an_unconfirmed_record_is_uncertain_with_its_reference(
    caller: Caller, root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    put(root, canonical(1, collection="decisions"))
    really = os.fsync

    def fail_for_folders(descriptor: int) -> None:
        if stat.S_ISDIR(os.fstat(descriptor).st_mode):
            raise OSError(errno.EIO, "not synced")
        really(descriptor)

    monkeypatch.setattr(os, "fsync", fail_for_folders)
    found = caller.error("memory_remember", **GOOD)
    assert list(found) == ["status", "code", "reference", "message"]
    assert (found["status"], found["code"]) == ("uncertain", "creation_outcome_uncertain")
    monkeypatch.undo()
    memory = caller.ok("memory_inspect", reference=found["reference"])["memory"]
    assert memory["content"] == GOOD["content"]
    assert caller.ok("memory_remember", **GOOD)["status"] == "already_exists"


def test_an_unexpected_failure_is_an_internal_error_and_every_code_has_a_test(
    caller: Caller, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise RuntimeError("/secret/path")

    monkeypatch.setattr(MemoryStore, "writing", fail)
    answer = caller.refusal("memory_remember", **GOOD)
    assert answer == ("internal_error", "internal_error", None)
    elsewhere = {"mutation_disabled", "creation_outcome_uncertain", "internal_error"}
    assert set(get_args(MemoryRememberCode)) == {*CODES, *elsewhere}


def test_a_scope_can_be_filled_to_the_limit_and_still_be_read(root: Path) -> None:
    caller = filled(root)
    (root / "project" / "0.json").unlink()
    assert caller.ok("memory_remember", **GOOD)["status"] == "remembered"
    full = caller.refusal("memory_remember", **GOOD | {"content": "One more."})
    assert full == ("storage_error", "candidate_limit_exceeded", None)
    assert caller.ok("memory_list", scope="project")["page"]["total_count"] == 1
    assert caller.ok("memory_recall", query="approval", scope="project")["status"] == "ok"
    assert caller.ok("memory_remember", **GOOD)["status"] == "already_exists"


def test_the_log_has_dimensions_and_no_text(
    caller: Caller, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.INFO, "mcp.memory_remember"):
        found = caller.ok("memory_remember", **GOOD)
        caller.error("memory_remember", **GOOD | {"content": SHAPE, "collection": None})
    about = "scope=project namespace_kind=project memory_kind=decision"
    assert [record.getMessage() for record in caplog.records] == [
        f"event=memory_remember outcome=remembered {about} collection_present=true "
        f"origin=user_approved_proposal memory_id={found['reference']['id']} "
        "lifecycle_state=active revision=1",
        "event=memory_remember outcome=refused code=disallowed_content field=content "
        f"reason=government_identifier_shape {about} collection_present=false "
        "origin=user_approved_proposal",
    ]
