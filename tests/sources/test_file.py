"""Reading an operator's file: what is served, and the code of everything that is not."""

import os
import socket
import sys
from collections.abc import Callable
from pathlib import Path
from threading import Event, Thread

import pytest

from mymcp.sources import file
from mymcp.sources.file import OPEN_TO_OTHERS, read
from mymcp.sources.refusal import SourceError

LIMIT = 1_000
TEXT = b"[memory]\n"
Change = Callable[[Path], object]


@pytest.fixture
def path(unprivileged: Path) -> Path:
    return written(unprivileged / "folder" / "config.toml")


def written(path: Path, data: bytes = TEXT) -> Path:
    path.parent.mkdir(mode=0o700, exist_ok=True)
    path.write_bytes(data)
    path.chmod(0o600)
    return path


def moved_aside(path: Path) -> Path:
    return path.rename(path.with_name(f"{path.name}.aside"))


def code_of(path: Path, **options: int) -> str:
    with pytest.raises(SourceError) as caught:
        read(path, **{"limit": LIMIT} | options)
    assert str(caught.value) == caught.value.code
    assert caught.value.__cause__ is None
    return caught.value.code


@pytest.mark.parametrize("data", [b"", b"a", TEXT, b"\xff\xfe\x00", b"x" * LIMIT])
def test_a_whole_file_is_read_and_left_as_it_is(path: Path, data: bytes) -> None:
    before = written(path, data).stat()
    assert read(path, limit=LIMIT) == data
    after = path.stat()
    assert (before.st_mtime_ns, before.st_ctime_ns) == (after.st_mtime_ns, after.st_ctime_ns)


def test_a_missing_file_or_folder_is_none_and_stays_missing(unprivileged: Path) -> None:
    assert read(unprivileged / "none" / "config.toml", limit=LIMIT) is None
    (unprivileged / "folder").mkdir(mode=0o700)
    assert read(unprivileged / "folder" / "config.toml", limit=LIMIT) is None
    assert sorted(unprivileged.rglob("*")) == [unprivileged / "folder"]


@pytest.mark.parametrize("mode", [0o700, 0o755, 0o711, 0o750, 0o500, 0o1755, 0o2755])
def test_a_folder_that_others_may_not_write_is_accepted(path: Path, mode: int) -> None:
    path.parent.chmod(mode)
    assert read(path, limit=LIMIT) == TEXT


@pytest.mark.parametrize("mode", [0o600, 0o644, 0o640, 0o400, 0o444, 0o755])
def test_a_file_that_others_may_not_write_is_accepted(path: Path, mode: int) -> None:
    path.chmod(mode)
    assert read(path, limit=LIMIT) == TEXT


@pytest.mark.parametrize("mode", [0o775, 0o757, 0o777, 0o720, 0o702, 0o1777])
def test_a_folder_that_others_may_write_is_refused(path: Path, mode: int) -> None:
    path.parent.chmod(mode)
    assert code_of(path) == "unsafe_permissions"


@pytest.mark.parametrize("mode", [0o664, 0o602, 0o620, 0o646, 0o666, 0o022])
def test_a_file_that_others_may_write_is_refused(path: Path, mode: int) -> None:
    path.chmod(mode)
    assert code_of(path) == "unsafe_permissions"


@pytest.mark.parametrize("mode", [0o640, 0o604, 0o610, 0o601, 0o644])
def test_a_secret_that_others_may_read_is_refused(path: Path, mode: int) -> None:
    assert read(path, limit=LIMIT, forbidden=OPEN_TO_OTHERS) == TEXT
    path.chmod(mode)
    assert code_of(path, forbidden=OPEN_TO_OTHERS) == "unsafe_permissions"


def test_a_folder_that_others_may_write_is_refused_even_without_a_file(path: Path) -> None:
    path.unlink()
    path.parent.chmod(0o775)
    assert code_of(path) == "unsafe_permissions"


