"""When a watch stays reliable, what it tells then, and when it is given up."""

import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from mymcp.plugins.mnemosyne.memory.watching import watch as watching
from mymcp.plugins.mnemosyne.memory.watching.inotify import Inotify
from mymcp.plugins.mnemosyne.memory.watching.watch import Unwatchable, Watch


@pytest.fixture
def root(tmp_path: Path) -> Path:
    (tmp_path / "root/project/a").mkdir(parents=True)
    (tmp_path / "root/project/a/one.json").touch()
    (tmp_path / "root/other").mkdir()
    return tmp_path / "root"


@pytest.fixture
def watch(root: Path) -> Iterator[Watch]:
    state = root.stat()
    made = Watch((state.st_dev, state.st_ino))
    made.follow("project")
    for path in ((), ("project",), ("project", "a")):
        attend(made, root, path)
    yield made
    made.close()


def attend(watch: Watch, root: Path, path: tuple[str, ...]) -> None:
    descriptor = os.open(root.joinpath(*path), os.O_RDONLY)
    try:
        watch.attend(descriptor, path)
    finally:
        os.close(descriptor)


def test_names_are_told_once(root: Path, watch: Watch) -> None:
    (root / "project/a/one.json").write_bytes(b"1")
    (root / "project/a/two").touch()
    (root / "project/new").mkdir()
    assert watch.is_reliable()
    a = ("project", "a")
    assert watch.hints("project") == {(a, "one.json"), (a, "two"), (("project",), "new")}
    assert watch.hints("project") == set()


def test_a_scope_that_comes_is_told_of_to_whoever_follows_it(root: Path, watch: Watch) -> None:
    watch.follow("knowledge")
    (root / "knowledge").mkdir()
    (root / "nobody").mkdir()
    (root / "nobody").rmdir()
    assert watch.is_reliable()
    assert watch.hints("knowledge") == {((), "knowledge")}
    assert watch.hints("nobody") is None


Change = Callable[[Path], object]
DOUBTS: list[Change] = [
    lambda root: (root / "project/a").rename(root / "project/b"),
    lambda root: (root / "project/a").rename(root.parent / "out"),
    lambda root: (root / "other").rename(root / "project/in"),
    lambda root: (root / "project").rename(root / "moved"),
    lambda root: [(root / "project/c").mkdir(), (root / "project/c").rmdir()],
    lambda root: [(root / "project/a/one.json").unlink(), (root / "project/a").rmdir()],
    lambda root: (root / "project/a").chmod(0o500),
    lambda root: root.chmod(0o500),
    lambda root: root.rename(root.parent / "elsewhere"),
]


@pytest.mark.parametrize("change", DOUBTS)
def test_what_puts_paths_in_doubt_ends_it(root: Path, watch: Watch, change: Change) -> None:
    change(root)
    assert not watch.is_reliable()
    assert not watch.is_reliable()


def test_a_queue_that_ran_over_ends_it(root: Path, watch: Watch) -> None:
    path = root / "project/a/short"
    for _ in range(9_000):
        path.touch()
        path.unlink()
    assert not watch.is_reliable()


def test_a_flood_that_does_not_end_is_not_waited_for(
    root: Path, watch: Watch, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(watching, "EVENTS_MAX", 20)
    for number in range(15):
        (root / f"project/a/{number}").mkdir()
    assert watch.is_reliable()
    for number in range(15, 36):
        (root / f"project/a/{number}").mkdir()
    assert not watch.is_reliable()


def test_more_names_than_are_kept_are_forgotten_and_that_is_told(
    root: Path, watch: Watch, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(watching, "HINTS_MAX", 5)
    for number in range(7):
        (root / f"project/a/{number}").mkdir()
    assert watch.is_reliable()
    assert watch.hints("project") is None
    watch.follow("project")
    assert watch.hints("project") == set()


def test_one_folder_in_two_places_cannot_be_watched(root: Path, watch: Watch) -> None:
    descriptor = os.open(root / "project/a", os.O_RDONLY)
    with pytest.raises(Unwatchable):
        watch.attend(descriptor, ("project", "b"))
    os.close(descriptor)


def test_a_folder_that_was_moved_while_it_was_walked_only_puts_it_in_doubt(
    root: Path, watch: Watch
) -> None:
    (root / "project/a").rename(root / "project/b")
    attend(watch, root, ("project", "b"))
    assert not watch.is_reliable()


def test_a_folder_of_another_file_system_has_to_report_too(
    root: Path, watch: Watch, monkeypatch: pytest.MonkeyPatch
) -> None:
    watch.identity = (watch.identity[0] + 1, 0)
    monkeypatch.setattr(watching, "reports_changes", lambda _: True)
    attend(watch, root, ("project", "a"))
    monkeypatch.setattr(watching, "reports_changes", lambda _: False)
    with pytest.raises(Unwatchable):
        attend(watch, root, ("project", "a"))


def test_a_folder_that_the_kernel_does_not_watch_is_unwatchable(
    root: Path, watch: Watch, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(_queue: Inotify, _folder: int) -> int:
        raise OSError(28, "no more watches")

    monkeypatch.setattr(Inotify, "add", refuse)
    with pytest.raises(Unwatchable):
        attend(watch, root, ("project", "a"))


def test_a_closed_watch_attends_nothing_and_is_not_reliable(root: Path, watch: Watch) -> None:
    watch.close()
    watch.close()
    attend(watch, root, ("project", "a"))
    assert not watch.is_reliable()


def test_a_forked_process_takes_no_events_from_its_parent(root: Path, watch: Watch) -> None:
    reading, writing = os.pipe()
    (root / "project/a/two").touch()
    child = os.fork()
    if child == 0:
        os.write(writing, b"1" if watch.is_reliable() else b"0")
        os._exit(0)
    os.waitpid(child, 0)
    assert os.read(reading, 1) == b"0"
    os.close(reading)
    os.close(writing)
    assert watch.is_reliable()
    assert watch.hints("project") == {(("project", "a"), "two")}
