import json
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mymcp.plugins.mnemosyne.memory.records import (
    CanonicalRecord,
    Collection,
    LegacyRecord,
    Namespace,
    UnusableRecord,
    parse,
    serialise,
)
from tests.plugins.mnemosyne.tree import NOON, canonical, legacy, memory_id

EVENT = CanonicalRecord(
    id=memory_id(0x0123456789ABCDEF0123456789ABCDEF),
    scope="project",
    namespace=Namespace("project", "mnemosyne", "Mnemosyne"),
    collection=Collection("events", None),
    kind="event",
    language="de",
    title="Größe „1“",
    content="Erste Zeile\nzweite 東京 \U0001f43c",
    tags=("Überblick", "a b"),
    origin="explicit_user_statement",
    recorded_via="memory_remember",
    state="active",
    revision=1,
    created_at="2026-11-30T09:08:07Z",
    updated_at="2026-11-30T09:08:07Z",
    occurred_at="2026-07-20T15:00:00Z",
)
GOLDEN = """{
  "schema_version": 2,
  "id": "mem_0123456789abcdef0123456789abcdef",
  "scope": "project",
  "namespace": {
    "kind": "project",
    "id": "mnemosyne",
    "label": "Mnemosyne"
  },
  "collection": {
    "id": "events",
    "label": null
  },
  "kind": "event",
  "language": "de",
  "title": "Größe „1“",
  "content": "Erste Zeile\\nzweite 東京 \U0001f43c",
  "tags": [
    "Überblick",
    "a b"
  ],
  "provenance": {
    "origin": "explicit_user_statement",
    "recorded_via": "memory_remember"
  },
  "lifecycle": {
    "state": "active",
    "revision": 1
  },
  "created_at": "2026-11-30T09:08:07Z",
  "updated_at": "2026-11-30T09:08:07Z",
  "occurred_at": "2026-07-20T15:00:00Z"
}
"""
PLAIN = replace(EVENT, collection=None, kind="state", title=None, tags=(), occurred_at=None)


def reason(data: object) -> str:
    with pytest.raises(UnusableRecord) as caught:
        parse(data if isinstance(data, bytes) else json.dumps(data).encode())
    return caught.value.reason


def parsed(record: object) -> CanonicalRecord | LegacyRecord:
    return parse(json.dumps(record).encode())


def test_a_record_is_written_in_exactly_these_bytes() -> None:
    assert serialise(EVENT) == GOLDEN.encode()


def test_what_is_absent_is_null_except_the_time_of_an_event() -> None:
    members = json.loads(serialise(PLAIN))
    assert members["collection"] is None
    assert members["title"] is None
    assert members["tags"] == []
    assert "occurred_at" not in members


@pytest.mark.parametrize("record", [EVENT, PLAIN, replace(PLAIN, revision=10**30)])
def test_a_written_record_reads_as_itself(record: CanonicalRecord) -> None:
    assert parse(serialise(record)) == record


@given(st.text(min_size=1, max_size=40), st.lists(st.text(min_size=1, max_size=20), max_size=3))
def test_whatever_is_read_survives_being_written(content: str, tags: list[str]) -> None:
    try:
        record = parsed(canonical(content=content, tags=tags))
    except UnusableRecord:
        return
    assert isinstance(record, CanonicalRecord)
    assert parse(serialise(record)) == record


def test_reading_normalises_a_record_written_by_hand() -> None:
    record = parsed(
        canonical()
        | {
            "title": "  Cafe\u0301\r\n",
            "content": "one\r\ntwo\rthree ",
            "language": None,
            "tags": [" a \t b "],
            "namespace": {"kind": "project", "id": "atlas", "label": "\u00a0Atlas "},
        }
    )
    assert isinstance(record, CanonicalRecord)
    assert (record.title, record.content) == ("Café", "one\ntwo\nthree")
    assert (record.language, record.tags, record.namespace.label) == ("und", ("a b",), "Atlas")


def test_records_share_what_they_have_in_common() -> None:
    event = canonical(language="de", tags=["build", "deploy"], collection="plans")
    event |= {"kind": "event", "occurred_at": "2026-07-18T11:00:00Z"}
    one, other = parsed(event | {"id": memory_id(1)}), parsed(event | {"id": memory_id(2)})
    assert isinstance(one, CanonicalRecord)
    assert isinstance(other, CanonicalRecord)
    assert one.id != other.id
    assert one.namespace is other.namespace
    assert one.collection is other.collection is not None
    for name in ("scope", "kind", "language", "origin", "recorded_via", "state"):
        assert getattr(one, name) is getattr(other, name)
    for name in ("created_at", "updated_at", "occurred_at"):
        assert getattr(one, name) is getattr(other, name)
    assert one.created_at is one.updated_at
    assert all(tag is same for tag, same in zip(one.tags, other.tags, strict=True))


def test_namespaces_that_differ_in_their_label_alone_stay_apart() -> None:
    records = [
        parsed(canonical() | {"namespace": {"kind": "project", "id": "atlas", "label": label}})
        for label in (None, "Atlas", None)
    ]
    labels = [record.namespace.label for record in records if isinstance(record, CanonicalRecord)]
    assert labels == [None, "Atlas", None]


def test_language_is_read_in_lower_case() -> None:
    record = parsed(canonical(language="pt-BR"))
    assert isinstance(record, CanonicalRecord)
    assert record.language == "pt-br"


def test_a_record_may_be_older_than_the_rules_for_new_ones() -> None:
    year_one = parsed(canonical(created_at="0001-01-01T00:00:00Z", content="bell \u0007"))
    assert isinstance(year_one, CanonicalRecord)
    assert year_one.created_at == "0001-01-01T00:00:00Z"