@pytest.mark.parametrize("whose", ["folder", "file"])
def test_what_belongs_to_somebody_else_is_refused(
    path: Path, monkeypatch: pytest.MonkeyPatch, whose: str
) -> None:
    stranger = path.parent if whose == "folder" else path
    real = os.lstat

    def lstat(place: Path) -> os.stat_result:
        found = list(real(place))
        if place == stranger:
            found[4] += 1
        return os.stat_result(found)

    monkeypatch.setattr(os, "lstat", lstat)
    assert code_of(path) == "unsafe_permissions"


@pytest.mark.parametrize("whose", ["folder", "file"])
def test_owners_count_as_the_kernel_tells_them(
    path: Path, monkeypatch: pytest.MonkeyPatch, whose: str
) -> None:
    me = os.geteuid()
    monkeypatch.setattr(os, "geteuid", lambda: me + 1)
    assert code_of(path) == "unsafe_permissions"
    if os.getuid() == 0:
        # Only root can give things away: then both to root, and one of them on to a stranger.
        monkeypatch.undo()
        as_root(lambda: [os.chown(each, 0, 0) for each in (path, path.parent)])
        as_root(lambda: path.parent.chmod(0o755))
        as_root(lambda: path.chmod(0o644))
        assert read(path, limit=LIMIT) == TEXT
        as_root(lambda: os.chown(path.parent if whose == "folder" else path, me - 1, me))
        assert code_of(path) == "unsafe_permissions"


def as_root(do: Callable[[], object]) -> None:
    user = os.geteuid()
    os.seteuid(0)
    try:
        do()
    finally:
        os.seteuid(user)


def test_a_symlinked_folder_is_refused_and_one_further_up_is_not(path: Path) -> None:
    link = path.parent.with_name("link")
    link.symlink_to(path.parent)
    assert code_of(link / path.name) == "unsafe_path"
    deeper = written(path.parent / "deeper" / "config.toml")
    assert read(link / "deeper" / deeper.name, limit=LIMIT) == TEXT


def test_a_dangling_folder_is_refused(unprivileged: Path) -> None:
    (unprivileged / "link").symlink_to("nowhere")
    assert code_of(unprivileged / "link" / "config.toml") == "unsafe_path"


@pytest.mark.parametrize("target", ["config.toml.aside", "nowhere", "config.toml"])
def test_a_symlinked_file_is_refused(path: Path, target: str) -> None:
    moved_aside(path)
    path.symlink_to(target)
    assert code_of(path) == "unsafe_path"


def test_a_hard_link_is_accepted(path: Path) -> None:
    os.link(path, path.with_name("another"))
    assert read(path, limit=LIMIT) == TEXT


def test_a_file_as_folder_or_further_up_is_refused(path: Path) -> None:
    assert code_of(path / "config.toml") == "unsafe_path"
    assert code_of(path / "folder" / "config.toml") == "unsafe_path"


def test_a_loop_further_up_is_refused(unprivileged: Path) -> None:
    (unprivileged / "loop").symlink_to("loop")
    assert code_of(unprivileged / "loop" / "folder" / "config.toml") == "unsafe_path"


