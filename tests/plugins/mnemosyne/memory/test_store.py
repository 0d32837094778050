import errno
import json
import os
import stat
from dataclasses import replace
from pathlib import Path
from time import time_ns
from typing import Any

import pytest

from mymcp.plugins.mnemosyne.memory import shelf
from mymcp.plugins.mnemosyne.memory.faults import (
    CandidateLimitExceeded,
    CreationUncertain,
    NotFound,
    RevisionConflict,
    SourceUnavailable,
    WriteConflict,
)
from mymcp.plugins.mnemosyne.memory.index.order import Rank
from mymcp.plugins.mnemosyne.memory.places import Address, scope_container
from mymcp.plugins.mnemosyne.memory.records import CanonicalRecord, Collection, Namespace, parse
from mymcp.plugins.mnemosyne.memory.store import MemoryStore
from tests.plugins.mnemosyne.stores import store_of
from tests.plugins.mnemosyne.tree import canonical, files, legacy, memory_id, place, put, write


def record(number: int = 1, *, collection: str | None = None) -> CanonicalRecord:

    found = parse(json.dumps(canonical(number, collection=collection)).encode())
    assert isinstance(found, CanonicalRecord)
    return found


def create(store: MemoryStore, new: CanonicalRecord) -> None:
    with store.writing() as writer:
        writer.create(new, token="aa")


def test_a_missing_root_is_an_empty_memory_and_stays_missing(root: Path) -> None:
    store = store_of(root)
    with store.viewing(scope_container("project")) as view:
        assert (view.listing().count, view.census.candidate_count) == (0, 0)
    with pytest.raises(NotFound):
        store.record(Address("project", "atlas", None, memory_id(1)))
    assert not root.exists()


def test_a_record_that_is_not_beside_the_others_is_absent(root: Path) -> None:
    put(root, canonical(1))
    with pytest.raises(NotFound):
        store_of(root).record(Address("project", "atlas", None, memory_id(2)))


@pytest.mark.parametrize("collection", [None, "decisions"])
def test_a_created_record_is_found_at_its_address(root: Path, collection: str | None) -> None:
    store, new = store_of(root), record(collection=collection)
    create(store, new)
    assert store.record(new.address) == new
    assert root.joinpath(*new.address.path).is_file()
    assert len(files(root)) == 1


def test_what_is_created_is_private(root: Path) -> None:
    create(store_of(root), record(collection="decisions"))
    modes = {stat.S_IMODE(path.stat().st_mode) for path in [root, *root.rglob("*")]}
    assert modes == {0o700, 0o600}


def test_a_taken_file_is_a_conflict_and_stays(root: Path) -> None:
    store = store_of(root)
    path = write(place(root, canonical(1)), b"mine")
    with pytest.raises(WriteConflict):
        create(store, record(1))
    assert path.read_bytes() == b"mine"


