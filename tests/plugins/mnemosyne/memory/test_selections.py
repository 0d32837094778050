"""What each selection sees of its scope and what fails it, by both ways of knowing."""

import errno
import logging
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from mymcp.plugins.mnemosyne.memory import notices
from mymcp.plugins.mnemosyne.memory.faults import CandidateLimitExceeded, SourceUnavailable
from mymcp.plugins.mnemosyne.memory.folder import Folder
from mymcp.plugins.mnemosyne.memory.places import (
    Container,
    collection,
    collectionless,
    listed_namespace,
    recalled_namespace,
)
from mymcp.plugins.mnemosyne.memory.records import RECORD_MAX_BYTES
from tests.plugins.mnemosyne.sight import PROJECT, Sight, contents_below
from tests.plugins.mnemosyne.tree import legacy, write

pytestmark = pytest.mark.usefixtures("way")

DEEP = ["1", "n/2", "n/c/3", "n/c/d/4", "n/c/d/e/5", "n/c/d/e/f/6"]
SELECTIONS = [
    (PROJECT, "12345", 1),
    (recalled_namespace("project", "n"), "2345", 1),
    (listed_namespace("project", "n"), "23", 1),
    (collectionless("project", "n"), "2", 0),
    (collection("project", "n", "c"), "3", 0),
]


def put(root: Path, *paths: str) -> None:
    for path in paths:
        write(root / "project" / f"{path}.json", legacy(content=path[-1]))


def seen(sight: Sight, container: Container) -> str:
    return "".join(sorted(sight.look(container).values()))


@pytest.mark.parametrize("others_first", [False, True])
@pytest.mark.parametrize(("container", "contents", "too_deep"), SELECTIONS)
def test_each_selection_sees_as_deep_as_it_says(
    root: Path, container: Container, contents: str, too_deep: int, *, others_first: bool
) -> None:
    put(root, *DEEP)
    sight = Sight(root)
    if others_first:
        for other, _, _ in SELECTIONS:
            sight.look(other)
    assert seen(sight, container) == contents
    assert sight.shelf.census(container) == (len(contents), too_deep)


@pytest.mark.parametrize(("container", "contents", "too_deep"), SELECTIONS)
def test_a_folder_that_lies_too_deep_is_told_once(
    root: Path,
    container: Container,
    contents: str,
    too_deep: int,
    caplog: pytest.LogCaptureFixture,
) -> None:
    put(root, *DEEP)
    sight = Sight(root)
    for _ in range(3):
        assert seen(sight, container) == contents
    told = [record.getMessage() for record in caplog.records]
    assert told == ["skipped scope=project reason=too_deep"] * too_deep
    for folder in ("n/c/d/e/g", "n/c/d/h"):
        (root / "project" / folder).mkdir(parents=True)
    (root / "project/n/c/d/e/f/more").mkdir()
    for _ in range(2):
        sight.look(container)
    more = {"12345": 1, "2345": 1, "23": 0, "2": 0, "3": 0}[contents]
    assert len(caplog.records) == too_deep + more


def test_only_regular_files_that_end_in_json_are_candidates(root: Path) -> None:
    scope = root / "project"
    for name in (
        ".hidden.json",
        ".json",
        "X.JSON",
        "a.json.tmp",
        "b.json",
        "jsons",
        ".mem_1.a.tmp",
    ):
        write(scope / name, legacy(content=name))
    os.mkfifo(scope / "pipe.json")
    (scope / "folder.json").mkdir()
    write(scope / os.fsdecode(b"\xff.json"), legacy(content="no text"))
    sight = Sight(root)
    for _ in range(2):
        assert set(sight.look().values()) == {".hidden.json", "b.json", "no text"}
        assert sight.shelf.candidate_count == 3


@pytest.mark.parametrize(("count", "fits"), [(9, True), (10, True), (11, False)])
def test_a_selection_ends_at_its_limit(root: Path, count: int, *, fits: bool) -> None:
    put(root, *(f"n/{number:02}" for number in range(count - 3)), "a", "m/b", "c")
    for sight in (Sight(root, limit=10), Sight(root, limit=10)):
        if fits:
            assert len(sight.look()) == count
        else:
            with pytest.raises(CandidateLimitExceeded):
                sight.look()


