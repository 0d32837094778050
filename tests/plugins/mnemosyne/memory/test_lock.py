import fcntl
import os
import subprocess
import sys
from pathlib import Path
from threading import Barrier, Event, Thread, active_count

import pytest

from mymcp.plugins.mnemosyne.memory.faults import SourceUnavailable
from mymcp.plugins.mnemosyne.memory.lock import RootLock

HOLDER = """
import fcntl, os, sys
descriptor = os.open(sys.argv[1], os.O_RDONLY)
fcntl.flock(descriptor, fcntl.LOCK_EX)
print("held", flush=True)
sys.stdin.read()
"""


def open_files() -> int:
    return len(list(Path("/proc/self/fd").iterdir()))


def test_holding_makes_the_root_and_leaves_no_lock_file(root: Path) -> None:
    with RootLock(root).held() as folder:
        assert os.fstat(folder.descriptor).st_ino == root.stat().st_ino
    assert list(root.iterdir()) == []


def test_one_thread_at_a_time_is_inside(root: Path) -> None:
    lock, inside, seen, start = RootLock(root), [0], [], Barrier(8)

    def work() -> None:
        start.wait()
        for _ in range(20):
            with lock.held():
                inside[0] += 1
                seen.append(inside[0])
                inside[0] -= 1

    threads = [Thread(target=work) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert seen == [1] * 160


def test_two_locks_of_one_root_exclude_each_other(root: Path) -> None:
    one, other = RootLock(root), RootLock(root, wait_seconds=0.05)
    with one.held(), pytest.raises(SourceUnavailable), other.held():
        pass


def test_a_lock_that_comes_later_is_waited_for(root: Path) -> None:
    entered = Event()

    def wait_for_it() -> None:
        with RootLock(root).held():
            entered.set()

    waiting = Thread(target=wait_for_it)
    with RootLock(root).held():
        waiting.start()
        assert not entered.wait(0.05)
    waiting.join()
    assert entered.is_set()


def test_a_busy_root_is_given_up_after_the_wait_and_free_afterwards(root: Path) -> None:
    root.mkdir()
    with subprocess.Popen(
        [sys.executable, "-c", HOLDER, str(root)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    ) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == b"held\n"
        lock = RootLock(root, wait_seconds=0.05)
        for _ in range(3):
            with pytest.raises(SourceUnavailable), lock.held():
                pass
        holder.kill()
    with RootLock(root).held():
        pass


def test_a_lock_that_never_comes_costs_one_thread_and_later_callers_little(root: Path) -> None:
    root.mkdir()
    descriptor = os.open(root, os.O_RDONLY)
    fcntl.flock(descriptor, fcntl.LOCK_EX)
    lock = RootLock(root, wait_seconds=0.3)
    threads, opened = active_count(), open_files()
    for _ in range(6):
        with pytest.raises(SourceUnavailable), lock.held():
            pass
    assert active_count() <= threads + 1
    assert open_files() <= opened + 1
    os.close(descriptor)
    for _ in range(2):
        with lock.held() as folder:
            assert os.fstat(folder.descriptor).st_ino == root.stat().st_ino


def test_threads_of_one_lock_share_its_wait(root: Path) -> None:
    lock = RootLock(root, wait_seconds=0.05)
    refused: list[bool] = []

    def try_it() -> None:
        try:
            with lock.held():
                refused.append(False)
        except SourceUnavailable:
            refused.append(True)

    with lock.held():
        thread = Thread(target=try_it)
        thread.start()
        thread.join()
    assert refused == [True]


def test_a_root_that_was_replaced_meanwhile_is_not_written(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    really = fcntl.flock

    def replace_first(descriptor: int, how: int) -> None:
        really(descriptor, how)
        if root.exists():
            root.rename(root.with_name("old"))

    monkeypatch.setattr(fcntl, "flock", replace_first)
    with pytest.raises(SourceUnavailable), RootLock(root).held():
        pass


@pytest.mark.parametrize("at_once", [True, False])
def test_a_file_system_without_locks_is_unavailable(
    root: Path, monkeypatch: pytest.MonkeyPatch, *, at_once: bool
) -> None:
    def refuse(_descriptor: int, how: int) -> None:
        if how & fcntl.LOCK_NB and not at_once:
            raise BlockingIOError
        raise OSError(37, "no locks here")

    monkeypatch.setattr(fcntl, "flock", refuse)
    with pytest.raises(SourceUnavailable), RootLock(root).held():
        pass


@pytest.mark.parametrize("kind", ["symlink", "dangling", "file"])
def test_an_unsafe_root_is_unavailable(root: Path, kind: str) -> None:
    (root.parent / "real").mkdir()
    {
        "symlink": lambda: root.symlink_to("real"),
        "dangling": lambda: root.symlink_to("nowhere"),
        "file": root.touch,
    }[kind]()
    with pytest.raises(SourceUnavailable), RootLock(root).held():
        pass
    assert not (root.parent / "nowhere").exists()
