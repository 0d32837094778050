"""A folder of files, and what it must hold if nobody but a known hand touched it.

Everything that a person does by hand is done twice: to the real folder and to the picture of it.
What the tools do is only drawn into the picture, by whoever knows what they should have done.
"""

import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from shutil import rmtree
from typing import Literal

Names = tuple[str, ...]
"""A path below the folder, name by name."""
Way = Literal["in place", "in place, time put back", "renamed over", "renamed over, time put back"]
WAYS: tuple[Way, ...] = (
    "in place",
    "in place, time put back",
    "renamed over",
    "renamed over, time put back",
)


@dataclass(eq=False)
class File:
    """A regular file; names that are hard links of each other share one."""

    data: bytes


@dataclass(eq=False)
class Symlink:
    target: str


@dataclass(eq=False)
class Pipe:
    """Something that is neither file, folder nor symlink."""


Folder = dict[str, "Node"]
Node = File | Symlink | Pipe | Folder


class Disk:
    """The real folder `base`, empty at first, and its picture `tree`."""

    def __init__(self, base: Path) -> None:
        self.base = base
        self.tree: Folder = {}
        self._count = 0

    def real(self, names: Names) -> Path:
        return self.base.joinpath(*names)

    def node(self, names: Names) -> Node | None:
        """Return what the picture has at `names`; a symlink leads nowhere."""
        found: Node = self.tree
        for name in names:
            if not isinstance(found, dict) or name not in found:
                return None
            found = found[name]
        return found

    def walk(self, names: Names = ()) -> Iterator[tuple[Names, Node]]:
        """Yield everything below the folder `names` in the picture."""
        folder = self.node(names)
        if isinstance(folder, dict):
            for name in sorted(folder):
                yield (*names, name), folder[name]
                yield from self.walk((*names, name))

    def may_hold(self, names: Names) -> bool:
        """Tell whether a file could be put at `names`: only folders, or nothing, are above it."""
        above = [self.node(names[:length]) for length in range(len(names))]
        return all(node is None or isinstance(node, dict) for node in above)

    def draw(self, names: Names, node: Node) -> None:
        """Put `node` into the picture, with the folders that it needs."""
        self.draw_folder(names[:-1])[names[-1]] = node

    def draw_folder(self, names: Names) -> Folder:
        """Put a folder into the picture, with those above it, and return it."""
        folder = self.tree
        for name in names:
            below = folder.setdefault(name, {})
            assert isinstance(below, dict)
            folder = below
        return folder

    def erase(self, names: Names) -> Node:
        """Take what is at `names` out of the picture."""
        return self.draw_folder(names[:-1]).pop(names[-1])

    # By hand.

    def write(self, names: Names, data: bytes) -> None:
        """Make a new file with the folders that it needs; an older one is replaced."""
        self.make_folder(names[:-1])
        other = self._spare(names)
        other.write_bytes(data)
        other.rename(self.real(names))
        self.draw(names, File(data))

    def make_folder(self, names: Names) -> None:
        self.real(names).mkdir(parents=True, exist_ok=True)
        self.draw_folder(names)

    def edit(self, names: Names, data: bytes, way: Way) -> None:
        """Give the file at `names` new bytes."""
        file, real = self.node(names), self.real(names)
        assert isinstance(file, File)
        before = real.stat()
        if way.startswith("in place"):
            real.write_bytes(data)
            file.data = data
        else:
            other = self._spare(names)
            other.write_bytes(data)
            other.rename(real)
            self.draw(names, File(data))
        if way.endswith("time put back"):
            os.utime(real, ns=(before.st_atime_ns, before.st_mtime_ns))

    def move(self, source: Names, target: Names) -> None:
        """Rename `source` to `target`, over whatever file is there."""
        moved, there = self.node(source), self.node(target)
        os.rename(self.real(source), self.real(target))  # noqa: PTH104  the system call itself
        if moved is not None and moved is not there:  # names of one file: rename does nothing
            self.erase(source)
            self.draw(target, moved)

    def link(self, source: Names, target: Names) -> None:
        """Give the file at `source` a second name."""
        file = self.node(source)
        assert isinstance(file, File)
        self.real(target).hardlink_to(self.real(source))
        self.draw(target, file)

    def symlink(self, names: Names, target: str) -> None:
        self.real(names).symlink_to(target)
        self.draw(names, Symlink(target))

    def pipe(self, names: Names) -> None:
        os.mkfifo(self.real(names))
        self.draw(names, Pipe())

    def remove(self, names: Names) -> None:
        """Delete whatever is at `names`, a folder with all that is in it."""
        if isinstance(self.erase(names), dict):
            rmtree(self.real(names))
        else:
            self.real(names).unlink()

    # What there is.

    def found(self) -> dict[str, object]:
        """Return what the real folder holds."""
        return {
            str(path.relative_to(self.base)): _state(path)
            for above, folders, files in os.walk(self.base)
            for path in (Path(above, name) for name in (*folders, *files))
        }

    def expected(self) -> dict[str, object]:
        """Return what it must hold."""
        return {"/".join(names): _drawn(node) for names, node in self.walk()}

    def _spare(self, names: Names) -> Path:
        self._count += 1
        return self.real((*names[:-1], f"spare-{self._count}"))


def _state(path: Path) -> object:
    if path.is_symlink():
        return "symlink", str(path.readlink())
    if path.is_dir():
        return "folder"
    return path.read_bytes() if path.is_file() else "pipe"


def _drawn(node: Node) -> object:
    if isinstance(node, File):
        return node.data
    if isinstance(node, Symlink):
        return "symlink", node.target
    return "folder" if isinstance(node, dict) else "pipe"
