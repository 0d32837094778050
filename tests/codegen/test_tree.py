"""Writing and comparing the generated folders on a real disk."""

from pathlib import Path, PurePosixPath

import pytest

from codegen import tree

OWNED = (PurePosixPath("out/code"), PurePosixPath("out/pages"))
TREE = {
    PurePosixPath("out/code/__init__.py"): b"",
    PurePosixPath("out/code/a/b.py"): b"one\ntwo\n",
    PurePosixPath("out/pages/index.md"): b"# \xc3\xa9\n",
}


@pytest.fixture
def root(tmp_path: Path) -> Path:
    tree.write(tmp_path, TREE, OWNED)
    return tmp_path


def files(root: Path) -> set[str]:
    return {path.relative_to(root).as_posix() for path in root.rglob("*") if path.is_file()}


def test_what_was_written_differs_in_nothing(root: Path) -> None:
    assert files(root) == {str(path) for path in TREE}
    assert tree.diff(root, TREE, OWNED) == ()


def test_writing_again_touches_no_file(root: Path) -> None:
    before = {path: (root / path).stat().st_mtime_ns for path in TREE}
    assert tree.write(root, TREE, OWNED) == tree.Changes((), ())
    assert {path: (root / path).stat().st_mtime_ns for path in TREE} == before


def test_an_edited_file_is_shown_as_a_diff_and_written_back(root: Path) -> None:
    (root / "out/code/a/b.py").write_text("one\nthree\n")
    (difference,) = tree.diff(root, TREE, OWNED)
    assert difference.kind == "edited"
    assert "-three\n" in difference.text
    assert "+two\n" in difference.text
    assert tree.write(root, TREE, OWNED).written == (PurePosixPath("out/code/a/b.py"),)
    assert tree.diff(root, TREE, OWNED) == ()


@pytest.mark.parametrize("content", [b"one\r\ntwo\r\n", b"one\ntwo", b"\xff\xfe"])
def test_bytes_count_not_lines(root: Path, content: bytes) -> None:
    (root / "out/code/a/b.py").write_bytes(content)
    (difference,) = tree.diff(root, TREE, OWNED)
    assert difference.text


def test_a_missing_file_is_a_difference(root: Path) -> None:
    (root / "out/pages/index.md").unlink()
    (difference,) = tree.diff(root, TREE, OWNED)
    assert (difference.kind, difference.path.name) == ("missing", "index.md")


@pytest.mark.parametrize(
    "name", ["out/code/old.py", "out/code/a/deep/old.json", "out/pages/.x.new"]
)
def test_a_stale_file_is_a_difference_and_deleted(root: Path, name: str) -> None:
    (root / name).parent.mkdir(parents=True, exist_ok=True)
    (root / name).write_text("old")
    (difference,) = tree.diff(root, TREE, OWNED)
    assert (difference.kind, str(difference.path)) == ("stale", name)
    assert "\n-old\n" in difference.text
    assert tree.write(root, TREE, OWNED).deleted == (PurePosixPath(name),)
    assert not (root / "out/code/a/deep").exists()
    assert tree.diff(root, TREE, OWNED) == ()


def test_caches_of_python_are_no_difference_and_go_with_their_folder(root: Path) -> None:
    for folder in ("out/code/__pycache__", "out/code/gone/__pycache__"):
        (root / folder).mkdir(parents=True)
        (root / folder / "b.pyc").write_bytes(b"x")
    assert tree.diff(root, TREE, OWNED) == ()
    tree.write(root, TREE, OWNED)
    assert (root / "out/code/__pycache__/b.pyc").exists()
    assert not (root / "out/code/gone").exists()


def test_a_link_is_never_followed(root: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    outside = tmp_path_factory.mktemp("outside")
    (outside / "b.py").write_bytes(TREE[PurePosixPath("out/code/a/b.py")])
    (root / "out/code/a/b.py").unlink()
    (root / "out/code/a/b.py").symlink_to(outside / "b.py")
    (root / "out/code/elsewhere").symlink_to(outside)
    kinds = {str(found.path): found.kind for found in tree.diff(root, TREE, OWNED)}
    assert kinds["out/code/elsewhere"] == "stale"
    tree.write(root, TREE, OWNED)
    assert not (root / "out/code/a/b.py").is_symlink()
    assert (outside / "b.py").exists()
    assert tree.diff(root, TREE, OWNED) == ()


def test_a_folder_in_the_place_of_a_file_gives_way(root: Path) -> None:
    (root / "out/pages/index.md").unlink()
    (root / "out/pages/index.md").mkdir()
    (root / "out/pages/index.md/x").write_text("x")
    tree.write(root, TREE, OWNED)
    assert tree.diff(root, TREE, OWNED) == ()


def test_a_file_in_the_place_of_a_folder_gives_way(root: Path) -> None:
    (root / "out/code/a/b.py").unlink()
    (root / "out/code/a").rmdir()
    (root / "out/code/a").write_text("x")
    tree.write(root, TREE, OWNED)
    assert tree.diff(root, TREE, OWNED) == ()


def test_what_stands_outside_is_left_alone(root: Path) -> None:
    (root / "out/mine.txt").write_text("x")
    tree.write(root, {}, OWNED)
    assert files(root) == {"out/mine.txt"}


def test_a_tree_that_reaches_outside_is_refused(root: Path) -> None:
    with pytest.raises(ValueError, match="beyond"):
        tree.write(root, {PurePosixPath("out/mine.txt"): b""}, OWNED)
    assert not (root / "out/mine.txt").exists()
