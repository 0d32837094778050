import os
import tracemalloc
from pathlib import Path
from shutil import rmtree
from typing import get_args

import pytest

from mymcp.plugins.mnemosyne.memory.examination import root as root_module
from mymcp.plugins.mnemosyne.memory.examination.findings import (
    NOTES,
    REMEDIES,
    Finding,
    FindingCode,
)
from mymcp.plugins.mnemosyne.memory.examination.root import RootState
from mymcp.plugins.mnemosyne.memory.examination.tree import ScopeReport, examined
from mymcp.plugins.mnemosyne.memory.lock import RootLock
from tests.plugins.mnemosyne.memory.examination.faulty import (
    FAULTS,
    LIMIT,
    SECRET,
    healthy,
    record_name,
)
from tests.plugins.mnemosyne.tree import canonical, legacy, put, write

ELSEWHERE = {"not_persistent", "not_writable", "unreadable_folder", "unreadable", "foreign_owner"}
"""Codes that have a test of their own."""
STRANGER = 4_711


@pytest.fixture(autouse=True)
def lasting(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the tests lie on a file system that lasts, wherever they run."""
    monkeypatch.setattr(root_module, "mount_type", lambda _: "ext4")


def examine(root: Path, *, limit: int = LIMIT) -> list[RootState | Finding | ScopeReport]:
    return list(examined(root, candidate_limit=limit, is_changed=True, user=os.geteuid()))


def findings(root: Path, *, limit: int = LIMIT) -> list[Finding]:
    return [each for each in examine(root, limit=limit) if isinstance(each, Finding)]


def state_of(root: Path) -> dict[str, tuple[int, ...]]:
    """Return all that a change of anything below `root` would change."""
    kept = ("st_ino", "st_mode", "st_nlink", "st_uid", "st_size", "st_mtime_ns", "st_ctime_ns")
    paths = [root, *root.rglob("*")]
    return {str(path): tuple(getattr(path.lstat(), name) for name in kept) for path in paths}


def test_every_code_is_found_by_a_test_and_has_a_remedy() -> None:
    codes = set(get_args(FindingCode))
    assert set(FAULTS) | ELSEWHERE == codes
    assert set(REMEDIES) == codes
    assert codes > NOTES


@pytest.mark.parametrize("code", FAULTS)
def test_a_fault_is_found_where_it_is_and_nothing_else(root: Path, code: FindingCode) -> None:
    make, path, detail = FAULTS[code]
    make(root)
    assert findings(root) == [Finding(code, tuple(path.split("/")) if path else (), detail)]


def test_a_healthy_memory_gives_counts_and_no_finding(root: Path) -> None:
    healthy(root)
    state, *reports = examine(root)
    assert isinstance(state, RootState)
    assert (state.path, state.exists, state.is_empty, state.is_writable) == (
        root,
        True,
        False,
        True,
    )
    assert reports == [
        ScopeReport("self", candidates=1, active=1, archived=0, legacy=0, skipped=0, limit=LIMIT),
        ScopeReport(
            "project", candidates=2, active=1, archived=1, legacy=0, skipped=0, limit=LIMIT
        ),
        ScopeReport(
            "knowledge", candidates=1, active=0, archived=0, legacy=1, skipped=0, limit=LIMIT
        ),
    ]


def test_what_is_skipped_counts_against_the_limit(root: Path) -> None:
    put(root, canonical(1))
    write(root / "project" / "atlas" / "broken.json", b"{")
    (report,) = (each for each in examine(root) if isinstance(each, ScopeReport))
    assert (report.candidates, report.active, report.skipped, report.room) == (2, 1, 1, LIMIT - 2)


def test_every_skipped_record_is_told(root: Path) -> None:
    for number in range(30):
        write(root / "self" / f"{number:02}.json", b"{")
    found = [each.path for each in findings(root, limit=1_000) if each.code == "invalid_json"]
    assert found == [("self", f"{number:02}.json") for number in range(30)]


def test_nothing_is_changed_and_no_lock_is_taken(root: Path) -> None:
    for code, (make, _, _) in FAULTS.items():
        if code not in {"root_unusable", "root_missing", "root_empty", "scope_unusable"}:
            make(root)
    before = state_of(root)
    with RootLock(root, wait_seconds=1).held():  # a server that writes just now
        found = {each.code for each in findings(root)}
    assert len(found) >= 10
    assert state_of(root) == before


def test_a_missing_root_is_not_made(root: Path) -> None:
    (state, _) = examine(root / "deep" / "down")
    assert isinstance(state, RootState)
    assert (state.exists, state.is_writable) == (False, True)
    assert not root.exists()


def test_a_disk_that_is_not_mounted_is_no_missing_root(root: Path) -> None:
    root.symlink_to(root.parent / "nowhere")
    assert findings(root / "memory") == [
        Finding("root_unusable", detail="above it a symlink that leads nowhere")
    ]


def test_a_root_below_a_file_is_unusable(root: Path) -> None:
    root.write_bytes(b"")
    assert findings(root) == [Finding("root_unusable", detail="no folder")]
    assert findings(root / "memory") == [Finding("root_unusable", detail="above it ENOTDIR")]


def test_a_root_behind_a_link_says_where_it_really_is(root: Path) -> None:
    healthy(root / "disk" / "memory")
    (root / "link").symlink_to(root / "disk")
    state, *found = examine(root / "link" / "memory")
    assert isinstance(state, RootState)
    assert state.real_path == root / "disk" / "memory"
    assert not any(isinstance(each, Finding) for each in found)


def test_a_link_is_never_followed(root: Path) -> None:
    write(root.parent / "elsewhere" / "x.json", canonical(1, content=SECRET))
    healthy(root)
    (root / "agent").symlink_to(root.parent / "elsewhere")
    (root / "project" / "link").symlink_to(root.parent / "elsewhere")
    assert findings(root) == [
        Finding("symlink", ("project", "link")),
        Finding("scope_unusable", ("agent",), "a symlink"),
    ]


def test_a_pipe_does_not_hold_it_up(root: Path) -> None:
    healthy(root)
    os.mkfifo(root / "project" / "pipe.json")
    assert findings(root) == []


def test_what_vanishes_meanwhile_is_no_finding(root: Path) -> None:
    for number in range(3):
        write(root / "self" / f"{number}.json", b"{")
        put(root, canonical(number, collection="c"))
    walk = examined(root, candidate_limit=LIMIT, is_changed=True, user=os.geteuid())
    seen = [next(walk), next(walk)]
    assert seen[1:] == [Finding("invalid_json", ("self", "0.json"), "near line 1")]
    rmtree(root)
    (report,) = walk
    assert isinstance(report, ScopeReport)
    assert (report.scope, report.candidates) == ("self", 1)


def test_two_names_within_the_memory_are_no_link_from_outside(root: Path) -> None:
    path = write(root / "self" / "one.json", legacy())
    os.link(path, root / "self" / "two.json")
    assert findings(root) == []
    os.link(path, root.parent / "three")
    assert findings(root) == [
        Finding("linked_from_outside", ("self", "one.json"), "other names: 1")
    ]


@pytest.mark.parametrize(
    ("members", "place"),
    [
        ({"content": SECRET}, "content credential_shape"),
        ({"title": "000 123-45-6789"}, "title government_identifier_shape"),
        (
            {"namespace": {"kind": "project", "id": "atlas", "label": SECRET}},
            "namespace credential_shape",
        ),
        ({"title": "password:", "content": "hunter2222"}, "title credential_shape"),
    ],
)
def test_a_text_that_must_not_be_stored_is_placed_and_never_repeated(
    root: Path, members: dict[str, object], place: str
) -> None:
    put(root, canonical(1) | members)
    (found,) = findings(root)
    assert (found.code, found.detail) == ("refused_by_policy", place)
    assert "hunter" not in repr(found)


def test_records_of_format_1_are_held_to_the_policy_too(root: Path) -> None:
    write(root / "self" / "old.json", legacy(tags=[SECRET]))
    assert findings(root) == [
        Finding("refused_by_policy", ("self", "old.json"), "tags#1 credential_shape")
    ]


def test_a_name_that_is_no_utf8_and_one_in_capitals_are_found(root: Path) -> None:
    odd = os.fsdecode(b"\xff.json")
    write(root / "self" / odd, b"{")
    write(root / "self" / "X.JSON", legacy())
    assert findings(root) == [
        Finding("not_looked_at", ("self", "X.JSON")),
        Finding("invalid_json", ("self", odd), "near line 1"),
    ]


def test_what_lies_on_a_passing_file_system_is_noted(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(root_module, "mount_type", lambda _: "overlay")
    healthy(root)
    assert findings(root) == [Finding("not_persistent", detail="overlay")]


def test_what_may_not_be_read_or_written_is_found(unprivileged_root: Path) -> None:
    healthy(unprivileged_root)
    project = unprivileged_root / "project"
    (project / "atlas" / record_name(1)).chmod(0o000)
    (project / "atlas" / "decisions").chmod(0o500)
    (unprivileged_root / "knowledge").chmod(0o000)
    (unprivileged_root / "self" / "me").chmod(0o600)  # its names can be listed, no more
    assert findings(unprivileged_root) == [
        Finding("not_writable", ("self", "me")),
        Finding("unreadable_folder", ("self", "me"), "EACCES"),
        Finding("not_writable", ("project", "atlas", "decisions")),
        Finding("unreadable", ("project", "atlas", record_name(1)), "EACCES"),
        Finding("scope_unusable", ("knowledge",), "EACCES"),
    ]


def test_a_root_that_only_reading_tools_use_may_be_read_only(unprivileged_root: Path) -> None:
    healthy(unprivileged_root)
    unprivileged_root.chmod(0o500)
    user = os.geteuid()
    for is_changed, codes in ((True, ["not_writable"]), (False, [])):
        found = examined(unprivileged_root, candidate_limit=LIMIT, is_changed=is_changed, user=user)
        assert [each.code for each in found if isinstance(each, Finding)] == codes


def test_a_root_that_cannot_be_made_is_found(unprivileged_root: Path) -> None:
    unprivileged_root.parent.chmod(0o500)
    assert findings(unprivileged_root) == [
        Finding("root_missing"),
        Finding("not_writable", detail="it cannot be made"),
    ]


def test_a_root_of_somebody_else_is_told_once(unprivileged_root: Path) -> None:
    healthy(unprivileged_root)
    found = examined(unprivileged_root, candidate_limit=LIMIT, is_changed=True, user=STRANGER)
    assert [each for each in found if isinstance(each, Finding)] == [
        Finding("foreign_owner", detail=f"uid {os.geteuid()}")
    ]


@pytest.mark.skipif(os.geteuid() != 0, reason="only root may give files away")
def test_files_of_others_than_the_roots_owner_are_found(root: Path) -> None:
    healthy(root)
    os.chown(root / "project" / "atlas", STRANGER, STRANGER)
    assert findings(root) == [
        Finding("foreign_owner", ("project", "atlas"), f"uid {STRANGER}"),
    ]
    os.chown(root, STRANGER, STRANGER)
    assert findings(root) == [Finding("foreign_owner", detail=f"uid {STRANGER}")]


def test_what_it_keeps_does_not_grow_with_the_findings(root: Path) -> None:
    def peak() -> int:
        tracemalloc.start()
        count = sum(1 for _ in examined(root, candidate_limit=1, is_changed=True, user=0))
        found = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        assert count > 10
        return found

    for number in range(10):
        for name in range(10):
            write(root / "project" / f"n{number}" / f"{name}.json", b"{")
    few = peak()
    for number in range(100):
        for name in range(10):
            write(root / "project" / f"m{number}" / f"{name}.json", b"{")
    assert peak() < few + 100_000
