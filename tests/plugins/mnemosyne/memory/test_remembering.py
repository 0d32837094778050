from dataclasses import replace
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path

import pytest

from mymcp.plugins.mnemosyne.memory.faults import CandidateLimitExceeded, WriteConflict
from mymcp.plugins.mnemosyne.memory.records import Collection, Namespace
from mymcp.plugins.mnemosyne.memory.remembering import Draft, Remembering
from tests.plugins.mnemosyne.caller import randomness_of
from tests.plugins.mnemosyne.stores import store_of
from tests.plugins.mnemosyne.tree import canonical, files, legacy, put, write

DRAFT = Draft(
    scope="project",
    namespace=Namespace("project", "atlas", "Atlas"),
    collection=Collection("decisions", "Decisions"),
    kind="decision",
    language="en",
    title="Title",
    content="Content.",
    tags=("One", "two"),
    origin="explicit_user_statement",
)
EVENT = replace(DRAFT, kind="event", occurred_at="2026-07-20T15:00:00Z")


@pytest.fixture
def remember(root: Path) -> Remembering:
    return at(root, datetime(2026, 11, 30, 9, 8, 7, 999_999, tzinfo=UTC))


def at(root: Path, instant: datetime, *, limit: int = 1_000) -> Remembering:
    store = store_of(root, candidate_limit=limit)
    return Remembering(store, lambda: instant, randomness_of("one"))


def test_a_new_record_is_active_at_revision_one_and_dated_now(remember: Remembering) -> None:
    remembered = remember(DRAFT)
    record = remembered.record
    assert remembered.status == "remembered"
    assert (record.state, record.revision) == ("active", 1)
    assert record.created_at == record.updated_at == "2026-11-30T09:08:07Z"
    assert record.recorded_via == "memory_remember"
    assert remember.store.record(record.address) == record


def test_an_id_is_a_random_uuid_of_version_4(remember: Remembering) -> None:
    identifier = remember(DRAFT).record.id.removeprefix("mem_")
    assert (len(identifier), identifier[12], identifier[16] in "89ab") == (32, "4", True)


def test_the_clock_is_read_in_utc(root: Path) -> None:
    there = timezone(timedelta(hours=5, minutes=30))
    remember = at(root, datetime(2026, 12, 1, 2, 0, 0, tzinfo=there))
    assert remember(DRAFT).record.created_at == "2026-11-30T20:30:00Z"


def test_a_clock_of_long_ago_still_dates_a_record(root: Path) -> None:
    assert at(root, datetime(1, 1, 1, tzinfo=UTC))(DRAFT).record.created_at == (
        "0001-01-01T00:00:00Z"
    )


def test_no_language_is_und(remember: Remembering) -> None:
    assert remember(replace(DRAFT, language=None)).record.language == "und"


def test_an_equal_memory_is_found_not_written_again(remember: Remembering, root: Path) -> None:
    first = remember(DRAFT)
    before = files(root)
    again = remember(DRAFT)
    assert (again.status, again.record) == ("already_exists", first.record)
    assert files(root) == before


@pytest.mark.parametrize(
    "same",
    [
        replace(DRAFT, namespace=Namespace("project", "atlas", None)),
        replace(DRAFT, collection=Collection("decisions", "Other")),
        replace(DRAFT, language="de"),
        replace(DRAFT, origin="user_approved_proposal"),
        replace(DRAFT, tags=("TWO", "one")),
    ],
)
def test_labels_language_origin_and_letter_case_of_tags_make_no_other_memory(
    remember: Remembering, same: Draft
) -> None:
    remember(DRAFT)
    assert remember(same).status == "already_exists"


@pytest.mark.parametrize(
    "other",
    [
        replace(DRAFT, namespace=Namespace("project", "borealis", "Atlas")),
        replace(DRAFT, collection=None),
        replace(DRAFT, collection=Collection("other", "Decisions")),
        replace(DRAFT, kind="constraint"),
        replace(DRAFT, title=None),
        replace(DRAFT, title="title"),
        replace(DRAFT, content="content."),
        replace(DRAFT, tags=("one",)),
        replace(DRAFT, tags=()),
        EVENT,
    ],
)
def test_everything_else_makes_another_memory(remember: Remembering, other: Draft) -> None:
    remember(DRAFT)
    assert remember(other).status == "remembered"


def test_a_namespace_of_another_kind_is_another_namespace(remember: Remembering) -> None:
    person = replace(
        DRAFT,
        scope="relationship",
        kind="summary",
        namespace=Namespace("person", "alex", None),
    )
    assert remember(person).status == "remembered"
    group = replace(person, namespace=Namespace("group", "alex", None))
    assert remember(group).status == "remembered"


def test_an_event_at_another_time_is_another_event(remember: Remembering) -> None:
    assert remember(EVENT).status == "remembered"
    assert remember(EVENT).status == "already_exists"
    assert remember(replace(EVENT, occurred_at="2026-07-20T15:00:01Z")).status == "remembered"


def test_an_archived_twin_is_named_as_archived(remember: Remembering, root: Path) -> None:
    put(root, canonical(1, state="archived", content="Content.") | {"tags": ["x"]})
    twin = replace(DRAFT, collection=None, title=None, content="Content.", tags=("X",))
    found = remember(twin)
    assert (found.status, found.record.state) == ("existing_archived", "archived")


def test_the_first_twin_in_discovery_order_decides(remember: Remembering, root: Path) -> None:
    put(root, canonical(2, content="Content."))
    put(root, canonical(1, content="Content.", state="archived"))
    twin = replace(DRAFT, collection=None, title=None, tags=())
    assert remember(twin).status == "existing_archived"


def test_a_version_1_record_is_never_a_twin(remember: Remembering, root: Path) -> None:
    write(root / "project" / "old.json", legacy(title="Title", content="Content."))
    assert remember(replace(DRAFT, tags=())).status == "remembered"


def test_the_record_that_would_cross_the_limit_is_refused(root: Path) -> None:
    remember = at(root, datetime.now(UTC), limit=3)
    write(root / "project" / "invalid.json", b"{")
    remember(DRAFT)
    remember(replace(DRAFT, content="2"))
    before = files(root)
    with pytest.raises(CandidateLimitExceeded):
        remember(replace(DRAFT, content="3"))
    assert files(root) == before
    assert remember(DRAFT).status == "already_exists"
    other = replace(
        DRAFT, scope="knowledge", kind="summary", namespace=Namespace("topic", "tea", None)
    )
    assert remember(other).status == "remembered"


def test_a_taken_id_is_a_conflict(root: Path) -> None:
    instant = datetime.now(UTC)
    at(root, instant)(DRAFT)
    with pytest.raises(WriteConflict):
        at(root, instant)(replace(DRAFT, content="another, with the same random bytes"))
    assert len(files(root)) == 1


def test_a_memory_as_large_as_the_contract_allows_fits(remember: Remembering) -> None:
    astral = "\U0001f43c"
    large = replace(
        DRAFT,
        namespace=Namespace("project", "n" * 64, astral * 100),
        collection=Collection("c" * 64, astral * 100),
        title=astral * 200,
        content=astral * 4_000,
        tags=tuple(f"{number}" + astral * 49 for number in range(10)),
    )
    assert remember(large).status == "remembered"
