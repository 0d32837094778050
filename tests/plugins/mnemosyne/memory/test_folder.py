import errno
import os
import stat
from pathlib import Path

import pytest

from mymcp.plugins.mnemosyne.memory.folder import Folder, made_folder


def open_descriptors() -> int:
    """Count what is open in this process, where the system tells."""
    listed = Path("/proc/self/fd")
    return len(list(listed.iterdir())) if listed.exists() else 0


def test_a_file_is_read_up_to_the_bound(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"12345")
    with Folder.at(tmp_path) as folder:
        assert [folder.read("file", most)[0] for most in (0, 3, 5, 9)] == [
            b"",
            b"123",
            b"12345",
            b"12345",
        ]
        assert folder.read("file", 9)[1].st_size == 5


def test_a_symlink_is_not_followed_to_a_file_or_a_folder(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"1")
    (tmp_path / "folder").mkdir()
    (tmp_path / "to-file").symlink_to("file")
    (tmp_path / "to-folder").symlink_to("folder")
    (tmp_path / "to-nothing").symlink_to("nothing")
    with Folder.at(tmp_path) as folder:
        for name in ("to-file", "to-nothing"):
            with pytest.raises(OSError, match=r"Too many levels|symbolic"):
                folder.read(name, 1)
        for name in ("to-folder", "to-nothing"):
            with pytest.raises(OSError):  # noqa: PT011  the system decides which
                folder.child(name)
    with pytest.raises(OSError):  # noqa: PT011
        Folder.at(tmp_path / "to-folder")


def test_a_pipe_is_refused_at_once(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    with Folder.at(tmp_path) as folder, pytest.raises(OSError, match="not a regular file"):
        folder.read("pipe", 1)


def test_a_folder_is_not_a_file_and_a_file_is_not_a_folder(tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "file").touch()
    with Folder.at(tmp_path) as folder:
        with pytest.raises(OSError, match="not a regular file"):
            folder.read("folder", 1)
        with pytest.raises(NotADirectoryError):
            folder.child("file")


def test_an_opened_folder_stays_itself_when_its_name_is_swapped(tmp_path: Path) -> None:
    (tmp_path / "here").mkdir()
    (tmp_path / "here" / "file").write_bytes(b"mine")
    with Folder.at(tmp_path) as top, top.child("here") as folder:
        (tmp_path / "here").rename(tmp_path / "away")
        (tmp_path / "here").mkdir()
        (tmp_path / "here" / "file").write_bytes(b"another's")
        assert folder.read("file", 9)[0] == b"mine"


def test_a_folder_below_is_reached_step_by_step(tmp_path: Path) -> None:
    (tmp_path / "a" / "b").mkdir(parents=True)
    (tmp_path / "a" / "b" / "file").write_bytes(b"1")
    before = open_descriptors()
    with Folder.at(tmp_path) as top:
        with top.below(("a", "b")) as folder:
            assert folder.read("file", 1)[0] == b"1"
        with top.below(()) as folder:
            assert folder is top
        with pytest.raises(FileNotFoundError), top.below(("a", "c")):
            pass
    assert open_descriptors() == before


def test_missing_folders_are_made_private_and_kept_ones_stay(tmp_path: Path) -> None:
    (tmp_path / "kept").mkdir()
    (tmp_path / "kept").chmod(0o755)
    with made_folder(tmp_path / "kept" / "one" / "two"):
        pass
    modes = [
        stat.S_IMODE((tmp_path / name).stat().st_mode)
        for name in ("kept", "kept/one", "kept/one/two")
    ]
    assert modes == [0o755, 0o700, 0o700]


@pytest.mark.parametrize("mask", [0o777, 0o277, 0o077, 0o022, 0])
def test_no_umask_keeps_the_owner_out_of_a_made_folder(unprivileged_root: Path, mask: int) -> None:
    before = os.umask(mask)
    try:
        with made_folder(unprivileged_root / "one" / "two") as folder, folder.made("three"):
            pass
    finally:
        os.umask(before)
    made = [unprivileged_root, *unprivileged_root.rglob("*")]
    assert [stat.S_IMODE(path.stat().st_mode) for path in made] == [0o700] * 4


def test_a_folder_whose_mode_cannot_be_set_is_taken_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def missing(*_: object, **__: object) -> None:
        raise NotImplementedError

    monkeypatch.setattr(os, "chmod", missing)
    before = os.umask(0o777)
    try:
        with pytest.raises(OSError, match="no chmod"):
            made_folder(tmp_path / "one")
    finally:
        os.umask(before)
    assert list(tmp_path.iterdir()) == []


def test_what_is_done_in_a_folder_that_is_not_current_is_not_confirmed(tmp_path: Path) -> None:
    current = True
    with Folder(os.open(tmp_path, os.O_RDONLY), lambda: current) as top:
        with top.made("one") as one, one.made("two") as two:
            two.sync()
            current = False
            for folder in (two, one, top):
                with pytest.raises(OSError, match="no longer the folder"):
                    folder.sync()
            with pytest.raises(OSError, match="no longer the folder"):
                two.made("three")
        assert list((tmp_path / "one" / "two").iterdir()) == []


def test_a_made_folder_is_synced_into_its_parent(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    synced: list[int] = []
    monkeypatch.setattr(os, "fsync", lambda fd: synced.append(os.fstat(fd).st_ino))
    with made_folder(tmp_path / "one" / "two"):
        pass
    assert synced == [tmp_path.stat().st_ino, (tmp_path / "one").stat().st_ino]


def test_a_folder_whose_name_may_be_lost_is_taken_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(_descriptor: int) -> None:
        raise OSError(errno.EIO, "disk")

    monkeypatch.setattr(os, "fsync", refuse)
    with pytest.raises(OSError, match="disk"):
        made_folder(tmp_path / "one")
    assert list(tmp_path.iterdir()) == []


def test_folders_are_made_below_a_linked_ancestor_but_not_through_a_dangling_one(
    tmp_path: Path,
) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "link").symlink_to("real")
    (tmp_path / "dangling").symlink_to("nowhere")
    with made_folder(tmp_path / "link" / "memory"):
        pass
    assert (tmp_path / "real" / "memory").is_dir()
    with pytest.raises(OSError):  # noqa: PT011
        made_folder(tmp_path / "dangling" / "memory")
    assert not (tmp_path / "nowhere").exists()


def test_entries_come_in_code_point_order(tmp_path: Path) -> None:
    for name in ("b", "B", "a", "é", "_", "10", "9"):
        (tmp_path / name).touch()
    with Folder.at(tmp_path) as folder:
        assert [entry.name for entry in folder.entries()] == ["10", "9", "B", "_", "a", "b", "é"]
        assert len(folder.entries()) == 7