def test_what_is_no_absolute_path_is_refused(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(path.parent.parent)
    for name in ("folder/config.toml", "config.toml", ""):
        assert code_of(Path(name)) == "unsafe_path"


@pytest.mark.parametrize("name", ["a\0", "a\0b/c", "\ud800", "\ud800/c"])
def test_what_no_file_can_be_called_is_refused(path: Path, name: str) -> None:
    assert code_of(path.parent / name) == "unsafe_path"


def bind(path: Path) -> None:
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(str(path))


@pytest.mark.parametrize("make", [os.mkdir, os.mkfifo, bind])
def test_what_is_no_regular_file_is_refused_without_waiting(path: Path, make: Change) -> None:
    path.unlink()
    make(path)
    path.chmod(0o600)
    assert code_of(path) == "not_regular"


def test_a_device_is_refused() -> None:
    assert code_of(Path("/dev/null")) == "not_regular"


def test_one_byte_too_many_is_refused(path: Path) -> None:
    written(path, b"x" * (LIMIT + 1))
    assert code_of(path) == "too_large"


def test_a_file_that_may_not_be_read_is_unreadable(path: Path) -> None:
    path.chmod(0o200)
    assert code_of(path) == "unreadable"


@pytest.mark.parametrize("mode", [0o600, 0o300, 0o000])
def test_a_folder_that_may_not_be_searched_or_read_is_unreadable(path: Path, mode: int) -> None:
    path.parent.chmod(mode)
    assert code_of(path) == "unreadable"


def test_a_name_that_is_too_long_is_unreadable(unprivileged: Path) -> None:
    assert code_of(unprivileged / ("x" * 300)) == "unreadable"


@pytest.mark.parametrize(
    ("order", "code"),
    [
        (("folder mode", "link"), "unsafe_permissions"),
        (("link",), "unsafe_path"),
        (("fifo", "file mode"), "not_regular"),
        (("file mode", "size"), "unsafe_permissions"),
        (("size", "unreadable"), "too_large"),
        (("file mode", "unreadable"), "unsafe_permissions"),
    ],
)
def test_the_first_check_that_fails_names_the_code(
    path: Path, order: tuple[str, ...], code: str
) -> None:
    for fault in order:
        match fault:
            case "folder mode":
                path.parent.chmod(0o777)
            case "link":
                path.symlink_to(moved_aside(path))
            case "fifo":
                path.unlink()
                os.mkfifo(path)
            case "file mode":
                path.chmod(0o222)
            case "size":
                path.chmod(0o600)
                path.write_bytes(b"x" * 2 * LIMIT)
                path.chmod(0o222 if "file mode" in order else 0o600)
            case "unreadable":
                path.chmod(path.stat().st_mode & ~0o400)
    assert code_of(path) == code


def replaced(path: Path) -> None:
    written(path.with_name("new"), TEXT.upper()).replace(path)


def rewritten(path: Path) -> None:
    path.write_bytes(TEXT.upper())


def rewritten_with_the_old_time(path: Path) -> None:
    before = path.stat()
    path.write_bytes(TEXT.upper())
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))


def appended(path: Path) -> None:
    path.write_bytes(TEXT + b"# more\n")


def emptied(path: Path) -> None:
    path.write_bytes(b"")


def removed(path: Path) -> None:
    path.unlink()


def removed_and_made_again(path: Path) -> None:
    path.unlink()
    written(path)


def opened_to_all(path: Path) -> None:
    path.chmod(0o666)


def folder_replaced(path: Path) -> None:
    path.parent.rename(path.parent.with_name("old"))
    written(path)


def folder_removed(path: Path) -> None:
    path.parent.rename(path.parent.with_name("old"))


def folder_linked(path: Path) -> None:
    path.parent.symlink_to(path.parent.rename(path.parent.with_name("old")))


def linked(path: Path) -> None:
    path.symlink_to(moved_aside(path))


def turned_into_a_pipe(path: Path) -> None:
    path.unlink()
    os.mkfifo(path, 0o600)


def turned_into_a_folder(path: Path) -> None:
    path.unlink()
    path.mkdir(mode=0o700)


CHANGES: list[Change] = [
    replaced, rewritten, rewritten_with_the_old_time, appended, emptied, removed,
    removed_and_made_again, opened_to_all, folder_replaced, linked, turned_into_a_pipe,
    turned_into_a_folder,
]  # fmt: skip


def interrupt(
    monkeypatch: pytest.MonkeyPatch, call: str, number: int, change: Callable[[], object]
) -> None:
    """Make `change` happen right before call `number` of `os.<call>` that follows."""
    real, count = getattr(os, call), 0

    def interrupted(*arguments: object, **options: object) -> object:
        nonlocal count
        count += 1
        if count == number:
            monkeypatch.setattr(os, call, real)
            change()
        return real(*arguments, **options)

    monkeypatch.setattr(os, call, interrupted)


