"""Whatever is done to the tree, the next call sees it, by both ways of knowing.

Records of version 1 are valid wherever they lie, so files and folders may be moved about.
"""

import ctypes
import mmap
import os
import shutil
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest

from mymcp.plugins.mnemosyne.memory.faults import SourceUnavailable
from mymcp.plugins.mnemosyne.memory.places import listed_namespace
from mymcp.plugins.mnemosyne.memory.store import MemoryStore
from tests.plugins.mnemosyne.sight import PROJECT, Sight, contents_below
from tests.plugins.mnemosyne.stores import store_of
from tests.plugins.mnemosyne.tree import legacy, write

CALLS_OF_A_ROUND = 50
Change = Callable[[Path], object]


@pytest.fixture
def tree(root: Path) -> Path:
    """Return the folder of a scope with a few records."""
    scope = root / "project"
    for path in ("top.json", "a/one.json", "a/two.json", "a/c/three.json", "b/four.json"):
        write(scope / path, note(path))
    (scope / "empty").mkdir()
    return scope


def note(content: str) -> dict[str, object]:
    return legacy(content=content)


def in_place(path: Path, old: bytes, new: bytes) -> None:
    with path.open("r+b") as file:
        at = file.read().index(old)
        file.seek(at)
        file.write(new)


def edit(tree: Path) -> None:
    in_place(tree / "a/one.json", b"a/one", b"A/ONE")


def edit_with_the_time_put_back(tree: Path) -> None:
    path = tree / "a/one.json"
    times = (path.stat().st_atime_ns, path.stat().st_mtime_ns)
    in_place(path, b"a/one", b"A/ONE")
    os.utime(path, ns=times)


def append(tree: Path) -> None:
    with (tree / "a/one.json").open("ab") as file:
        file.write(b" " * 100_000)


def truncate(tree: Path) -> None:
    os.truncate(tree / "a/one.json", 3)


def copy_in_the_kernel(tree: Path) -> None:
    with (tree / "a/one.json").open("r+b") as target, (tree / "b/four.json").open("rb") as source:
        size = os.fstat(source.fileno()).st_size
        target.truncate(size)
        assert os.copy_file_range(source.fileno(), target.fileno(), size, 0, 0) == size


def send_a_file(tree: Path) -> None:
    with (tree / "a/one.json").open("r+b") as target, (tree / "b/four.json").open("rb") as source:
        size = os.fstat(source.fileno()).st_size
        target.truncate(size)
        assert os.sendfile(target.fileno(), source.fileno(), 0, size) == size


def rename_over(tree: Path) -> None:
    (tree / "a/one.json").rename(tree / "a/two.json")


def replace(tree: Path) -> None:
    (tree / "a" / ".one.tmp").write_bytes((tree / "b/four.json").read_bytes())
    (tree / "a" / ".one.tmp").rename(tree / "a/one.json")


def exchange(tree: Path) -> None:
    there, here = (os.fsencode(tree / name) for name in ("a/one.json", "b/four.json"))
    rename = ctypes.CDLL(None, use_errno=True).renameat2
    assert rename(-100, there, -100, here, 2) == 0


def exchange_folders(tree: Path) -> None:
    there, here = (os.fsencode(tree / name) for name in ("a", "b"))
    rename = ctypes.CDLL(None, use_errno=True).renameat2
    assert rename(-100, there, -100, here, 2) == 0


def link_an_unnamed_file(tree: Path) -> None:
    descriptor = os.open(tree / "a", os.O_WRONLY | os.O_TMPFILE)
    folder = os.open(tree / "a", os.O_RDONLY)
    os.write(descriptor, (tree / "b/four.json").read_bytes())
    os.link(f"/proc/self/fd/{descriptor}", "new.json", dst_dir_fd=folder, follow_symlinks=True)
    os.close(descriptor)
    os.close(folder)


def link_from_outside(tree: Path) -> None:
    outside = write(tree.parent.parent / "outside", note("outside"))
    os.link(outside, tree / "a/linked.json")


def delete(tree: Path) -> None:
    (tree / "a/one.json").unlink()


def delete_and_write_again(tree: Path) -> None:
    (tree / "a/one.json").unlink()
    write(tree / "a/one.json", note("again"))


def make_a_namespace(tree: Path) -> None:
    write(tree / "new/five.json", note("five"))


def make_three_levels(tree: Path) -> None:
    write(tree / "x/y/z/six.json", note("six"))


def move_a_folder(tree: Path) -> None:
    (tree / "a").rename(tree / "b/moved")


def move_a_folder_and_write_there(tree: Path) -> None:
    (tree / "a").rename(tree / "moved")
    write(tree / "moved/c/late.json", note("late"))


def move_a_folder_out(tree: Path) -> None:
    (tree / "a").rename(tree.parent.parent / "aside")


