import itertools
import os
from collections.abc import Callable
from pathlib import Path
from time import time_ns

import pytest

from mymcp.plugins.mnemosyne.memory.discovery import (
    COARSE_SETTLED_NS,
    SETTLED_NS,
    is_record_name,
    is_settled,
    listed,
    stamp_of,
    unsettled,
)
from mymcp.plugins.mnemosyne.memory.entries import Stamp
from mymcp.plugins.mnemosyne.memory.faults import CandidateLimitExceeded
from mymcp.plugins.mnemosyne.memory.folder import Folder


@pytest.fixture
def home(tmp_path: Path) -> Path:
    for name in ("a.json", "b.json", "c.json", "other"):
        (tmp_path / name).touch()
    (tmp_path / "folder").mkdir()
    (tmp_path / "link.json").symlink_to("a.json")
    return tmp_path


def stamps(home: Path, *names: str) -> dict[str, Stamp]:
    return {name: stamp_of((home / name).lstat()) for name in names}


def test_a_folder_that_nothing_is_known_of_is_all_changed(home: Path) -> None:
    with Folder.at(home) as folder:
        found = listed(folder, {}, 10, time_ns)
    assert (sorted(found.changed), found.same, found.gone) == (
        ["a.json", "b.json", "c.json"],
        [],
        set(),
    )
    assert (found.subfolders, found.symlinks) == ({"folder"}, {"link.json"})


def test_what_is_the_same_has_changed_and_is_gone_is_told_apart(home: Path) -> None:
    known = stamps(home, "a.json", "b.json", "c.json")
    known["gone.json"] = known["a.json"]
    (home / "b.json").write_bytes(b"b")
    (home / "c.json").unlink()
    (home / "c.json").mkdir()
    with Folder.at(home) as folder:
        found = listed(folder, known, 10, time_ns)
    assert (found.same, found.changed) == (["a.json"], ["b.json"])
    assert found.gone == {"c.json", "gone.json"}
    assert found.subfolders == {"folder", "c.json"}


@pytest.mark.parametrize("known", [[], ["a.json"], ["a.json", "b.json", "c.json"]])
def test_there_is_room_for_so_many_and_no_more(home: Path, known: list[str]) -> None:
    with Folder.at(home) as folder:
        assert listed(folder, stamps(home, *known), 3, time_ns).count == 3
        with pytest.raises(CandidateLimitExceeded):
            listed(folder, stamps(home, *known), 2, time_ns)


@pytest.mark.parametrize("known", [False, True])
def test_a_file_that_vanishes_while_its_folder_is_listed_is_gone(
    home: Path, monkeypatch: pytest.MonkeyPatch, *, known: bool
) -> None:
    before = stamps(home, "a.json") if known else {}
    disturb_listings(monkeypatch, lambda names: (home / "a.json").unlink(missing_ok=True))
    with Folder.at(home) as folder:
        found = listed(folder, before, 10, time_ns)
    assert sorted(found.changed) == ["b.json", "c.json"]
    assert found.gone == set(before)


def disturb_listings(
    monkeypatch: pytest.MonkeyPatch, disturb: Callable[[dict[str, os.DirEntry[str]]], object]
) -> None:
    """Have every listing of a folder made at once, and then something done to the folder.

    What is done may also leave out of the listing what the kernel would pass over.
    """
    really = os.scandir

    class Disturbed:
        def __init__(self, descriptor: int) -> None:
            with really(descriptor) as found:
                self.entries = {entry.name: entry for entry in found}
            disturb(self.entries)

        def __enter__(self) -> list[os.DirEntry[str]]:
            return list(self.entries.values())

        def __exit__(self, *_: object) -> None: ...

    monkeypatch.setattr(os, "scandir", Disturbed)


@pytest.mark.parametrize("known", [[], ["a.json"], ["a.json", "b.json", "c.json"]])
def test_a_file_that_is_passed_over_for_being_replaced_just_then_is_not_gone(
    home: Path, monkeypatch: pytest.MonkeyPatch, known: list[str]
) -> None:
    before = stamps(home, *known)
    names = itertools.cycle(["a.json", "b.json", "c.json"])

    def replace_one(entries: dict[str, os.DirEntry[str]]) -> None:
        name = next(names)
        (home / "new").write_text(name)
        (home / "new").rename(home / name)
        entries.pop(name)

    disturb_listings(monkeypatch, replace_one)
    with Folder.at(home) as folder:
        found = listed(folder, before, 10, time_ns)
    assert sorted(found.names) == ["a.json", "b.json", "c.json", "folder", "link.json"]
    assert found.gone == set()


@pytest.mark.parametrize("known", [[], ["a.json", "b.json", "c.json"]])
def test_one_that_comes_as_another_goes_is_not_one_too_many(
    home: Path, monkeypatch: pytest.MonkeyPatch, known: list[str]
) -> None:
    before = stamps(home, *known)

    def rename(_: dict[str, os.DirEntry[str]]) -> None:
        if (home / "a.json").exists():
            (home / "a.json").rename(home / "d.json")

    disturb_listings(monkeypatch, rename)
    with Folder.at(home) as folder:
        assert listed(folder, before, 3, time_ns).count == 3


def test_a_folder_that_nobody_touches_is_listed_once(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    listings: list[object] = []
    disturb_listings(monkeypatch, listings.append)
    with Folder.at(home) as folder:
        listed(folder, {}, 10, lambda: time_ns() + SETTLED_NS + COARSE_SETTLED_NS)
    assert len(listings) == 1


def test_a_stamp_shows_every_write_and_every_new_name(home: Path) -> None:
    path, seen = home / "a.json", set()
    for step in range(4):
        seen.add(stamp_of(path.lstat()))
        if step == 0:
            path.write_bytes(b"a")
        elif step == 1:
            os.link(path, home / "d.json")
        else:
            os.utime(path, ns=(0, 0))
    assert len(seen) == 4


def test_no_file_shows_an_unsettled_stamp(home: Path) -> None:
    known = {"a.json": unsettled(stamps(home, "a.json")["a.json"])}
    with Folder.at(home) as folder:
        assert "a.json" in listed(folder, known, 10, time_ns).changed


@pytest.mark.parametrize(
    ("changed_ns", "tick"),
    [(1_700_000_000_123_000_000, SETTLED_NS), (1_700_000_000_000_000_000, COARSE_SETTLED_NS)],
)
def test_a_stamp_vouches_for_a_file_once_its_clock_must_have_ticked(
    changed_ns: int, tick: int
) -> None:
    stamp = (1, 2, 1, 0, changed_ns, 5)
    assert not is_settled(stamp, changed_ns + tick)
    assert is_settled(stamp, changed_ns + tick + 1)


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("a.json", True),
        (".a.json", True),
        (".json", False),
        ("a.JSON", False),
        ("a.json.tmp", False),
    ],
)
def test_record_files_are_told_by_their_names(name: str, *, expected: bool) -> None:
    assert is_record_name(name) is expected
