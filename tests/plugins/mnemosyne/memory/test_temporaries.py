import logging
import os
from pathlib import Path

import pytest

from mymcp.plugins.mnemosyne.memory.folder import Folder
from mymcp.plugins.mnemosyne.memory.records import CanonicalRecord, parse, serialise
from mymcp.plugins.mnemosyne.memory.temporaries import discard, sweep, temporary_name
from tests.plugins.mnemosyne import trouble
from tests.plugins.mnemosyne.stores import store_of
from tests.plugins.mnemosyne.tree import canonical, files, memory_id, put, write

NAME = f"{memory_id(1)}.json"
OURS = temporary_name(NAME, "0011223344556677")
OLDER = temporary_name(NAME, "k3_x-9Zc")
PLACES = ["self/a", "project/atlas", "project/atlas/decisions", "agent/b/c"]


def swept(root: Path) -> set[str]:
    """Sweep `root` and return what is gone."""
    before = set(files(root))
    with Folder.at(root) as folder:
        sweep(folder)
    return before - set(files(root))


def test_temporaries_of_every_place_where_records_lie_are_swept(root: Path) -> None:
    for place in PLACES:
        write(root / place / OURS, b"half")
        write(root / place / OLDER, b"half")
    put(root, canonical(1))
    assert swept(root) == {f"{place}/{name}" for place in PLACES for name in (OURS, OLDER)}


@pytest.mark.parametrize(
    "name",
    [
        NAME,
        ".hidden.json",
        ".mem_1.aa.tmp",
        f".{memory_id(1)}.tmp",
        f".{memory_id(1)}..tmp",
        f".{memory_id(1)}.a.b.tmp",
        f".{memory_id(1)}.aa.tmp~",
        f"{memory_id(1)}.aa.tmp",
        f".{memory_id(1).upper()}.aa.tmp",
        f".{memory_id(1)}.aa.swp",
        "notes.tmp",
    ],
)
def test_a_file_that_is_not_named_like_ours_is_left_alone(root: Path, name: str) -> None:
    write(root / "project" / "atlas" / name, b"x")
    assert swept(root) == set()


@pytest.mark.parametrize("place", [".", "project/a/b/c", "other/a"])
def test_nothing_is_swept_where_no_record_is_ever_written(root: Path, place: str) -> None:
    write(root / place / OURS, b"x")
    assert swept(root) == set()


def test_only_files_are_swept_and_no_symlink_is_followed(root: Path, tmp_path: Path) -> None:
    folder = root / "project" / "atlas"
    write(tmp_path / "outside" / OURS, b"x")
    (folder / OURS).mkdir(parents=True)
    (folder / OLDER).symlink_to(tmp_path / "outside" / OURS)
    (folder / "link").symlink_to(tmp_path / "outside")
    (root / "self").symlink_to(tmp_path / "outside")
    assert swept(root) == set()
    assert (folder / OLDER).is_symlink()
    assert (folder / OURS).is_dir()
    assert (tmp_path / "outside" / OURS).exists()


def test_a_sweep_goes_on_where_something_cannot_be_swept(unprivileged_root: Path) -> None:
    write(unprivileged_root / "project" / "closed" / OURS, b"x")
    write(unprivileged_root / "project" / "fixed" / OURS, b"x")
    write(unprivileged_root / "project" / "open" / OURS, b"x")
    (unprivileged_root / "project" / "closed").chmod(0)
    (unprivileged_root / "project" / "fixed").chmod(0o500)
    with Folder.at(unprivileged_root) as folder:
        sweep(folder)
    (unprivileged_root / "project" / "closed").chmod(0o700)
    assert set(files(unprivileged_root)) == {f"project/closed/{OURS}", f"project/fixed/{OURS}"}


def test_a_swept_folder_is_synced(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(root / "project" / "atlas" / OURS, b"x")
    write(root / "project" / "borealis" / NAME, b"x")
    synced: list[int] = []
    monkeypatch.setattr(os, "fsync", lambda fd: synced.append(os.fstat(fd).st_ino))
    swept(root)
    assert synced == [(root / "project" / "atlas").stat().st_ino]


def test_the_first_write_after_a_start_sweeps_and_reading_changes_nothing(
    root: Path, caplog: pytest.LogCaptureFixture
) -> None:
    record = parse(put(root, canonical(1)).read_bytes())
    assert isinstance(record, CanonicalRecord)
    left = write(root / "project" / "atlas" / OURS, serialise(record))
    store = store_of(root)
    assert store.record(record.address) == record
    assert left.exists()
    with caplog.at_level(logging.INFO, "mymcp.memory.store"):
        with store.writing():
            assert not left.exists()
        left.touch()
        with store.writing():
            assert left.exists()
        with store_of(root).changing(record.address, 1):
            assert not left.exists()
    assert [one.getMessage() for one in caplog.records] == ["swept temporaries=1"] * 2


def test_discarding_takes_the_temporaries_of_one_record(root: Path) -> None:
    other = temporary_name(f"{memory_id(2)}.json", "aa")
    for name in (OURS, OLDER, other, NAME):
        write(root / name, b"x")
    with Folder.at(root) as folder:
        discard(folder, NAME)
    assert set(files(root)) == {NAME, other}


def test_discarding_fails_where_a_temporary_stays(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(root / OURS, b"x")
    trouble.refused("unlink")(monkeypatch, root)
    with Folder.at(root) as folder, pytest.raises(OSError, match="broken disk"):
        discard(folder, NAME)