def move_a_folder_out_and_write_there(tree: Path) -> None:
    (tree / "a").rename(tree.parent.parent / "aside")
    in_place(tree.parent.parent / "aside/one.json", b"a/one", b"A/ONE")


def move_a_folder_in(tree: Path) -> None:
    write(tree.parent.parent / "aside/deep/seven.json", note("seven"))
    (tree.parent.parent / "aside").rename(tree / "in")


def swap_folders(tree: Path) -> None:
    (tree / "a").rename(tree / "aside")
    (tree / "b").rename(tree / "a")
    (tree / "aside").rename(tree / "b")


def make_a_folder_again(tree: Path) -> None:
    shutil.rmtree(tree / "a")
    write(tree / "a/one.json", note("remade"))


def put_a_file_in_the_place_of_a_folder(tree: Path) -> None:
    shutil.rmtree(tree / "a")
    write(tree / "a", b"file")


def make_a_scope_again(tree: Path) -> None:
    shutil.rmtree(tree)
    write(tree / "eight.json", note("eight"))


def move_the_scope_away(tree: Path) -> None:
    tree.rename(tree.parent / "elsewhere")


def put_another_root(tree: Path) -> None:
    root = tree.parent
    root.rename(root.parent / "old")
    write(root / "project/nine.json", note("nine"))


def put_another_folder_above(tree: Path) -> None:
    above = tree.parent.parent
    above.rename(above.parent / "former")
    write(tree / "ten.json", note("ten"))


def delete_the_root(tree: Path) -> None:
    shutil.rmtree(tree.parent)


def move_a_file_and_write_through_its_descriptor(tree: Path) -> None:
    with (tree / "a/one.json").open("r+b") as file:
        (tree / "a/one.json").rename(tree / "b/other.json")
        at = file.read().index(b"a/one")
        file.seek(at)
        file.write(b"A/ONE")


def make_a_scope(scope: Path) -> None:
    write(scope / "a/one.json", note("one"))


def move_a_scope_in(scope: Path) -> None:
    write(scope.parent.parent / "aside/a/one.json", note("one"))
    (scope.parent.parent / "aside").rename(scope)


def move_a_file_in(scope: Path) -> None:
    write(scope.parent.parent / "aside", b"file").rename(scope)


def link_a_scope(scope: Path) -> None:
    write(scope.parent.parent / "aside/a/one.json", note("one"))
    scope.symlink_to(scope.parent.parent / "aside")


