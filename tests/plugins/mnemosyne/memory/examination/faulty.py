"""One memory for each thing that an examination may find."""

import os
from collections.abc import Callable
from pathlib import Path
from typing import Final

from mymcp.plugins.mnemosyne.memory.examination.findings import FindingCode
from tests.plugins.mnemosyne.tree import canonical, legacy, memory_id, put, write

SECRET: Final = "password=hunter2222"
LIMIT: Final = 10
"""The candidate limit of these memories."""


def record_name(number: int) -> str:
    return f"{memory_id(number)}.json"


def _link(root: Path) -> None:
    (root / "project").mkdir(parents=True, exist_ok=True)
    (root / "project" / "elsewhere.json").symlink_to("/dev/null")


def _root_is_a_link(root: Path) -> None:
    (root.parent / "real").mkdir()
    root.symlink_to(root.parent / "real")


def _loose(root: Path) -> None:
    put(root, canonical(1)).chmod(0o620)


def _linked(root: Path) -> None:
    os.link(put(root, canonical(1)), root.parent / "outside")


def _mixed(root: Path) -> None:
    put(root, canonical(1, scope="relationship", namespace="ann"))
    group = canonical(2, scope="relationship", namespace="ann", state="archived")
    group["namespace"]["kind"] = "group"
    put(root, group)


def _filled(count: int) -> Callable[[Path], None]:
    def fill(root: Path) -> None:
        for number in range(count):
            put(root, canonical(number))

    return fill


def _written(*path: str, data: bytes) -> Callable[[Path], None]:
    return lambda root: void(write(root.joinpath(*path), data))


def void(_value: object) -> None:
    return None


Fault = tuple[Callable[[Path], None], str, str]
"""How the root is made, and path and detail of the finding."""

TWICE: Final = "a member stands twice"
ABSENT: Final = "schema_version is missing"

FAULTS: Final[dict[FindingCode, Fault]] = {
    "root_unusable": (_root_is_a_link, "", "a symlink"),
    "root_missing": (lambda _: None, "", ""),
    "root_empty": (lambda root: root.mkdir(), "", ""),
    "not_looked_at": (_written("projects", "x.json", data=b"{}"), "projects", ""),
    "scope_unusable": (_written("project", data=b"{}"), "project", "no folder"),
    "loose_permissions": (_loose, f"project/atlas/{record_name(1)}", "mode 0620"),
    "stale_temporary": (
        _written("project", "atlas", f".{memory_id(1)}.0a1b.tmp", data=b"half"),
        f"project/atlas/.{memory_id(1)}.0a1b.tmp",
        "",
    ),
    "linked_from_outside": (_linked, f"project/atlas/{record_name(1)}", "other names: 1"),
    "symlink": (_link, "project/elsewhere.json", ""),
    "too_deep": (
        _written("knowledge", "a", "b", "c", "d", "e", "x.json", data=b"{}"),
        "knowledge/a/b/c/d/e",
        "",
    ),
    "oversized": (_written("self", "x.json", data=b" " * 65_537), "self/x.json", ""),
    "invalid_encoding": (_written("self", "x.json", data=b'{"a": "\xff"}'), "self/x.json", ""),
    "invalid_json": (_written("self", "x.json", data=b'{"a": 1, "a": 2}'), "self/x.json", TWICE),
    "invalid_record": (_written("self", "x.json", data=b'{"a": 1}'), "self/x.json", ABSENT),
    "path_mismatch": (
        lambda root: void(write(root / "agent" / "x.json", canonical(1))),
        "agent/x.json",
        "",
    ),
    "mixed_namespace_kinds": (_mixed, "relationship/ann", "group, person"),
    "refused_by_policy": (
        lambda root: void(put(root, canonical(1, tags=["plain", SECRET]))),
        f"project/atlas/{record_name(1)}",
        "tags#2 credential_shape",
    ),
    "candidate_limit_near": (_filled(9), "project", "9 of 10 record files"),
    "candidate_limit_reached": (_filled(10), "project", "10 of 10 record files"),
    "candidate_limit_exceeded": (_filled(11), "project", "11 of 10 record files"),
}
"""What anybody can make anywhere; the rest needs other users or another file system."""


def healthy(root: Path) -> None:
    """Make a memory with records of every sort and nothing wrong."""
    put(root, canonical(1))
    put(root, canonical(2, collection="decisions", state="archived"))
    put(root, canonical(3, scope="self", namespace="me"))
    write(root / "knowledge" / "a" / "b" / "old.json", legacy())
    write(root / ".git" / "config", b"")
    write(root / "notes.txt", b"")
    write(root / "project" / "atlas" / "notes.txt", b"")
