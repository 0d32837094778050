import errno
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from mymcp.plugins.mnemosyne.memory import renaming
from mymcp.plugins.mnemosyne.memory.folder import Folder
from mymcp.plugins.mnemosyne.memory.renaming import rename_unless_taken

Way = Callable[[pytest.MonkeyPatch], None]


def by_system(_monkeypatch: pytest.MonkeyPatch) -> None:
    """Linux has the system call; elsewhere this is the same as `by_looking`."""


def by_looking(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(renaming, "_renameat2", lambda: None)


def failing(number: int) -> Way:
    """Return a system whose call ends with this error."""

    def prepare(monkeypatch: pytest.MonkeyPatch) -> None:
        call = (lambda *_: -1, lambda: number)
        monkeypatch.setattr(renaming, "_renameat2", lambda: call)

    return prepare


WAYS = [by_system, by_looking, failing(errno.EINVAL), failing(errno.ENOSYS), failing(errno.EPERM)]


@pytest.mark.parametrize("way", WAYS)
def test_a_file_gets_its_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, way: Way) -> None:
    way(monkeypatch)
    (tmp_path / "a").write_bytes(b"1")
    with Folder.at(tmp_path) as folder:
        rename_unless_taken(folder, "a", "b")
    assert [(path.name, path.read_bytes()) for path in tmp_path.iterdir()] == [("b", b"1")]


@pytest.mark.parametrize("way", [*WAYS, failing(errno.EEXIST)])
@pytest.mark.parametrize("kind", ["file", "folder", "symlink"])
def test_a_taken_name_is_left_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, way: Way, kind: str
) -> None:
    way(monkeypatch)
    (tmp_path / "a").write_bytes(b"1")
    taken = tmp_path / "b"
    {"file": taken.touch, "folder": taken.mkdir, "symlink": lambda: taken.symlink_to("c")}[kind]()
    before = taken.lstat()
    with Folder.at(tmp_path) as folder, pytest.raises(FileExistsError):
        rename_unless_taken(folder, "a", "b")
    assert taken.lstat() == before
    assert (tmp_path / "a").read_bytes() == b"1"


@pytest.mark.parametrize("way", WAYS)
def test_a_missing_file_is_an_error_of_the_system(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, way: Way
) -> None:
    way(monkeypatch)
    with Folder.at(tmp_path) as folder, pytest.raises(FileNotFoundError):
        rename_unless_taken(folder, "a", "b")


def test_another_failure_is_not_worked_around(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    failing(errno.EIO)(monkeypatch)
    (tmp_path / "a").touch()
    with Folder.at(tmp_path) as folder, pytest.raises(OSError, match=os.strerror(errno.EIO)):
        rename_unless_taken(folder, "a", "b")
    assert [path.name for path in tmp_path.iterdir()] == ["a"]


def test_the_system_call_is_found_on_linux_only_if_it_is_there() -> None:
    found = renaming._renameat2()
    assert (found is not None) == hasattr(__import__("ctypes").CDLL(None), "renameat2")