CHANGES = [
    edit, edit_with_the_time_put_back, copy_in_the_kernel, send_a_file, rename_over, replace,
    exchange, exchange_folders, link_an_unnamed_file, link_from_outside, delete,
    delete_and_write_again, make_a_namespace, make_three_levels, move_a_folder,
    move_a_folder_and_write_there, move_a_folder_out, move_a_folder_out_and_write_there,
    move_a_folder_in, swap_folders, make_a_folder_again, put_a_file_in_the_place_of_a_folder,
    make_a_scope_again, move_the_scope_away, put_another_root, put_another_folder_above,
    delete_the_root, move_a_file_and_write_through_its_descriptor,
]  # fmt: skip


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A root with a folder above it that may be changed too."""
    return tmp_path / "above" / "memory"


def is_watched(sight: Sight) -> bool:
    root = os.open(sight.root, os.O_RDONLY) if sight.root.exists() else None
    if root is None:
        return False
    try:
        return sight.freshness._lookout.watch(root) is not None
    finally:
        os.close(root)


@pytest.mark.parametrize("change", CHANGES, ids=lambda change: change.__name__)
def test_the_next_call_sees_every_change(way: str, tree: Path, change: Change) -> None:
    sight = Sight(tree.parent)
    before = sight.look()
    assert before == contents_below(tree)
    change(tree)
    after = sight.look()
    assert after == contents_below(tree) != before
    assert sight.look() == after
    assert is_watched(sight) == (way == "watched" and tree.parent.exists())


@pytest.mark.parametrize("change", CHANGES, ids=lambda change: change.__name__)
def test_after_every_change_each_folder_is_still_seen_to_change(
    way: str, tree: Path, change: Change
) -> None:
    sight = Sight(tree.parent)
    sight.look()
    change(tree)
    sight.look()
    for number, path in enumerate(sorted(tree.rglob("*"))):
        if path.is_file():
            write(path, note(f"edited {number}"))
        else:
            write(path / "added.json", note(f"added {number}"))
    assert sight.look() == contents_below(tree)


@pytest.mark.parametrize("first", CHANGES[::3], ids=lambda change: change.__name__)
@pytest.mark.parametrize("second", [edit, delete, make_a_namespace, swap_folders])
def test_changes_one_after_another_are_seen(
    way: str, tree: Path, first: Change, second: Change
) -> None:
    sight = Sight(tree.parent)
    sight.look()
    first(tree)
    with suppress(OSError, ValueError):  # the first may have left nothing to do it to
        second(tree)
    assert sight.look() == contents_below(tree)


@pytest.mark.parametrize("come", [move_a_file_in, move_a_scope_in, make_a_scope, link_a_scope])
def test_a_scope_that_was_not_there_is_seen_when_it_comes(
    way: str, root: Path, come: Change
) -> None:
    root.mkdir(parents=True)
    sight, scope = Sight(root), root / "project"
    assert sight.look() == sight.look() == {}
    come(scope)
    if scope.is_dir() and not scope.is_symlink():
        assert sight.look() == contents_below(scope) != {}
        assert sight.look(listed_namespace("project", "a")) == sight.look()
    else:
        for container in (PROJECT, listed_namespace("project", "a")):
            with pytest.raises(SourceUnavailable):
                sight.look(container)
        scope.unlink()
        assert sight.look() == {}


@pytest.mark.parametrize(("spoil", "reason"), [(append, "oversized"), (truncate, "invalid_json")])
def test_a_record_that_is_spoilt_is_skipped_from_the_next_call_on(
    way: str, tree: Path, spoil: Change, reason: str
) -> None:
    sight = Sight(tree.parent)
    sight.look()
    spoil(tree)
    assert "project/a/one.json" not in sight.look()
    assert sight.skipped() == {"project/a/one.json": reason}
    write(tree / "a/one.json", note("mended"))
    assert sight.look()["project/a/one.json"] == "mended"
    assert sight.skipped() == {}


def test_a_file_that_was_open_before_the_first_call_is_seen_to_change(way: str, tree: Path) -> None:
    sight = Sight(tree.parent)
    with (tree / "a/one.json").open("r+b", buffering=0) as file:
        sight.look()
        for content in (b"A/ONE", b"a/two"):
            file.seek(0)
            at = file.read().index(b'content": "') + len(b'content": "')
            file.seek(at)
            file.write(content)
            assert sight.look()["project/a/one.json"] == content.decode() + ".json"


def test_a_symlink_in_the_place_of_a_file_is_told_apart_and_back(way: str, tree: Path) -> None:
    sight = Sight(tree.parent)
    before = sight.look()
    assert sight.shelf.census(PROJECT) == (5, 0)
    path = tree / "a/one.json"
    path.rename(tree.parent / "aside")
    path.symlink_to(tree.parent / "aside")
    assert "project/a/one.json" not in sight.look()
    assert sight.symlinks() == {"project/a/one.json"}
    assert sight.shelf.census(PROJECT) == (4, 1)
    path.unlink()
    (tree.parent / "aside").rename(path)
    assert sight.look() == before
    assert sight.symlinks() == set()
    assert sight.shelf.census(PROJECT) == (5, 0)
    path.with_name("link").symlink_to("nowhere")
    sight.look()
    assert sight.shelf.census(PROJECT) == (5, 1)
    path.with_name("link").unlink()
    sight.look()
    assert sight.shelf.census(PROJECT) == (5, 0)


def test_a_folder_that_comes_too_deep_is_counted_by_the_next_call(way: str, tree: Path) -> None:
    (tree / "a/c/d/e").mkdir(parents=True)
    sight = Sight(tree.parent)
    sight.look()
    assert sight.shelf.census(PROJECT) == (5, 0)
    write(tree / "a/c/d/e/f/deep.json", note("deep"))
    assert sight.look() == contents_below(tree)
    assert sight.shelf.census(PROJECT) == (5, 1)
    shutil.rmtree(tree / "a/c/d/e/f")
    sight.look()
    assert sight.shelf.census(PROJECT) == (5, 0)


def test_a_symlink_in_the_place_of_a_folder_is_unavailable_to_whoever_names_it(
    way: str, tree: Path
) -> None:
    sight, namespace = Sight(tree.parent), listed_namespace("project", "a")
    assert len(sight.look(namespace)) == 3
    (tree / "a").rename(tree.parent / "aside")
    (tree / "a").symlink_to(tree.parent / "aside")
    with pytest.raises(SourceUnavailable):
        sight.look(namespace)
    assert sight.look() == contents_below(tree)
    (tree / "a").unlink()
    assert sight.look(namespace) == {}
    (tree.parent / "aside").rename(tree / "a")
    assert len(sight.look(namespace)) == 3


def test_a_pipe_in_the_place_of_a_record_is_no_record(way: str, tree: Path) -> None:
    sight = Sight(tree.parent)
    sight.look()
    (tree / "a/one.json").unlink()
    os.mkfifo(tree / "a/one.json")
    assert "project/a/one.json" not in sight.look()
    assert sight.shelf.candidate_count == 4


def test_a_write_through_another_name_in_the_tree_is_seen(way: str, tree: Path) -> None:
    sight = Sight(tree.parent)
    sight.look()
    for number, name in enumerate(["b/name.json", "a/c/name.txt"]):
        os.link(tree / "a/one.json", tree / name)
        in_place(tree / name, b"one", b"o%de" % number)
        assert sight.look()["project/a/one.json"] == f"a/o{number}e.json"
        in_place(tree / name, b"o%de" % number, b"one")
        assert sight.look()["project/a/one.json"] == "a/one.json"
        (tree / name).unlink()
    assert sight.look() == contents_below(tree)


def test_a_write_through_a_name_outside_is_seen_where_it_was_there_before(
    way: str, tree: Path
) -> None:
    os.link(tree / "a/one.json", tree.parent.parent / "outside")
    sight = Sight(tree.parent)
    sight.look()
    for old, new in [(b"one", b"uno"), (b"uno", b"ein")]:
        in_place(tree.parent.parent / "outside", old, new)
        assert sight.look()["project/a/one.json"] == f"a/{new.decode()}.json"
    (tree / "a/one.json").unlink()
    assert sight.look() == contents_below(tree)
    assert not any(following._restless for following in sight.freshness._followed.values())


def test_writes_through_a_copy_that_is_made_of_links_are_all_seen(way: str, tree: Path) -> None:
    copy = tree.parent.parent / "copy"
    shutil.copytree(tree, copy, copy_function=os.link)
    sight = Sight(tree.parent)
    sight.look()
    for path in ("a/one.json", "b/four.json", "top.json"):
        in_place(copy / path, path[:3].encode(), path[:3].upper().encode())
        assert sight.look() == contents_below(tree)
    shutil.rmtree(copy)
    for _ in range(2):
        assert sight.look() == contents_below(tree)
    assert is_watched(sight) == (way == "watched")


def test_a_write_through_a_later_name_outside_is_seen_within_a_round(way: str, tree: Path) -> None:
    sight = Sight(tree.parent)
    sight.look()
    os.link(tree / "a/one.json", tree.parent.parent / "outside")
    in_place(tree.parent.parent / "outside", b"one", b"uno")
    seen = [sight.look()["project/a/one.json"] for _ in range(CALLS_OF_A_ROUND)]
    assert seen[-1] == "a/uno.json"
    in_place(tree.parent.parent / "outside", b"uno", b"ein")
    assert sight.look()["project/a/one.json"] == "a/ein.json"


def test_a_write_through_a_map_of_memory_is_seen_within_a_round(way: str, tree: Path) -> None:
    sight = Sight(tree.parent)
    sight.look()
    with (tree / "a/one.json").open("r+b") as file, mmap.mmap(file.fileno(), 0) as mapped:
        at = mapped.find(b"one")
        mapped[at : at + 3] = b"uno"
        mapped.flush()
        seen = [sight.look()["project/a/one.json"] for _ in range(CALLS_OF_A_ROUND)]
        assert seen[-1] == "a/uno.json"
        mapped[at : at + 3] = b"ein"
    assert sight.look()["project/a/one.json"] == "a/ein.json"


def test_more_changes_than_the_kernel_keeps_are_all_seen(way: str, tree: Path) -> None:
    sight = Sight(tree.parent)
    sight.look()
    for _ in range(9_000):
        (tree / "a/short").touch()
        (tree / "a/short").unlink()
    write(tree / "b/late.json", note("late"))
    assert sight.look() == contents_below(tree)


def test_a_scope_that_nobody_asked_for_meanwhile_is_seen_anew(
    way: str, tree: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("mymcp.plugins.mnemosyne.memory.watching.watch.HINTS_MAX", 10)
    sight = Sight(tree.parent)
    other = Sight(tree.parent, freshness=sight.freshness, scope="self")
    sight.look()
    for number in range(12):
        write(tree / f"b/{number}.json", note("new"))
        assert other.look() == {}
    (tree / "b/5.json").unlink()
    assert sight.look() == contents_below(tree)


def test_after_a_call_that_broke_off_anywhere_the_next_sees_everything(
    way: str, tree: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store, whole = store_of(tree.parent), [5, 5]
    for broken in ("mymcp.plugins.mnemosyne.memory.freshness.too_deep", "os.scandir"):
        (tree / "folder").mkdir()
        with monkeypatch.context() as patched:
            patched.setattr(broken, run_out_of_memory)
            with pytest.raises(MemoryError):
                count_in(store)
        assert [count_in(store), count_in(store)] == whole
        (tree / "folder").rmdir()
        assert count_in(store) == 5


def count_in(store: MemoryStore) -> int:
    with store.viewing(PROJECT) as view:
        return view.listing().count


def run_out_of_memory(*_: object) -> None:
    raise MemoryError