def test_a_failed_sync_of_the_folder_is_uncertain_with_the_address(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store, new = store_of(root), record()
    put(root, canonical(2))
    really = os.fsync

    def fail_for_folders(descriptor: int) -> None:
        if stat.S_ISDIR(os.fstat(descriptor).st_mode):
            raise OSError(errno.EIO, "not synced")
        really(descriptor)

    monkeypatch.setattr(os, "fsync", fail_for_folders)
    with pytest.raises(CreationUncertain) as caught:
        create(store, new)
    assert caught.value.address == new.address
    assert store.record(new.address) == new


def test_a_new_folder_that_is_not_synced_publishes_nothing(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    root.mkdir()

    def fail(_descriptor: int) -> None:
        raise OSError(errno.EIO, "not synced")

    monkeypatch.setattr(os, "fsync", fail)
    with pytest.raises(SourceUnavailable):
        create(store_of(root), record())
    assert files(root) == {}


def test_a_record_that_would_read_as_another_is_never_written(root: Path) -> None:
    with pytest.raises(ValueError, match="does not survive"):
        create(store_of(root), replace(record(), updated_at="2026-07-18T11:59:59Z"))
    with pytest.raises(ValueError, match="does not survive"):
        create(store_of(root), replace(record(), title=" blanks "))
    assert files(root) == {}


def test_room_ends_at_the_limit_and_every_look_beyond_it(root: Path) -> None:
    store = store_of(root, candidate_limit=3)
    for number in (1, 2):
        put(root, canonical(number))
    write(root / "project" / "invalid.json", b"{")
    with store.writing() as writer:
        with writer.viewing("project") as view:
            assert not writer.has_room(view)
        with writer.viewing("self") as view:
            assert writer.has_room(view)
    put(root, canonical(3))
    with (
        store.writing() as writer,
        pytest.raises(CandidateLimitExceeded),
        writer.viewing("project"),
    ):
        pass


@pytest.mark.parametrize("data", [b"{", b"[" * 20_000, b"\xff", b" " * 65_537])
def test_a_file_that_is_there_but_no_record_is_not_absent(root: Path, data: bytes) -> None:
    write(place(root, canonical(1)), data)
    with pytest.raises(SourceUnavailable):
        store_of(root).record(Address("project", "atlas", None, memory_id(1)))


def test_a_record_of_another_identity_is_not_served(root: Path) -> None:
    write(place(root, canonical(1)), canonical(2))
    with pytest.raises(SourceUnavailable):
        store_of(root).record(Address("project", "atlas", None, memory_id(1)))


def test_a_version_1_record_has_no_address(root: Path) -> None:
    write(place(root, canonical(1)), legacy(memory_id(1)))
    with pytest.raises(NotFound):
        store_of(root).record(Address("project", "atlas", None, memory_id(1)))


@pytest.mark.parametrize("kind", ["folder", "pipe", "symlink", "socket"])
def test_something_else_in_the_place_of_a_record_is_unavailable(root: Path, kind: str) -> None:
    path = place(root, canonical(1))
    path.parent.mkdir(parents=True)
    if kind == "folder":
        path.mkdir()
    elif kind == "pipe":
        os.mkfifo(path)
    elif kind == "socket":
        os.mknod(path, stat.S_IFSOCK | 0o600)
    else:
        write(path.with_name("real"), canonical(1))
        path.symlink_to("real")
    with pytest.raises(SourceUnavailable):
        store_of(root).record(Address("project", "atlas", None, memory_id(1)))


def test_a_failure_in_the_midst_leaves_no_half_of_a_memory(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number in (1, 2, 3):
        put(root, canonical(number))
    store = store_of(root, now_ns=lambda: time_ns() + 10**10)  # stamps vouch for files
    really, told = shelf.rank_of, list[int]()

    def fail_at_the_second(*arguments: Any) -> Rank:
        told.append(len(told))
        if len(told) == 2:
            raise RuntimeError
        return really(*arguments)

    monkeypatch.setattr(shelf, "rank_of", fail_at_the_second)
    project = scope_container("project")
    with pytest.raises(RuntimeError), store.viewing(project):
        pass
    with store.viewing(project) as view:
        assert view.listing().count == 3
        assert view.search().count_any(["statement"]) == 3


def test_a_change_of_nothing_makes_nothing(root: Path) -> None:
    store, address = store_of(root), record(1).address
    for made in (root, root / "project", root / "project" / "atlas"):
        with pytest.raises(NotFound), store.changing(address, 1):
            pass
        assert not made.exists()
        made.mkdir()
    with pytest.raises(NotFound), store.changing(address, 1):
        pass
    assert files(root) == {}


def test_a_record_is_compared_with_the_reviewed_revision_while_the_root_is_held(
    root: Path,
) -> None:
    store = store_of(root, lock_wait_seconds=0.05)
    put(root, canonical(1))
    with pytest.raises(RevisionConflict), store.changing(record(1).address, 2):
        pass
    with store.changing(record(1).address, 1) as change:
        assert change.record == record(1)
        with pytest.raises(SourceUnavailable), store_of(root, lock_wait_seconds=0.05).writing():
            pass


@pytest.mark.parametrize(
    "other",
    [
        {"id": memory_id(2)},
        {"scope": "knowledge"},
        {"namespace": Namespace("project", "borealis", None)},
        {"namespace": Namespace("person", "atlas", None)},
        {"collection": None},
        {"collection": Collection("other", None)},
        {"kind": "constraint"},
        {"language": "de"},
        {"origin": "import"},
        {"recorded_via": "memory_remember"},
        {"created_at": "2026-07-18T11:59:59Z"},
        {"occurred_at": "2026-07-18T11:59:59Z"},
    ],
)
def test_no_replacement_makes_another_memory_of_a_record(
    root: Path, other: dict[str, object]
) -> None:
    path = put(root, canonical(1, collection="decisions"))
    before = path.read_bytes()
    address = record(1, collection="decisions").address
    with store_of(root).changing(address, 1) as change:
        desired = replace(change.record, **other)  # type: ignore[arg-type]
        with pytest.raises(WriteConflict):
            change.replace(desired, instant=change.record.updated_at, token="aa")
    assert files(root) == {str(path.relative_to(root)): before}


def test_a_version_1_record_cannot_be_changed(root: Path) -> None:
    write(place(root, canonical(1)), legacy(memory_id(1)))
    with pytest.raises(NotFound), store_of(root).changing(record(1).address, 1):
        pass