def test_nothing_is_read_beyond_the_limit(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    put(root, *(f"n/{number:02}" for number in range(11)))
    reads = reads_of(monkeypatch)
    with pytest.raises(CandidateLimitExceeded):
        Sight(root, limit=10).look()
    assert reads == []


def test_parts_of_a_scope_beyond_the_limit_are_seen_within_it(root: Path) -> None:
    for namespace in "abc":
        put(root, *(f"{namespace}/{number}" for number in range(6)))
    put(root, *(f"a/c/{number}" for number in range(4)), *"123")
    sight = Sight(root, limit=10)
    for _ in range(2):
        for namespace, count in [("a", 10), ("b", 6), ("c", 6)]:
            with pytest.raises(CandidateLimitExceeded):
                sight.look()
            assert len(sight.look(listed_namespace("project", namespace))) == count
            assert sight.shelf.candidate_count <= 10
        assert len(sight.look(collectionless("project", "a"))) == 6
        assert len(sight.look(collection("project", "a", "c"))) == 4
        put(root, "c/1")
        (root / "project/c/2.json").unlink(missing_ok=True)
        (root / "project/c/2.json").with_name("0.json").touch()
        put(root, "c/2")
    write(root / "project/b/1.json", legacy(content="changed"))
    assert sight.look(listed_namespace("project", "b"))["project/b/1.json"] == "changed"


def test_a_scope_that_shrinks_to_its_limit_is_whole_again(root: Path) -> None:
    put(root, *(f"n/{number:02}" for number in range(10)))
    sight = Sight(root, limit=10)
    assert len(sight.look()) == 10
    put(root, "n/late", "n/later")
    for _ in range(2):
        with pytest.raises(CandidateLimitExceeded):
            sight.look()
    (root / "project/n/00.json").unlink()
    (root / "project/n/late.json").rename(root / "project/n/later.json")
    assert sight.look() == contents_below(root / "project")
    (root / "project/n/later.json").rename(root / "project/n/moved.json")
    assert sight.look() == contents_below(root / "project")


@pytest.mark.parametrize("mode", [0o000, 0o300, 0o600])
def test_a_folder_that_cannot_be_seen_fails_what_holds_it_and_nothing_else(
    unprivileged_root: Path, mode: int
) -> None:
    put(unprivileged_root, "a/1", "b/2")
    sight = Sight(unprivileged_root)
    for known in (False, True):
        if known:
            assert len(sight.look()) == 2
        (unprivileged_root / "project/b").chmod(mode)
        for _ in range(2):
            with pytest.raises(SourceUnavailable):
                sight.look()
            with pytest.raises(SourceUnavailable):
                sight.look(listed_namespace("project", "b"))
            assert len(sight.look(listed_namespace("project", "a"))) == 1
        (unprivileged_root / "project/b").chmod(0o700)
    assert len(sight.look()) == 2


@pytest.mark.parametrize("mode", [0o000, 0o300, 0o600])
@pytest.mark.parametrize("place", ["", "project"])
def test_a_root_or_scope_that_cannot_be_seen_is_unavailable(
    unprivileged_root: Path, place: str, mode: int
) -> None:
    put(unprivileged_root, "a/1")
    sight = Sight(unprivileged_root)
    assert len(sight.look()) == 1
    (unprivileged_root / place).chmod(mode)
    for container in (PROJECT, listed_namespace("project", "a")):
        with pytest.raises(SourceUnavailable):
            sight.look(container)
    (unprivileged_root / place).chmod(0o700)
    assert len(sight.look()) == 1


def test_an_unreadable_file_is_skipped_until_it_can_be_read(unprivileged_root: Path) -> None:
    put(unprivileged_root, "a/1", "a/2")
    path = unprivileged_root / "project/a/2.json"
    sight = Sight(unprivileged_root)
    for _ in range(2):
        path.chmod(0)
        for _ in range(2):
            assert seen(sight, PROJECT) == "1"
            assert sight.skipped() == {"project/a/2.json": "unreadable"}
        path.chmod(0o600)
        assert seen(sight, PROJECT) == "12"


def test_a_file_that_fails_to_be_read_once_is_read_by_the_next_call(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    put(root, "a/1", "a/2")
    really = Folder.read

    def fail(folder: Folder, name: str, most: int) -> object:
        raise OSError(errno.EIO, "not now")

    sight = Sight(root)
    monkeypatch.setattr(Folder, "read", fail)
    assert sight.look() == {}
    monkeypatch.setattr(Folder, "read", really)
    assert seen(sight, PROJECT) == "12"


def test_many_files_among_others_that_fail_once_are_all_read_by_the_next_call(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    put(root, *(f"a/{number}" for number in range(100)))
    really = Folder.read

    def fail(folder: Folder, name: str, most: int) -> tuple[bytes, os.stat_result]:
        if name.endswith("5.json"):
            raise OSError(errno.EIO, "not now")
        return really(folder, name, most)

    sight = Sight(root)
    with monkeypatch.context() as patched:
        patched.setattr(Folder, "read", fail)
        assert len(sight.look()) == 90
    assert len(sight.look()) == 100


@pytest.mark.parametrize("number", [errno.EMFILE, errno.ENFILE, errno.ENOMEM])
@pytest.mark.parametrize("method", ["read", "below", "child"])
def test_what_this_process_has_no_means_for_is_not_left_out(
    root: Path, monkeypatch: pytest.MonkeyPatch, method: str, number: int
) -> None:
    put(root, "a/1")
    sight = Sight(root)
    with monkeypatch.context() as patched:
        patched.setattr(Folder, method, failing(number))
        with pytest.raises(SourceUnavailable):
            sight.look()
    assert seen(sight, PROJECT) == "1"


def failing(number: int) -> Callable[..., object]:
    def fail(*_: object) -> object:
        raise OSError(number, "no more")

    return fail


def test_a_scope_that_fails_halfway_is_mended_by_the_next_call(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    put(root, *(f"{folder}/1" for folder in "abcdef"))
    sight = Sight(root)
    sight.look()
    really, calls = Folder.read, []

    def fail_later(folder: Folder, name: str, most: int) -> tuple[bytes, os.stat_result]:
        calls.append(name)
        if len(calls) > 3:
            raise OSError(errno.ENOMEM, "no more")
        return really(folder, name, most)

    for folder in "abcdef":
        write(root / "project" / folder / "1.json", legacy(content=folder))
    (root / "project/a/2.json").touch()
    with monkeypatch.context() as patched:
        patched.setattr(Folder, "read", fail_later)
        with pytest.raises(SourceUnavailable):
            sight.look()
    (root / "project/a/2.json").unlink()
    assert seen(sight, PROJECT) == "abcdef"


def test_a_folder_that_vanishes_while_it_is_walked_holds_nothing(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    put(root, "a/1", "b/2")
    really = Folder.child

    def vanish(folder: Folder, name: str) -> Folder:
        if name == "a":
            raise FileNotFoundError
        return really(folder, name)

    sight = Sight(root)
    with monkeypatch.context() as patched:
        patched.setattr(Folder, "child", vanish)
        assert seen(sight, PROJECT) == "2"


def test_a_folder_swapped_for_a_symlink_before_reading_is_not_followed(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    put(root, "a/1")
    really = Folder.below
    namespace, elsewhere = root / "project/a", root.parent / "elsewhere"

    def swap(folder: Folder, names: tuple[str, ...]) -> object:
        if not namespace.is_symlink():
            namespace.rename(elsewhere)
            namespace.symlink_to(elsewhere)
        return really(folder, names)

    sight = Sight(root)
    with monkeypatch.context() as patched:
        patched.setattr(Folder, "below", swap)
        assert sight.look() == {}
    assert sight.look() == {}
    assert sight.symlinks() == {"project/a"}


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b" " * (RECORD_MAX_BYTES + 1), "oversized"),
        (b"\xff", "invalid_encoding"),
        (b"[" * 20_000, "invalid_json"),
        (b"9" * 5_000, "invalid_json"),
        (b"{}", "invalid_record"),
    ],
)
def test_what_is_skipped_is_told_once_for_each_state_with_scope_and_reason_only(
    root: Path, caplog: pytest.LogCaptureFixture, data: bytes, reason: str
) -> None:
    path = write(root / "project/secret-name.json", data)
    sight = Sight(root)
    for count in (1, 2):
        for _ in range(3):
            sight.look()
        told = [record.getMessage() for record in caplog.records]
        assert told == [f"skipped scope=project reason={reason}"] * count
        path.write_bytes(data + b" ")


def test_symlinks_are_skipped_and_told_whatever_they_point_to(
    root: Path, caplog: pytest.LogCaptureFixture
) -> None:
    put(root, "a/1")
    for name, target in [("folder", "a"), ("file.json", "a/1.json"), ("nothing", "nowhere")]:
        (root / "project" / name).symlink_to(target)
    sight = Sight(root)
    with caplog.at_level(logging.WARNING, "mymcp.memory.store"):
        for _ in range(2):
            assert seen(sight, PROJECT) == "1"
            assert len(sight.symlinks()) == 3
    told = [record.getMessage() for record in caplog.records]
    assert told == ["skipped scope=project reason=symlink"] * 3


def test_one_call_writes_few_lines_about_much_that_is_skipped(
    root: Path, caplog: pytest.LogCaptureFixture
) -> None:
    (root / "project").mkdir(parents=True)
    for number in range(notices.NOTICES_MAX + 7):
        (root / "project" / f"{number}.json").symlink_to("nowhere")
    sight = Sight(root)
    for _ in range(2):
        sight.look()
    assert len(caplog.records) == notices.NOTICES_MAX + 1
    assert caplog.records[-1].getMessage() == "skipped scope=project more=7"


def reads_of(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    names: list[str] = []
    really = Folder.read

    def read(folder: Folder, name: str, most: int) -> tuple[bytes, os.stat_result]:
        names.append(name)
        return really(folder, name, most)

    monkeypatch.setattr(Folder, "read", read)
    return names
