import errno
import logging
import os
from pathlib import Path
from time import time_ns

import pytest

from mymcp.plugins.mnemosyne.memory import readings
from mymcp.plugins.mnemosyne.memory.faults import SourceUnavailable
from mymcp.plugins.mnemosyne.memory.folder import Folder
from mymcp.plugins.mnemosyne.memory.places import scope_container
from mymcp.plugins.mnemosyne.memory.readings import SETTLED_NS
from mymcp.plugins.mnemosyne.memory.records import RECORD_MAX_BYTES
from mymcp.plugins.mnemosyne.memory.store import Survey
from tests.plugins.mnemosyne.stores import store_of
from tests.plugins.mnemosyne.tree import canonical, legacy, put, write

PROJECT = scope_container("project")


class Reads:
    """Counts the files that are really read."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.names: list[str] = []
        really = Folder.read

        def read(folder: Folder, name: str, most: int) -> tuple[bytes, os.stat_result]:
            self.names.append(name)
            return really(folder, name, most)

        monkeypatch.setattr(Folder, "read", read)


def later() -> int:
    """Say that everything on the disk has been still for a while."""
    return time_ns() + 10 * SETTLED_NS


def contents(survey: Survey) -> list[str]:
    return [entry.record.content for entry in survey.entries]


def test_an_unchanged_file_is_read_once(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    put(root, canonical(1))
    write(root / "project" / "bad.json", b"{")
    store, reads = store_of(root, now_ns=later), Reads(monkeypatch)
    first, second = store.survey(PROJECT), store.survey(PROJECT)
    assert len(reads.names) == 2
    assert first.entries == second.entries
    assert first.skipped_count == second.skipped_count == 1


def test_a_file_that_just_changed_is_read_again(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    put(root, canonical(1))
    store, reads = store_of(root, now_ns=lambda: 0), Reads(monkeypatch)
    store.survey(PROJECT)
    store.survey(PROJECT)
    assert len(reads.names) == 2


def test_every_edit_is_seen_by_the_next_call(root: Path) -> None:
    store = store_of(root)
    path = put(root, canonical(1, content="one"))
    assert contents(store.survey(PROJECT)) == ["one"]
    times = (path.stat().st_atime_ns, path.stat().st_mtime_ns)
    path.write_bytes(path.read_bytes().replace(b"one", b"two"))
    os.utime(path, ns=times)  # same size, and the time of the last write put back
    assert contents(store.survey(PROJECT)) == ["two"]
    path.unlink()
    assert contents(store.survey(PROJECT)) == []
    put(root, canonical(1, content="three"))
    assert contents(store.survey(PROJECT)) == ["three"]


def test_a_file_replaced_by_another_of_equal_size_is_seen(root: Path) -> None:
    store = store_of(root, now_ns=later)
    path = put(root, canonical(1, content="one"))
    assert contents(store.survey(PROJECT)) == ["one"]
    other = path.with_name("other")
    other.write_bytes(path.read_bytes().replace(b"one", b"two"))
    other.rename(path)
    assert contents(store.survey(PROJECT)) == ["two"]


def test_a_moved_record_no_longer_fits_its_place(root: Path) -> None:
    store = store_of(root, now_ns=later)
    path = put(root, canonical(1))
    assert len(store.survey(PROJECT).entries) == 1
    path.rename(root / "project" / path.name)
    survey = store.survey(PROJECT)
    assert (survey.entries, survey.candidate_count, survey.skipped_count) == ((), 1, 1)


def test_readings_of_files_that_are_gone_are_dropped(root: Path) -> None:
    store = store_of(root, now_ns=later)
    paths = [put(root, canonical(number)) for number in range(5)]
    store.survey(PROJECT)
    for path in paths[1:]:
        path.unlink()
    store.survey(PROJECT)
    assert len(store._readings._kept["project"]) == 1


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b" " * (RECORD_MAX_BYTES + 1), "oversized"),
        (b"\xff", "invalid_encoding"),
        (b"[" * 20_000, "invalid_json"),
        (b"9" * 5_000, "invalid_json"),
        (b"{}", "invalid_record"),
    ],
)
def test_what_is_skipped_is_logged_once_with_scope_and_reason_only(
    root: Path, caplog: pytest.LogCaptureFixture, data: bytes, reason: str
) -> None:
    path = write(root / "project" / "secret-name.json", data)
    store = store_of(root, now_ns=later)
    with caplog.at_level(logging.WARNING, "mymcp.memory.store"):
        store.survey(PROJECT)
        store.survey(PROJECT)
    assert [record.getMessage() for record in caplog.records] == [
        f"skipped scope=project reason={reason}"
    ]
    path.write_bytes(data + b" ")
    with caplog.at_level(logging.WARNING, "mymcp.memory.store"):
        store.survey(PROJECT)
    assert len(caplog.records) == 2


def test_one_call_writes_few_lines_about_many_skipped_files(
    root: Path, caplog: pytest.LogCaptureFixture
) -> None:
    (root / "project").mkdir(parents=True)
    for number in range(readings.WARNINGS_MAX + 7):
        (root / "project" / f"{number}.json").symlink_to("nowhere")
    survey = store_of(root, now_ns=later).survey(PROJECT)
    assert survey.skipped_count == readings.WARNINGS_MAX + 7
    assert len(caplog.records) == readings.WARNINGS_MAX + 1
    assert caplog.records[-1].getMessage() == "skipped scope=project more=7"


def test_a_record_at_the_size_limit_is_served(root: Path) -> None:
    path = put(root, canonical(1))
    data = path.read_bytes()
    path.write_bytes(data + b" " * (RECORD_MAX_BYTES - len(data)))
    assert len(store_of(root).survey(PROJECT).entries) == 1
    path.write_bytes(data + b" " * (RECORD_MAX_BYTES - len(data) + 1))
    assert len(store_of(root).survey(PROJECT).entries) == 0


def test_a_version_1_record_is_served_wherever_it_lies(root: Path) -> None:
    for folder in ("", "a", "a/b", "a/b/c", "a/b/c/d"):
        write(root / "project" / folder / "note.json", legacy())
    survey = store_of(root).survey(PROJECT)
    assert len(survey.entries) == 5
    assert {entry.location for entry in survey.entries} >= {"note.json", "a/b/c/d/note.json"}


def test_readings_and_warnings_are_bounded(
    root: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(readings, "READINGS_MAX", 3)
    store = store_of(root, now_ns=later)
    for number in range(5):
        put(root, canonical(number))
        write(root / "project" / f"{number}.json", b"{")
    for _ in range(2):
        assert len(store.survey(PROJECT).entries) == 5
    assert len(store._readings._kept["project"]) <= 3
    assert len(store._readings._warned) <= 3
    assert len(caplog.records) > 5


@pytest.mark.parametrize("number", [errno.EMFILE, errno.ENFILE, errno.ENOMEM])
@pytest.mark.parametrize("method", ["read", "below"])
def test_what_this_process_cannot_open_is_not_left_out(
    root: Path, monkeypatch: pytest.MonkeyPatch, method: str, number: int
) -> None:
    put(root, canonical(1))

    def fail(*_: object) -> None:
        raise OSError(number, "no more")

    monkeypatch.setattr(Folder, method, fail)
    with pytest.raises(SourceUnavailable):
        store_of(root).survey(PROJECT)


def test_an_unreadable_file_is_skipped(unprivileged_root: Path) -> None:
    put(unprivileged_root, canonical(1))
    put(unprivileged_root, canonical(2)).chmod(0)
    survey = store_of(unprivileged_root).survey(PROJECT)
    assert (len(survey.entries), survey.candidate_count, survey.skipped_count) == (1, 2, 1)


def test_a_folder_swapped_for_a_symlink_before_reading_is_not_followed(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    put(root, canonical(1))
    elsewhere = root.parent / "elsewhere"
    really = Folder.below

    def swap(self: Folder, names: tuple[str, ...]) -> object:
        namespace = root / "project" / "atlas"
        if not namespace.is_symlink():
            namespace.rename(elsewhere)
            namespace.symlink_to(elsewhere)
        return really(self, names)

    monkeypatch.setattr(Folder, "below", swap)
    survey = store_of(root).survey(PROJECT)
    assert (survey.entries, survey.skipped_count) == ((), 1)
