import os
from pathlib import Path

import pytest

from mymcp.plugins.mnemosyne.memory.discovery import Discovery, discover
from mymcp.plugins.mnemosyne.memory.faults import CandidateLimitExceeded, SourceUnavailable
from mymcp.plugins.mnemosyne.memory.folder import Folder
from mymcp.plugins.mnemosyne.memory.places import (
    Container,
    collection,
    collectionless,
    listed_namespace,
    recalled_namespace,
    scope_container,
)

PROJECT = scope_container("project")


def found(root: Path, container: Container, *, limit: int = 1_000) -> Discovery:
    with Folder.at(root.joinpath(*container.folders)) as folder:
        return discover(folder, container, limit)


def names(discovery: Discovery) -> list[str]:
    return ["/".join(candidate.path[1:]) for candidate in discovery.candidates]


def touch(root: Path, *paths: str) -> None:
    for path in paths:
        (root / "project" / path).parent.mkdir(parents=True, exist_ok=True)
        (root / "project" / path).touch()


def test_files_and_folders_come_interleaved_in_code_point_order(root: Path) -> None:
    touch(root, "b.json", "a/z.json", "a/b/c.json", "a.json", "C.json", "é.json", "a-b/a.json")
    assert names(found(root, PROJECT)) == [
        "C.json", "a/b/c.json", "a/z.json", "a-b/a.json", "a.json", "b.json", "é.json",
    ]  # fmt: skip


def test_only_regular_files_that_end_in_json_are_candidates(root: Path) -> None:
    touch(root, ".hidden.json", ".json", "X.JSON", "a.json.tmp", "b.json", "jsons", ".mem_1.aa.tmp")
    os.mkfifo(root / "project" / "pipe.json")
    discovery = found(root, PROJECT)
    assert names(discovery) == [".hidden.json", "b.json"]
    assert discovery.skips == []


def test_symlinks_are_skipped_whatever_they_point_to(root: Path) -> None:
    touch(root, "a/real.json")
    folder = root / "project"
    (folder / "folder").symlink_to("a")
    (folder / "file.json").symlink_to("a/real.json")
    (folder / "nothing").symlink_to("nowhere")
    discovery = found(root, PROJECT)
    assert names(discovery) == ["a/real.json"]
    assert [(skip.path[-1], skip.reason) for skip in discovery.skips] == [
        ("file.json", "symlink"),
        ("folder", "symlink"),
        ("nothing", "symlink"),
    ]


@pytest.mark.parametrize(
    ("container", "seen", "too_deep"),
    [
        (PROJECT, ["1.json", "n/2.json", "n/c/3.json", "n/c/d/4.json", "n/c/d/e/5.json"], 1),
        (recalled_namespace("project", "n"), ["2", "3", "4", "5", "6"], 1),
        (listed_namespace("project", "n"), ["2", "3"], 1),
        (collectionless("project", "n"), ["2"], 0),
        (collection("project", "n", "c"), ["3"], 0),
    ],
)
def test_each_selection_walks_as_deep_as_it_says(
    root: Path, container: Container, seen: list[str], too_deep: int
) -> None:
    touch(
        root, "1.json", "n/2.json", "n/c/3.json", "n/c/d/4.json", "n/c/d/e/5.json",
        "n/c/d/e/f/6.json", "n/c/d/e/f/g/7.json",
    )  # fmt: skip
    discovery = found(root, container)
    assert [Path(name).stem for name in names(discovery)] == [Path(name).stem for name in seen]
    assert [skip.reason for skip in discovery.skips] == ["too_deep"] * too_deep


@pytest.mark.parametrize(("count", "fits"), [(9, True), (10, True), (11, False)])
def test_the_walk_ends_at_one_candidate_too_many(root: Path, count: int, *, fits: bool) -> None:
    touch(root, *(f"{number:02}.json" for number in range(count)))
    if fits:
        assert len(found(root, PROJECT, limit=10).candidates) == count
    else:
        with pytest.raises(CandidateLimitExceeded):
            found(root, PROJECT, limit=10)


def test_a_name_that_is_no_text_is_a_candidate_like_another(root: Path) -> None:
    touch(root, "a.json")
    (root / "project" / os.fsdecode(b"\xff.json")).touch()
    assert len(found(root, PROJECT).candidates) == 2


@pytest.mark.parametrize("mode", [0o000, 0o300, 0o600])
def test_a_folder_that_cannot_be_walked_fails_the_whole(unprivileged_root: Path, mode: int) -> None:
    touch(unprivileged_root, "a/1.json", "b/2.json")
    (unprivileged_root / "project" / "b").chmod(mode)
    with pytest.raises(SourceUnavailable):
        found(unprivileged_root, PROJECT)


def test_a_folder_that_vanishes_while_walking_holds_nothing(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    touch(root, "a/1.json", "b/2.json")
    really = Folder.child

    def vanish(self: Folder, name: str) -> Folder:
        if name == "a":
            raise FileNotFoundError
        return really(self, name)

    monkeypatch.setattr(Folder, "child", vanish)
    assert names(found(root, PROJECT)) == ["b/2.json"]


def test_a_file_that_vanishes_while_walking_is_marked(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    touch(root, "1.json", "2.json")
    really = Folder.entries

    def remove_one(self: Folder) -> list[os.DirEntry[str]]:
        entries = really(self)
        (root / "project" / "1.json").unlink()
        return entries

    monkeypatch.setattr(Folder, "entries", remove_one)
    discovery = found(root, PROJECT)
    assert names(discovery) == ["2.json"]
    assert [skip.reason for skip in discovery.skips] == ["unreadable"]
