"""Which watch is relied on, and when none is."""

import errno
import logging
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from mymcp.plugins.mnemosyne.memory.watching import filesystem
from mymcp.plugins.mnemosyne.memory.watching import lookout as looking
from mymcp.plugins.mnemosyne.memory.watching.lookout import RETRY_SECONDS, Lookout
from mymcp.plugins.mnemosyne.memory.watching.mounts import MountTable
from mymcp.plugins.mnemosyne.memory.watching.watch import Watch

CHECKOUT = Path(__file__).parents[5]


class Clock:
    """A clock that stands still until it is set."""

    def __init__(self) -> None:
        self.seconds = 1_000.0

    def __call__(self) -> float:
        return self.seconds


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def lookout(clock: Clock, monkeypatch: pytest.MonkeyPatch) -> Iterator[Lookout]:
    monkeypatch.setattr(looking, "reports_changes", lambda _: True)
    made = Lookout(clock)
    yield made
    made.close()


@pytest.fixture
def root(tmp_path: Path) -> Iterator[int]:
    descriptor = os.open(tmp_path, os.O_RDONLY)
    yield descriptor
    os.close(descriptor)


def refuse(_identity: tuple[int, int]) -> Watch:
    raise OSError(errno.EMFILE, "no more instances")


def test_one_watch_serves_as_long_as_nothing_puts_it_in_doubt(lookout: Lookout, root: int) -> None:
    first = lookout.watch(root)
    assert first is not None
    assert lookout.watch(root) is first
    first.close()
    second = lookout.watch(root)
    assert second is not None
    assert second is not first


def test_another_root_has_another_watch(lookout: Lookout, root: int, tmp_path: Path) -> None:
    first = lookout.watch(root)
    (tmp_path / "other").mkdir()
    other = os.open(tmp_path / "other", os.O_RDONLY)
    assert lookout.watch(other) is not first
    os.close(other)


def test_a_changed_table_of_mounts_ends_a_watch(
    lookout: Lookout, root: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = lookout.watch(root)
    monkeypatch.setattr(MountTable, "has_changed", lambda _: True)
    assert lookout.watch(root) is not first


def test_a_file_system_that_does_not_report_is_asked_once_until_mounts_change(
    lookout: Lookout, root: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[int] = []
    monkeypatch.setattr(looking, "reports_changes", asked.append)
    for _ in range(3):
        assert lookout.watch(root) is None
    assert len(asked) == 1
    monkeypatch.setattr(MountTable, "has_changed", lambda _: True)
    assert lookout.watch(root) is None
    assert len(asked) == 2


def test_without_a_table_of_mounts_there_is_no_watch(
    lookout: Lookout, root: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(MountTable, "opened", lambda: None)
    assert lookout.watch(root) is None


@pytest.mark.parametrize("by", ["no instance", "no watch", "no descriptor"])
def test_it_is_told_once_that_watching_fails_and_tried_again_after_a_while(
    lookout: Lookout,
    root: int,
    clock: Clock,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    by: str,
) -> None:
    for _ in range(2):
        with monkeypatch.context() as patched:
            if by == "no instance":
                lookout.close()
                patched.setattr(looking, "Watch", refuse)
            elif by == "no watch":
                watch = lookout.watch(root)
                assert watch is not None
                lookout.give_up(watch)
            else:
                lookout.close()
                patched.setattr(looking, "reports_changes", filesystem.reports_changes)
                patched.setattr(filesystem, "mount_type", lambda _: None)
            for _ in range(2):
                assert lookout.watch(root) is None
        clock.seconds += RETRY_SECONDS - 1
        assert lookout.watch(root) is None
        clock.seconds += 1
        assert lookout.watch(root) is not None
    assert [(record.name, record.levelno) for record in caplog.records] == [
        ("mymcp.memory.store", logging.WARNING)
    ]
    assert "/" not in caplog.messages[0]


def test_giving_up_a_watch_that_was_replaced_changes_nothing(lookout: Lookout, root: int) -> None:
    first = lookout.watch(root)
    assert first is not None
    first.close()
    second = lookout.watch(root)
    lookout.give_up(first)
    assert lookout.watch(root) is second


def test_nothing_stays_open_when_it_is_closed(lookout: Lookout, root: int) -> None:
    def links() -> list[str]:
        found = []
        for path in Path("/proc/self/fd").iterdir():
            with suppress(FileNotFoundError):  # the one that this is read through
                found.append(str(path.readlink()))
        return [link for link in found if "inotify" in link or "mountinfo" in link]

    before = links()
    assert lookout.watch(root) is not None
    assert len(links()) == len(before) + 2
    lookout.close()
    assert links() == before
    assert lookout.watch(root) is not None


def test_nothing_is_loaded_for_watching_before_something_is_watched() -> None:
    program = (
        "import sys; import mymcp.plugins.mnemosyne.memory.files;sys.exit('ctypes' in sys.modules)"
    )
    subprocess.run([sys.executable, "-c", program], cwd=CHECKOUT, check=True)
