"""When a file is read, and when what was read of it before is good enough."""

import os
from pathlib import Path
from time import time_ns

import pytest

from mymcp.plugins.mnemosyne.memory import notices
from mymcp.plugins.mnemosyne.memory.discovery import SETTLED_NS
from mymcp.plugins.mnemosyne.memory.folder import Folder
from mymcp.plugins.mnemosyne.memory.notices import Notices, Skip
from mymcp.plugins.mnemosyne.memory.records import RECORD_MAX_BYTES
from mymcp.plugins.mnemosyne.memory.shelf import Shelf
from mymcp.plugins.mnemosyne.memory.view import View
from tests.plugins.mnemosyne.sight import PROJECT, Sight
from tests.plugins.mnemosyne.tree import canonical, legacy, put, write

pytestmark = pytest.mark.usefixtures("way")


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


def test_an_unchanged_file_is_read_once(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    put(root, canonical(1))
    write(root / "project/bad.json", b"{")
    sight, reads = Sight(root, now_ns=later), Reads(monkeypatch)
    first, second = sight.look(), sight.look()
    assert len(reads.names) == 2
    assert first == second
    assert len(first) == len(sight.skipped()) == 1


def test_a_file_that_changed_just_before_is_read_again_and_stays_where_it_is(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    put(root, canonical(1))
    sight, reads, placed = Sight(root, now_ns=lambda: 0), Reads(monkeypatch), []
    really = Shelf.place
    monkeypatch.setattr(
        Shelf, "place", lambda *arguments: placed.append(arguments) or really(*arguments)
    )
    for _ in range(4):
        assert len(sight.look()) == 1
    assert len(reads.names) >= 2
    assert len(placed) == 1


def test_reading_as_a_whole_keeps_what_is_known_to_be_the_same(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number in range(5):
        put(root, canonical(number))
    sight, reads = Sight(root, now_ns=later), Reads(monkeypatch)
    before = sight.look()
    (root / "project/new").mkdir()
    (root / "project/new").rmdir()
    sight.freshness.close()
    assert sight.look() == before
    assert len(reads.names) == 5


def test_a_moved_record_no_longer_fits_its_place(root: Path) -> None:
    sight = Sight(root, now_ns=later)
    path = put(root, canonical(1))
    assert len(sight.look()) == 1
    path.rename(root / "project" / path.name)
    assert sight.look() == {}
    assert sight.skipped() == {f"project/{path.name}": "path_mismatch"}


def test_a_record_at_the_size_limit_is_served(root: Path) -> None:
    path, sight = put(root, canonical(1)), Sight(root)
    data = path.read_bytes()
    path.write_bytes(data + b" " * (RECORD_MAX_BYTES - len(data)))
    assert len(sight.look()) == 1
    path.write_bytes(data + b" " * (RECORD_MAX_BYTES - len(data) + 1))
    assert len(sight.look()) == 0


def test_a_version_1_record_is_served_wherever_it_lies(root: Path) -> None:
    for folder in ("", "a", "a/b", "a/b/c", "a/b/c/d"):
        write(root / "project" / folder / "note.json", legacy())
    found = Sight(root).look()
    assert len(found) == 5
    assert {"project/note.json", "project/a/b/c/d/note.json"} <= set(found)


def test_many_files_at_once_are_read_like_few(root: Path) -> None:
    sight = Sight(root)
    for count in (1, 200, 201):
        for number in range(count):
            put(root, canonical(number, content=f"{count} {number}"))
        assert sorted(sight.look().values()) == sorted(f"{count} {n}" for n in range(count))
        assert len(View(sight.shelf, PROJECT).listing().entries(0, 1_000)) == count


def test_notices_are_forgotten_rather_than_kept_without_bound(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(notices, "TOLD_MAX", 3)
    told = Notices()
    for number in range(10):
        told.tell([Skip(("project", str(number)), "symlink")])
        told.tell([Skip(("project", str(number)), "symlink")])
    assert len(caplog.records) == 10
    assert len(told._told) <= 3
    told.tell([Skip(("project", "0"), "symlink")])
    assert len(caplog.records) == 11
