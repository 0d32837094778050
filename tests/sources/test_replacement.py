import os
import stat
from collections.abc import Callable
from pathlib import Path

import pytest

from mymcp.sources.refusal import SourceError
from mymcp.sources.replacement import replace

LIMIT = 100


@pytest.fixture
def place(tmp_path: Path) -> Path:
    folder = tmp_path / "folder"
    folder.mkdir(mode=0o700)
    return folder / "file"


def held(path: Path, content: bytes = b"old", mode: int = 0o600) -> Path:
    path.write_bytes(content)
    path.chmod(mode)
    return path


def to(content: bytes) -> Callable[[bytes | None], bytes]:
    return lambda _: content


def test_a_file_is_made_where_none_is(place: Path) -> None:
    seen: list[bytes | None] = []
    replace(place, lambda old: seen.append(old) or b"new", limit=LIMIT)
    assert (seen, place.read_bytes()) == ([None], b"new")
    assert stat.S_IMODE(place.stat().st_mode) == 0o600


def test_another_file_takes_the_place_and_the_old_one_stays_whole(place: Path) -> None:
    held(place)
    with place.open("rb") as reader:
        replace(place, lambda old: (old or b"") + b"er", limit=LIMIT)
        assert reader.read() == b"old"
    assert place.read_bytes() == b"older"
    assert list(place.parent.iterdir()) == [place]


def test_nothing_is_changed_where_nothing_is_given(place: Path) -> None:
    before = held(place).stat()
    replace(place, lambda _: None, limit=LIMIT)
    assert place.stat() == before


def test_what_the_change_raises_ends_it(place: Path) -> None:
    held(place)

    def broken(_: bytes | None) -> bytes:
        raise LookupError

    with pytest.raises(LookupError):
        replace(place, broken, limit=LIMIT)
    assert (place.read_bytes(), list(place.parent.iterdir())) == (b"old", [place])
    replace(place, to(b"new"), limit=LIMIT)
    assert place.read_bytes() == b"new"


@pytest.mark.parametrize(
    ("spoil", "code"),
    [
        (lambda path: held(path, mode=0o644), "unsafe_permissions"),
        (lambda path: held(path, b"x" * (LIMIT + 1)), "too_large"),
        (lambda path: path.mkdir(), "not_regular"),
        (lambda path: path.symlink_to("elsewhere"), "unsafe_path"),
        (lambda path: path.parent.chmod(0o777), "unsafe_permissions"),
        (lambda path: path.parent.rmdir(), "unsafe_path"),
        (lambda path: (path.parent.rmdir(), path.parent.write_bytes(b"")), "unsafe_path"),
    ],
)
def test_what_would_not_be_read_is_not_replaced(
    place: Path, spoil: Callable[[Path], object], code: str
) -> None:
    spoil(place)
    with pytest.raises(SourceError, match=f"^{code}$"):
        replace(place, to(b"new"), limit=LIMIT)
    assert not place.is_file() or place.read_bytes() != b"new"


@pytest.mark.parametrize("path", [Path("file"), Path("/tmp\0/x"), Path("/\ud800/x")])
def test_a_place_that_is_none_is_refused(path: Path) -> None:
    with pytest.raises(SourceError, match=r"^unsafe_path$"):
        replace(path, to(b"new"), limit=LIMIT)


def test_a_folder_behind_a_link_is_not_written(place: Path) -> None:
    link = place.parent.with_name("link")
    link.symlink_to(place.parent)
    with pytest.raises(SourceError, match=r"^unsafe_path$"):
        replace(link / "file", to(b"new"), limit=LIMIT)
    assert not place.exists()


def test_content_beyond_the_limit_is_refused(place: Path) -> None:
    held(place)
    with pytest.raises(SourceError, match=r"^too_large$"):
        replace(place, to(b"x" * (LIMIT + 1)), limit=LIMIT)
    assert place.read_bytes() == b"old"


def test_a_disk_that_fails_leaves_what_was_there(
    place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    held(place)

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(SourceError, match=r"^unreadable$"):
        replace(place, to(b"new"), limit=LIMIT)
    assert (place.read_bytes(), list(place.parent.iterdir())) == (b"old", [place])


def test_a_folder_that_may_not_be_written_is_told(unprivileged: Path) -> None:
    unprivileged.chmod(0o500)
    with pytest.raises(SourceError, match=r"^unreadable$"):
        replace(unprivileged / "file", to(b"new"), limit=LIMIT)
