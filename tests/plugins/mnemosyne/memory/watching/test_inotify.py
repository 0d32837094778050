import errno
import fcntl
import gc
import os
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from mymcp.plugins.mnemosyne.memory.watching import inotify
from mymcp.plugins.mnemosyne.memory.watching.inotify import Event, Inotify


@pytest.fixture
def queue() -> Iterator[Inotify]:
    opened = Inotify()
    yield opened
    opened.close()


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[int]:
    descriptor = os.open(tmp_path, os.O_RDONLY)
    yield descriptor
    os.close(descriptor)


def test_an_event_is_there_as_soon_as_the_call_that_caused_it_returns(
    tmp_path: Path, queue: Inotify, folder: int
) -> None:
    number = queue.add(folder)
    assert list(queue.events()) == []
    (tmp_path / "a").mkdir()
    assert list(queue.events()) == [Event(number, inotify.CREATE | inotify.ISDIR, "a")]
    (tmp_path / "a").rmdir()
    assert list(queue.events()) == [Event(number, inotify.DELETE | inotify.ISDIR, "a")]
    assert list(queue.events()) == []


def test_names_of_every_length_and_those_that_are_no_text_arrive_whole(
    tmp_path: Path, queue: Inotify, folder: int
) -> None:
    names = ["x" * length for length in (1, 15, 16, 17, 255)] + [os.fsdecode(b"\xff"), "é"]
    queue.add(folder)
    for name in names:
        (tmp_path / name).mkdir()
    assert [event.name for event in queue.events()] == names


def test_more_events_than_one_read_takes_arrive_all(
    tmp_path: Path, queue: Inotify, folder: int
) -> None:
    queue.add(folder)
    for number in range(3_000):
        (tmp_path / f"{number:04}").mkdir()
    assert [event.name for event in queue.events()] == [f"{number:04}" for number in range(3_000)]


def test_it_is_the_open_folder_that_is_watched_whatever_its_path_leads_to(
    tmp_path: Path, queue: Inotify
) -> None:
    (tmp_path / "one").mkdir()
    descriptor = os.open(tmp_path / "one", os.O_RDONLY)
    (tmp_path / "one").rename(tmp_path / "moved")
    (tmp_path / "one").mkdir()
    queue.add(descriptor)
    os.close(descriptor)
    (tmp_path / "one/wrong").touch()
    assert list(queue.events()) == []
    (tmp_path / "moved/right").mkdir()
    assert [event.name for event in queue.events()] == ["right"]


def test_a_folder_keeps_its_number(queue: Inotify, folder: int) -> None:
    assert queue.add(folder) == queue.add(folder)


def test_reading_a_folder_is_no_event(tmp_path: Path, queue: Inotify, folder: int) -> None:
    (tmp_path / "a").write_bytes(b"a")
    queue.add(folder)
    (tmp_path / "a").read_bytes()
    assert [path.name for path in tmp_path.iterdir()] == ["a"]
    assert list(queue.events()) == []


def test_what_is_no_folder_cannot_be_watched(tmp_path: Path, queue: Inotify) -> None:
    (tmp_path / "a").touch()
    descriptor = os.open(tmp_path / "a", os.O_RDONLY)
    with pytest.raises(OSError, match="Not a directory") as caught:
        queue.add(descriptor)
    assert caught.value.errno == errno.ENOTDIR
    os.close(descriptor)


def test_its_descriptor_is_not_inherited_and_goes_with_it() -> None:
    opened = Inotify()
    descriptor = opened._descriptor
    assert fcntl.fcntl(descriptor, fcntl.F_GETFD) & fcntl.FD_CLOEXEC
    assert not os.get_inheritable(descriptor)
    del opened
    gc.collect()
    with pytest.raises(OSError, match="Bad file"):
        os.fstat(descriptor)


def test_closing_twice_closes_once() -> None:
    opened = Inotify()
    opened.close()
    other = os.open("/", os.O_RDONLY)  # most likely has the same number now
    opened.close()
    os.fstat(other)
    os.close(other)


def test_a_python_without_ctypes_has_no_queue(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ctypes", None)
    inotify._calls.cache_clear()
    with pytest.raises(OSError, match="no inotify"):
        inotify.Inotify()
