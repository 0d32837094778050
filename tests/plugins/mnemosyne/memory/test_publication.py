import errno
import os
import stat
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from mymcp.plugins.mnemosyne.memory import publication, renaming
from mymcp.plugins.mnemosyne.memory.folder import Folder
from mymcp.plugins.mnemosyne.memory.publication import (
    FileChanged,
    PublicationUncertain,
    publish,
    republish,
    withdraw,
)
from tests.plugins.mnemosyne import trouble
from tests.plugins.mnemosyne.tree import memory_id

Way = Callable[[pytest.MonkeyPatch], None]


def unnamed(_monkeypatch: pytest.MonkeyPatch) -> None:
    """Linux with O_TMPFILE and /proc; elsewhere the same as `linked`."""


def linked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(publication, "_UNNAMED", 0)


def without_unnamed_files(monkeypatch: pytest.MonkeyPatch) -> None:
    really = os.open

    def refuse(path: Any, flags: int, *rest: Any, **more: Any) -> int:
        if path == ".":
            raise OSError(errno.EOPNOTSUPP, "no unnamed files here")
        return really(path, flags, *rest, **more)

    monkeypatch.setattr(os, "open", refuse)


def without_hard_links(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: Any, **__: Any) -> None:
        raise PermissionError(errno.EPERM, "no hard links here")

    monkeypatch.setattr(os, "link", refuse)


def without_exclusive_rename(monkeypatch: pytest.MonkeyPatch) -> None:
    without_hard_links(monkeypatch)
    monkeypatch.setattr(renaming, "_renameat2", lambda: None)


WAYS = [
    unnamed,
    linked,
    without_unnamed_files,
    without_hard_links,
    without_exclusive_rename,
]


@pytest.mark.parametrize("way", WAYS)
def test_a_published_file_is_whole_private_and_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, way: Way
) -> None:
    way(monkeypatch)
    data = os.urandom(70_000)
    mask = os.umask(0o277)
    try:
        with Folder.at(tmp_path) as folder:
            publish(folder, "mem_1.json", data, token="aa")
    finally:
        os.umask(mask)
    assert [path.name for path in tmp_path.iterdir()] == ["mem_1.json"]
    state = (tmp_path / "mem_1.json").stat()
    assert (stat.S_IMODE(state.st_mode), state.st_nlink) == (0o600, 1)
    assert (tmp_path / "mem_1.json").read_bytes() == data


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("kind", ["file", "folder", "symlink"])
def test_a_taken_name_is_left_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, way: Way, kind: str
) -> None:
    way(monkeypatch)
    taken = tmp_path / "mem_1.json"
    {
        "file": lambda: taken.write_bytes(b"mine"),
        "folder": taken.mkdir,
        "symlink": lambda: taken.symlink_to("nowhere"),
    }[kind]()
    before = taken.lstat()
    with Folder.at(tmp_path) as folder, pytest.raises(FileExistsError):
        publish(folder, "mem_1.json", b"new", token="aa")
    assert [path.name for path in tmp_path.iterdir()] == ["mem_1.json"]
    assert (taken.lstat().st_ino, taken.lstat().st_size) == (before.st_ino, before.st_size)


@pytest.mark.parametrize("way", WAYS)
def test_nothing_is_left_when_the_disk_is_full(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, way: Way
) -> None:
    way(monkeypatch)

    def full(_descriptor: int, _data: object) -> int:
        raise OSError(errno.ENOSPC, "full")

    monkeypatch.setattr(os, "write", full)
    with Folder.at(tmp_path) as folder, pytest.raises(OSError, match="full"):
        publish(folder, "mem_1.json", b"new", token="aa")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("way", WAYS)
def test_a_file_is_synced_before_it_has_its_name_and_the_folder_after(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, way: Way
) -> None:
    way(monkeypatch)
    synced: list[tuple[bool, bool]] = []

    def note(descriptor: int) -> None:
        is_folder = stat.S_ISDIR(os.fstat(descriptor).st_mode)
        synced.append((is_folder, (tmp_path / "mem_1.json").exists()))

    monkeypatch.setattr(os, "fsync", note)
    with Folder.at(tmp_path) as folder:
        publish(folder, "mem_1.json", b"new", token="aa")
    assert synced[-1] == (True, True)
    assert set(synced[:-1]) == {(False, False)}


@pytest.mark.parametrize("way", WAYS)
def test_a_failed_sync_of_the_folder_is_uncertain_and_the_file_is_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, way: Way
) -> None:
    way(monkeypatch)

    def fail_for_folders(descriptor: int) -> None:
        if stat.S_ISDIR(os.fstat(descriptor).st_mode):
            raise OSError(errno.EIO, "not synced")

    monkeypatch.setattr(os, "fsync", fail_for_folders)
    with Folder.at(tmp_path) as folder, pytest.raises(PublicationUncertain):
        publish(folder, "mem_1.json", b"new", token="aa")
    assert (tmp_path / "mem_1.json").read_bytes() == b"new"


