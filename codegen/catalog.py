"""Everything that stands in `contracts/`, read once and frozen.

Only `read` touches the disk. What follows is a function of the bytes: the same files give the
same catalog on every machine.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from codegen.positions import Located
from codegen.positions import read as read_json

Kind = Literal[
    "shared",
    "tool",
    "record",
    "manifest_schema",
    "config",
    "credential",
    "plugin",
    "policy",
    "profile",
    "meta",
    "stray",
]

_FOLDERS: Mapping[str, Kind] = {
    "shared": "shared",
    "tools": "tool",
    "records": "record",
    "config": "config",
    "credentials": "credential",
    "policy": "policy",
    "profiles": "profile",
    "meta": "meta",
}
_UNREAD = ("examples", "ledger")


@dataclass(frozen=True, slots=True)
class Document:
    """One contract file. `path` is relative to the repository: `contracts/tools/host/x.json`."""

    path: str
    kind: Kind
    content: Located

    @property
    def value(self) -> object:
        """What the file holds, members in authored order; none when it cannot be read."""
        return self.content.value

    @property
    def is_readable(self) -> bool:
        """Whether the file holds an object, be it one with problems."""
        return isinstance(self.content.value, dict)

    @property
    def members(self) -> Mapping[str, object]:
        """The members of the file's root object; empty when the root is something else."""
        return self.content.value if isinstance(self.content.value, dict) else {}

    @property
    def stem(self) -> str:
        """The file name without folder and ending."""
        return self.path.rpartition("/")[2].removesuffix(".json")

    @property
    def folder(self) -> str:
        """The name of the folder that the file stands in."""
        return self.path.split("/")[-2]


@dataclass(frozen=True, slots=True)
class Catalog:
    """All contracts, sorted by path. Examples and ledgers are no contracts and not in it."""

    documents: tuple[Document, ...]

    def of(self, kind: Kind) -> tuple[Document, ...]:
        """Return the documents of one kind, sorted by path."""
        return tuple(document for document in self.documents if document.kind == kind)

    def at(self, path: str) -> Document | None:
        """Return the document at `path`, if there is one."""
        return next((found for found in self.documents if found.path == path), None)

    @property
    def values(self) -> Mapping[str, object]:
        """The content of each file by its path: where `mymcp.schema.resolution` looks."""
        return {document.path: document.value for document in self.documents}


def load(repository: Path) -> Catalog:
    """Return the catalog of the contracts in `repository`. Raises `OSError` of the disk only."""
    return build(read(repository))


def read(repository: Path) -> Mapping[str, bytes]:
    """Return the bytes of every contract file, by path relative to `repository`."""
    root = repository / "contracts"
    found = sorted(path for path in root.rglob("*.json") if path.is_file())
    return {
        path.relative_to(repository).as_posix(): path.read_bytes()
        for path in found
        if path.relative_to(root).parts[0] not in _UNREAD
    }


def build(files: Mapping[str, bytes]) -> Catalog:
    """Return the catalog of `files`, path to bytes.

    A file that cannot be read stays, as a document with problems: saying what is wrong with it is
    the dialect's work.
    """
    return Catalog(
        tuple(
            Document(path, kind_of(path), read_json(data)) for path, data in sorted(files.items())
        )
    )


def kind_of(path: str) -> Kind:
    """Return what kind of contract stands at `path`: the folder decides, `stray` is in none."""
    folder, _, rest = path.removeprefix("contracts/").partition("/")
    if rest.count("/") != (folder == "tools"):
        return "stray"
    if folder == "manifests":
        return "manifest_schema" if _is_versioned(rest) else "plugin"
    return _FOLDERS.get(folder, "stray")


def _is_versioned(name: str) -> bool:
    stem, mark, version = name.removesuffix(".json").rpartition("-v")
    return bool(stem and mark) and version.isdecimal()
