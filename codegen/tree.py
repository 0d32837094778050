"""The generated tree: paths and bytes in memory, and the only two functions that meet the disk.

Generated folders are owned whole: what stands in them and is not in the tree is stale.
"""

import shutil
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import unified_diff
from pathlib import Path, PurePosixPath
from typing import Literal

Tree = Mapping[PurePosixPath, bytes]

OWNED = (PurePosixPath("mymcp/_generated"), PurePosixPath("docs/contracts"))
"""The folders that belong to the generator, relative to the root of the project."""

_CACHES = frozenset({"__pycache__"})


@dataclass(frozen=True, slots=True)
class Difference:
    """One path where the disk and the tree differ.

    `text` is a unified diff, or a sentence where text does not differ; empty for an empty file
    and for a link, which is never read.
    """

    path: PurePosixPath
    kind: Literal["edited", "missing", "stale"]
    text: str


@dataclass(frozen=True, slots=True)
class Changes:
    """What `write` did."""

    written: tuple[PurePosixPath, ...]
    deleted: tuple[PurePosixPath, ...]


def diff(root: Path, tree: Tree, owned: Sequence[PurePosixPath] = OWNED) -> tuple[Difference, ...]:
    """Return every path below the `owned` folders of `root` where disk and `tree` differ."""
    found = [_compare(root, path, tree[path]) for path in sorted(tree)]
    stale = [
        Difference(path, "stale", _unified(path, _read(root / path) or b"", b""))
        for path in _stale(root, tree, owned)
    ]
    return tuple(difference for difference in found if difference) + tuple(stale)


def write(root: Path, tree: Tree, owned: Sequence[PurePosixPath] = OWNED) -> Changes:
    """Make the `owned` folders of `root` hold `tree` and nothing else.

    Files that are right already are left alone, so that nothing rebuilds for no reason.
    """
    outside = [path for path in tree if not any(folder in path.parents for folder in owned)]
    if outside:
        raise ValueError("the tree reaches beyond the folders that it owns")
    deleted = tuple(_stale(root, tree, owned))
    for path in deleted:
        (root / path).unlink()
    written = tuple(path for path in sorted(tree) if _read(root / path) != tree[path])
    for path in written:
        write_file(root / path, tree[path])
    for folder in owned:
        _prune(root / folder)
    return Changes(written, deleted)


def write_file(path: Path, content: bytes) -> None:
    """Put `content` at `path` in one step, folders and all; what stands there goes."""
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = path.with_name(f".{path.name}.new")
    temporary.write_bytes(content)
    temporary.replace(path)


def _compare(root: Path, path: PurePosixPath, wanted: bytes) -> Difference | None:
    found = _read(root / path)
    if found == wanted:
        return None
    if found is None:
        return Difference(path, "missing", _unified(path, b"", wanted))
    text = _unified(path, found, wanted)
    return Difference(path, "edited", text or "the bytes differ where text does not: encoding\n")


def _unified(path: PurePosixPath, found: bytes, wanted: bytes) -> str:
    lines = unified_diff(
        found.decode("utf-8", "replace").splitlines(keepends=True),
        wanted.decode("utf-8").splitlines(keepends=True),
        f"{path} (on disk)",
        f"{path} (generated)",
        n=2,
    )
    return "".join(line if line.endswith("\n") else f"{line}\n" for line in lines)


def _read(path: Path) -> bytes | None:
    """Return the bytes of a regular file; a link or a folder in its place counts as absent."""
    if path.is_symlink() or not path.is_file():
        return None
    return path.read_bytes()


def _stale(root: Path, tree: Tree, owned: Sequence[PurePosixPath]) -> Iterator[PurePosixPath]:
    for folder in owned:
        for path in sorted(_files(root / folder)):
            relative = PurePosixPath(path.relative_to(root).as_posix())
            if relative not in tree or path.is_symlink():
                yield relative


def _files(folder: Path) -> Iterator[Path]:
    """Yield what is not a folder below `folder`, links included and never followed."""
    if folder.is_symlink():
        yield folder
        return
    if not folder.is_dir():
        return
    for path in folder.iterdir():
        if path.name in _CACHES:
            continue
        if path.is_dir() and not path.is_symlink():
            yield from _files(path)
        else:
            yield path


def _prune(folder: Path) -> None:
    """Remove folders that hold no file any more, caches of Python not counted."""
    for path in folder.iterdir() if folder.is_dir() else ():
        if path.is_dir() and not path.is_symlink() and path.name not in _CACHES:
            _prune(path)
            if not any(_files(path)):
                shutil.rmtree(path)