def test_a_temporary_name_that_cannot_be_removed_is_uncertain(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    linked(monkeypatch)

    def keep(*_: Any, **__: Any) -> None:
        raise OSError(errno.EIO, "not removed")

    monkeypatch.setattr(os, "unlink", keep)
    with Folder.at(tmp_path) as folder, pytest.raises(PublicationUncertain):
        publish(folder, "mem_1.json", b"new", token="aa")
    names = sorted(path.name for path in tmp_path.iterdir())
    assert names == [".mem_1.aa.tmp", "mem_1.json"]


def test_a_name_that_cannot_be_given_leaves_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    without_exclusive_rename(monkeypatch)
    trouble.refused("rename")(monkeypatch, tmp_path)
    with Folder.at(tmp_path) as folder, pytest.raises(OSError, match="broken disk"):
        publish(folder, "mem_1.json", b"new", token="aa")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("way", [unnamed, linked])
def test_another_failure_of_the_link_is_not_worked_around(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, way: Way
) -> None:
    way(monkeypatch)

    def refuse(*_: Any, **__: Any) -> None:
        raise OSError(errno.EIO, "broken disk")

    monkeypatch.setattr(os, "link", refuse)
    with Folder.at(tmp_path) as folder, pytest.raises(OSError, match="broken disk"):
        publish(folder, "mem_1.json", b"new", token="aa")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("way", [unnamed, linked])
def test_a_folder_that_may_not_be_written_stays_as_it_is(
    unprivileged_root: Path, monkeypatch: pytest.MonkeyPatch, way: Way
) -> None:
    way(monkeypatch)
    unprivileged_root.mkdir()
    unprivileged_root.chmod(0o500)
    with Folder.at(unprivileged_root) as folder, pytest.raises(PermissionError):
        publish(folder, "mem_1.json", b"new", token="aa")
    assert list(unprivileged_root.iterdir()) == []


def test_a_republished_file_is_new_whole_and_private_and_readers_keep_the_old(
    tmp_path: Path,
) -> None:
    path = tmp_path / "mem_1.json"
    path.write_bytes(b"old")
    path.chmod(0o666)
    with path.open("rb") as reader, Folder.at(tmp_path) as folder:
        republish(folder, path.name, os.urandom(70_000), over=b"old", token="aa")
        assert reader.read() == b"old"
    assert list(tmp_path.iterdir()) == [path]
    assert (stat.S_IMODE(path.stat().st_mode), path.stat().st_size) == (0o600, 70_000)


@pytest.mark.parametrize("found", [b"ol", b"older", b"new", b"", None])
def test_what_is_no_longer_what_was_read_is_neither_replaced_nor_deleted(
    tmp_path: Path, found: bytes | None
) -> None:
    path = tmp_path / "mem_1.json"
    if found is not None:
        path.write_bytes(found)
    with Folder.at(tmp_path) as folder:
        with pytest.raises(FileChanged):
            republish(folder, path.name, b"next", over=b"old", token="aa")
        with pytest.raises(FileChanged):
            withdraw(folder, path.name, holding=b"old")
    assert [one.read_bytes() for one in tmp_path.iterdir()] == ([] if found is None else [found])


def test_a_symlink_to_the_same_bytes_is_not_the_file_that_was_read(tmp_path: Path) -> None:
    (tmp_path / "real").write_bytes(b"old")
    (tmp_path / "mem_1.json").symlink_to("real")
    with Folder.at(tmp_path) as folder:
        with pytest.raises(OSError, match=r"Too many levels|symbolic"):
            republish(folder, "mem_1.json", b"next", over=b"old", token="aa")
        with pytest.raises(OSError, match=r"Too many levels|symbolic"):
            withdraw(folder, "mem_1.json", holding=b"old")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["mem_1.json", "real"]


def test_a_file_that_takes_anothers_place_is_synced_before_and_the_folder_after(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "mem_1.json"
    path.write_bytes(b"old")
    synced: list[tuple[bool, bytes]] = []

    def note(descriptor: int) -> None:
        synced.append((stat.S_ISDIR(os.fstat(descriptor).st_mode), path.read_bytes()))

    monkeypatch.setattr(os, "fsync", note)
    with Folder.at(tmp_path) as folder:
        republish(folder, path.name, b"new", over=b"old", token="aa")
    assert synced == [(False, b"old"), (True, b"new")]


def test_a_failed_sync_after_a_replacement_or_a_deletion_is_uncertain(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "mem_1.json"
    path.write_bytes(b"old")
    trouble.unconfirmed_folders(monkeypatch, path)
    with Folder.at(tmp_path) as folder:
        with pytest.raises(PublicationUncertain):
            republish(folder, path.name, b"new", over=b"old", token="aa")
        assert path.read_bytes() == b"new"
        with pytest.raises(PublicationUncertain):
            withdraw(folder, path.name, holding=b"new")
    assert list(tmp_path.iterdir()) == []


def test_a_temporary_of_somebody_else_is_not_taken_for_ours(tmp_path: Path) -> None:
    path, taken = tmp_path / "mem_1.json", tmp_path / ".mem_1.aa.tmp"
    path.write_bytes(b"old")
    taken.write_bytes(b"not ours")
    with Folder.at(tmp_path) as folder, pytest.raises(FileExistsError):
        republish(folder, path.name, b"new", over=b"old", token="aa")
    assert (path.read_bytes(), taken.read_bytes()) == (b"old", b"not ours")


def test_a_deletion_takes_the_temporaries_of_its_file_first(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / f"{memory_id(1)}.json"
    path.write_bytes(b"old")
    (tmp_path / f".{memory_id(1)}.aa.tmp").hardlink_to(path)
    deleted: list[str] = []
    really = os.unlink

    def note(name: str, *, dir_fd: int) -> None:
        deleted.append(name)
        really(name, dir_fd=dir_fd)

    monkeypatch.setattr(os, "unlink", note)
    with Folder.at(tmp_path) as folder:
        withdraw(folder, path.name, holding=b"old")
    assert deleted == [f".{memory_id(1)}.aa.tmp", path.name]


def renamed_without_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    without_hard_links(monkeypatch)
    really = renaming._rename_exclusively

    def done(descriptor: int, source: str, target: str) -> int:
        return really(descriptor, source, target) or errno.EIO

    monkeypatch.setattr(renaming, "_rename_exclusively", done)


def moved_without_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    without_exclusive_rename(monkeypatch)
    trouble.unanswered("rename")(monkeypatch, Path())


def named_without_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    linked(monkeypatch)
    trouble.unanswered("link")(monkeypatch, Path())


def linked_twice(monkeypatch: pytest.MonkeyPatch) -> None:
    """A client that had no answer asks again, and hears that the name is taken: by itself."""
    linked(monkeypatch)
    really = os.link

    def again(*arguments: Any, **more: Any) -> None:
        really(*arguments, **more)
        really(*arguments, **more)

    monkeypatch.setattr(os, "link", again)


@pytest.mark.parametrize(
    "way", [named_without_answer, linked_twice, renamed_without_answer, moved_without_answer]
)
def test_a_name_that_was_given_without_an_answer_is_uncertain(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, way: Way
) -> None:
    way(monkeypatch)
    with Folder.at(tmp_path) as folder, pytest.raises(PublicationUncertain):
        publish(folder, "mem_1.json", b"new", token="aa")
    assert [(path.name, path.read_bytes()) for path in tmp_path.iterdir()] == [
        ("mem_1.json", b"new")
    ]


def test_an_unnamed_file_that_was_named_without_an_answer_is_uncertain(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    trouble.unanswered("link")(monkeypatch, tmp_path)
    with Folder.at(tmp_path) as folder, pytest.raises(PublicationUncertain):
        publish(folder, "mem_1.json", b"new", token="aa")
    assert (tmp_path / "mem_1.json").read_bytes() == b"new"


def test_a_replacement_or_deletion_without_an_answer_is_uncertain(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "mem_1.json"
    path.write_bytes(b"old")
    trouble.unanswered("rename")(monkeypatch, path)
    with Folder.at(tmp_path) as folder:
        with pytest.raises(PublicationUncertain):
            republish(folder, path.name, b"new", over=b"old", token="aa")
        assert [one.read_bytes() for one in tmp_path.iterdir()] == [b"new"]
        trouble.unanswered("unlink")(monkeypatch, path)
        with pytest.raises(PublicationUncertain):
            withdraw(folder, path.name, holding=b"new")
    assert list(tmp_path.iterdir()) == []


def test_what_cannot_be_looked_at_after_a_failure_is_uncertain(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "mem_1.json"
    path.write_bytes(b"old")

    def blind(*_: Any, **__: Any) -> None:
        monkeypatch.setattr(os, "stat", broken)
        raise OSError(errno.EIO, "broken disk")

    def broken(*_: Any, **__: Any) -> None:
        raise OSError(errno.EIO, "broken disk")

    with Folder.at(tmp_path) as folder, monkeypatch.context() as patch:
        patch.setattr(os, "rename", blind)
        with pytest.raises(PublicationUncertain):
            republish(folder, path.name, b"new", over=b"old", token="aa")
        patch.setattr(os, "unlink", blind)
        with pytest.raises(PublicationUncertain):
            withdraw(folder, path.name, holding=b"old")
    monkeypatch.undo()
    assert path.read_bytes() == b"old"


def test_what_failed_and_shows_no_effect_is_a_plain_failure(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "mem_1.json"
    path.write_bytes(b"old")
    trouble.refused("rename")(monkeypatch, path)
    with Folder.at(tmp_path) as folder:
        with pytest.raises(OSError, match="broken disk"):
            republish(folder, path.name, b"new", over=b"old", token="aa")
        trouble.refused("unlink")(monkeypatch, path)
        with pytest.raises(OSError, match="broken disk"):
            withdraw(folder, path.name, holding=b"old")
    assert path.read_bytes() == b"old"
