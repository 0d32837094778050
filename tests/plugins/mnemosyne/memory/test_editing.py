import fcntl
import json
import os
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from mymcp.plugins.mnemosyne.memory.editing import Editing
from mymcp.plugins.mnemosyne.memory.faults import NoCollection, RevisionConflict, SourceUnavailable
from mymcp.plugins.mnemosyne.memory.forgetting import Forgetting
from mymcp.plugins.mnemosyne.memory.lifecycle import archived, restored
from mymcp.plugins.mnemosyne.memory.places import Address
from mymcp.plugins.mnemosyne.memory.records import CanonicalRecord
from mymcp.plugins.mnemosyne.memory.revising import Statement
from tests.plugins.mnemosyne.caller import randomness_of
from tests.plugins.mnemosyne.stores import store_of
from tests.plugins.mnemosyne.tree import NOON, canonical, files, memory_id, put

ADDRESS = Address("project", "atlas", None, memory_id(1))
SAYING = Statement(None, None, None, "Said anew.", ())


def at(root: Path, *instants: datetime, lock_wait_seconds: float = 5.0) -> Editing:
    """Return an editing whose clock tells these instants one after the other."""
    clock = iter(instants)
    store = store_of(root, lock_wait_seconds=lock_wait_seconds)
    return Editing(store, lambda: next(clock), randomness_of("one"))


def test_an_edit_counts_on_and_is_dated_by_the_clock_to_the_second(root: Path) -> None:
    put(root, canonical(1))
    edited = at(root, datetime(2026, 11, 30, 9, 8, 7, 999_999, tzinfo=UTC))(ADDRESS, 1, archived)
    assert edited.was_written
    assert (edited.record.state, edited.record.revision) == ("archived", 2)
    assert (edited.record.created_at, edited.record.updated_at) == (NOON, "2026-11-30T09:08:07Z")
    assert store_of(root).record(ADDRESS) == edited.record


def test_a_clock_that_jumps_back_and_forth_never_blocks_nor_dates_back(root: Path) -> None:
    put(root, canonical(1))
    edit = at(
        root,
        datetime(2000, 1, 1, tzinfo=UTC),
        datetime(2027, 1, 1, tzinfo=UTC),
        datetime(2026, 1, 1, tzinfo=UTC),
        datetime(1, 1, 1, tzinfo=UTC),
    )
    dates = [
        edit(ADDRESS, revision, archived if revision % 2 else restored).record.updated_at
        for revision in range(1, 5)
    ]
    assert dates == [NOON, *["2027-01-01T00:00:00Z"] * 3]


def test_what_is_current_needs_neither_clock_nor_randomness(root: Path) -> None:
    put(root, canonical(1))
    edited = at(root)(ADDRESS, 1, restored)
    assert (edited.was_written, edited.record.revision) == (False, 1)


def test_an_edit_that_fails_writes_nothing_and_frees_the_root(root: Path) -> None:
    put(root, canonical(1))
    before = files(root)
    edit = at(root, datetime(2026, 12, 1, tzinfo=UTC))
    with pytest.raises(NoCollection):
        edit(ADDRESS, 1, replace(SAYING, collection_label="x").told_by)
    assert files(root) == before
    assert edit(ADDRESS, 1, SAYING.told_by).was_written


def test_a_record_edited_by_hand_since_the_review_still_has_its_revision_and_is_replaced_as_it_is(
    root: Path,
) -> None:
    path = put(root, canonical(1))
    put(root, canonical(1, title="By hand"))
    at(root, datetime(2026, 12, 1, tzinfo=UTC))(ADDRESS, 1, archived)
    assert json.loads(path.read_bytes())["title"] == "By hand"


@pytest.fixture
def busy_root(root: Path) -> Iterator[Path]:
    """A root that another writer never lets go."""
    put(root, canonical(1, state="archived"))
    descriptor = os.open(root, os.O_RDONLY)
    fcntl.flock(descriptor, fcntl.LOCK_EX)
    yield root
    os.close(descriptor)


def test_a_wait_for_another_writer_ends(busy_root: Path) -> None:
    before = files(busy_root)
    edit = at(busy_root, lock_wait_seconds=0.05)
    for change in (archived, restored, SAYING.told_by):
        with pytest.raises(SourceUnavailable):
            edit(ADDRESS, 1, change)
    with pytest.raises(SourceUnavailable):
        Forgetting(edit.store)(ADDRESS, 1)
    assert files(busy_root) == before


def test_the_edit_sees_the_record_of_this_very_moment(root: Path) -> None:
    put(root, canonical(1))
    seen: list[CanonicalRecord] = []

    def look(record: CanonicalRecord) -> CanonicalRecord:
        seen.append(record)
        return record

    edit = at(root, datetime(2026, 12, 1, tzinfo=UTC))
    edit(ADDRESS, 1, look)
    edit(ADDRESS, 1, SAYING.told_by)
    with pytest.raises(RevisionConflict):
        edit(ADDRESS, 1, look)
    edit(ADDRESS, 2, look)
    assert [record.content for record in seen] == ["Statement 1.", "Said anew."]
