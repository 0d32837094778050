import os
from pathlib import Path

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
        found = listed(folder, {}, 10)
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
        found = listed(folder, known, 10)
    assert (found.same, found.changed) == (["a.json"], ["b.json"])
    assert found.gone == {"c.json", "gone.json"}
    assert found.subfolders == {"folder", "c.json"}


@pytest.mark.parametrize("known", [[], ["a.json"], ["a.json", "b.json", "c.json"]])
def test_there_is_room_for_so_many_and_no_more(home: Path, known: list[str]) -> None:
    with Folder.at(home) as folder:
        assert listed(folder, stamps(home, *known), 3).count == 3
        with pytest.raises(CandidateLimitExceeded):
            listed(folder, stamps(home, *known), 2)


@pytest.mark.parametrize("known", [False, True])
def test_a_file_that_vanishes_while_its_folder_is_listed_is_gone(
    home: Path, monkeypatch: pytest.MonkeyPatch, *, known: bool
) -> None:
    before = stamps(home, "a.json") if known else {}
    really = os.scandir

    class Vanishing:
        """Lists a folder and deletes a file that it listed."""

        def __init__(self, descriptor: int) -> None:
            with really(descriptor) as found:
                self.entries = list(found)
            (home / "a.json").unlink()

        def __enter__(self) -> list[os.DirEntry[str]]:
            return self.entries

        def __exit__(self, *_: object) -> None: ...

    monkeypatch.setattr(os, "scandir", Vanishing)
    with Folder.at(home) as folder:
        found = listed(folder, before, 10)
    assert sorted(found.changed) == ["b.json", "c.json"]
    assert found.gone == set(before)


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
        assert "a.json" in listed(folder, known, 10).changed


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