@pytest.mark.parametrize("change", CHANGES, ids=lambda change: change.__name__)
@pytest.mark.parametrize(("call", "number"), [("open", 1), ("open", 2), ("pread", 1), ("pread", 3)])
def test_a_change_between_examining_and_reading_is_seen(
    path: Path, monkeypatch: pytest.MonkeyPatch, call: str, number: int, change: Change
) -> None:
    interrupt(monkeypatch, call, number, lambda: change(path))
    swapped_for_a_link = change is linked and call == "open"
    assert code_of(path) == ("unsafe_path" if swapped_for_a_link else "source_changed")


@pytest.mark.parametrize(
    ("change", "call", "number", "code"),
    [
        (folder_removed, "open", 1, "source_changed"),
        (folder_linked, "open", 1, "unsafe_path"),
        (folder_linked, "open", 2, "source_changed"),
        (folder_removed, "pread", 1, "source_changed"),
        (lambda path: path.parent.chmod(0o777), "pread", 1, "unsafe_permissions"),
        (lambda path: path.write_bytes(b"x" * 2 * LIMIT), "pread", 1, "too_large"),
    ],
)
def test_a_change_of_the_folder_or_of_the_size_is_seen(
    path: Path, monkeypatch: pytest.MonkeyPatch, change: Change, call: str, number: int, code: str
) -> None:
    interrupt(monkeypatch, call, number, lambda: change(path))
    assert code_of(path) == code


def test_a_neighbour_that_comes_while_reading_does_not_matter(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    interrupt(monkeypatch, "pread", 1, lambda: written(path.with_name("neighbour")))
    assert read(path, limit=LIMIT) == TEXT


def test_a_change_that_no_stamp_shows_is_seen_in_the_bytes(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    stamp = file._stamp(os.lstat(path))
    monkeypatch.setattr(file, "_stamp", lambda _state: stamp)
    interrupt(monkeypatch, "pread", 3, lambda: rewritten(path))
    assert code_of(path) == "source_changed"


@pytest.mark.skipif(sys.platform != "linux", reason="no other system has such files")
def test_a_file_that_holds_more_than_its_size_says_is_refused() -> None:
    assert code_of(Path("/proc/sys/kernel/ostype")) == "source_changed"


def test_a_disk_that_fails_while_reading_is_unreadable(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_arguments: object) -> bytes:
        raise OSError(5, "Input/output error")

    monkeypatch.setattr(os, "pread", fail)
    assert code_of(path) == "unreadable"


@pytest.mark.parametrize("way", ["rename", "in place"])
def test_a_racing_writer_gives_one_whole_text_or_a_refusal(path: Path, way: str) -> None:
    texts = [b"a" * LIMIT, b"b" * LIMIT]
    written(path, texts[0])
    done = Event()

    def race() -> None:
        descriptor = os.open(path, os.O_WRONLY)
        while not done.is_set():
            for text in texts:
                if way == "rename":
                    written(path.with_name("new"), text).replace(path)
                else:
                    os.pwrite(descriptor, text, 0)
        os.close(descriptor)

    writer = Thread(target=race)
    writer.start()
    try:
        seen = {outcome(path) for _ in range(500)}
    finally:
        done.set()
        writer.join()
    assert seen <= {*texts, "source_changed"}
    assert read(path, limit=LIMIT) in texts


def outcome(path: Path) -> object:
    try:
        return read(path, limit=LIMIT)
    except SourceError as error:
        return error.code


def test_no_descriptor_stays_open(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    opened: set[int] = set()
    real_open, real_close = os.open, os.close

    def remember(*arguments, **options) -> int:  # type: ignore[no-untyped-def]
        descriptor = real_open(*arguments, **options)
        opened.add(descriptor)
        return descriptor

    def forget(descriptor: int) -> None:
        opened.discard(descriptor)
        real_close(descriptor)

    monkeypatch.setattr(os, "open", remember)
    monkeypatch.setattr(os, "close", forget)
    for change in (lambda _path: None, *CHANGES[:3]):
        interrupt(monkeypatch, "pread", 1, lambda change=change: change(path))  # type: ignore[misc]
        outcome(path)
        assert opened == set()