@pytest.mark.parametrize(
    "changes",
    [
        {"schema_version": 3},
        {"schema_version": 2.0},
        {"schema_version": True},
        {"schema_version": "2"},
        {"id": "mem_1"},
        {"id": memory_id(1).upper()},
        {"scope": "Project"},
        {"namespace": {"kind": "topic", "id": "atlas", "label": None}},
        {"namespace": {"kind": "project", "id": "../x", "label": None}},
        {"namespace": {"kind": "project", "id": "atlas"}},
        {"collection": {"id": "c"}},
        {"collection": "c"},
        {"kind": "attribute"},
        {"kind": "event"},
        {"occurred_at": NOON},
        {"occurred_at": None},
        {"language": "e"},
        {"language": "x" * 36},
        {"title": " "},
        {"title": "x" * 201},
        {"content": ""},
        {"content": None},
        {"content": "x" * 4_001},
        {"content": "\u0958" * 2_001},
        {"tags": None},
        {"tags": ["a", "A"]},
        {"tags": ["ß", "SS"]},
        {"tags": ["a b", "a  b"]},
        {"tags": [str(n) for n in range(11)]},
        {"tags": ["x" * 51]},
        {"provenance": {"origin": "manual"}},
        {"provenance": {"origin": "guess", "recorded_via": "filesystem"}},
        {"lifecycle": {"state": "gone", "revision": 1}},
        {"lifecycle": {"state": "active", "revision": 0}},
        {"lifecycle": {"state": "active", "revision": True}},
        {"lifecycle": {"state": "active", "revision": 1.0}},
        {"created_at": "2026-07-18T12:00:01Z"},
        {"created_at": "2026-02-30T12:00:00Z"},
        {"created_at": "2026-07-18T24:00:00Z"},
        {"created_at": "2026-07-18 12:00:00Z"},
        {"note": "more"},
    ],
)
def test_a_version_2_record_that_breaks_a_rule_is_invalid(changes: dict[str, object]) -> None:
    assert reason(canonical() | changes) == "invalid_record"


@pytest.mark.parametrize("missing", list(canonical()))
def test_every_member_of_version_2_is_needed(missing: str) -> None:
    assert reason({k: v for k, v in canonical().items() if k != missing}) == "invalid_record"


def test_a_version_1_record_is_kept_as_it_stands() -> None:
    record = parsed(legacy("A.b-_9", title=" Title ", content=" a\r\nb ", tags=["x", "X", " y"]))
    assert record == LegacyRecord("A.b-_9", " Title ", " a\r\nb ", ("x", "X", " y"))


@pytest.mark.parametrize("absent", [{}, {"title": None}])
def test_a_version_1_record_needs_neither_title_nor_tags(absent: dict[str, object]) -> None:
    assert parsed(legacy(**absent)) == LegacyRecord(
        "rainy-weekend", None, "Museums when it rains.", ()
    )


@pytest.mark.parametrize(
    "changes",
    [
        {"id": ""},
        {"id": "a/b"},
        {"id": "x" * 101},
        {"id": 1},
        {"content": " \n\u3000"},
        {"content": "x" * 4_001},
        {"title": ""},
        {"title": "\t"},
        {"tags": []},
        {"tags": None},
        {"tags": ["a", "a"]},
        {"tags": [" "]},
        {"tags": ["x" * 51]},
        {"scope": "project"},
        {"schema_version": 1.0},
        {"schema_version": True},
    ],
)
def test_a_version_1_record_that_breaks_a_rule_is_invalid(changes: dict[str, object]) -> None:
    assert reason(legacy() | changes) == "invalid_record"


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (b"\xff{}", "invalid_encoding"),
        (json.dumps(canonical()).encode("utf-16"), "invalid_encoding"),
        (b"\xef\xbb\xbf" + json.dumps(canonical()).encode(), "invalid_json"),
        (b"", "invalid_json"),
        (b"{", "invalid_json"),
        (b"{'a': 1}", "invalid_json"),
        (b"[" * 20_000, "invalid_json"),
        (b"[" * 20_000 + b"]" * 20_000, "invalid_json"),
        (b'{"a":' * 9_000 + b"1" + b"}" * 9_000, "invalid_json"),
        (b'{"schema_version": ' + b"9" * 5_000 + b"}", "invalid_json"),
        (b'{"schema_version": 1e999}', "invalid_json"),
        (b'{"schema_version": NaN}', "invalid_json"),
        (b'{"schema_version": 1, "schema_version": 1}', "invalid_json"),
        (json.dumps(canonical()).encode()[:-1] + b',"title":"another"}', "invalid_json"),
        (b"null", "invalid_record"),
        (b"[]", "invalid_record"),
        (b'"text"', "invalid_record"),
        (b"{}", "invalid_record"),
        (b'{"schema_version": [1]}', "invalid_record"),
        (json.dumps(canonical(title="\ud800")).encode(), "invalid_record"),
        (json.dumps(canonical() | {"\ud800": 1}).encode(), "invalid_record"),
        (json.dumps(legacy(content="a\ud800")).encode(), "invalid_record"),
    ],
)
def test_poison_is_a_reason_and_never_an_exception(data: bytes, expected: str) -> None:
    assert reason(data) == expected


@given(st.binary(max_size=200))
def test_any_bytes_are_a_record_or_a_reason(data: bytes) -> None:
    assert reason(data) in {"invalid_encoding", "invalid_json", "invalid_record"}
