"""Record files as a person or an older server might have written them."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

NOON = "2026-07-18T12:00:00Z"
_NAMESPACE_KINDS = {
    "self": "aspect",
    "relationship": "person",
    "preference": "domain",
    "practice": "domain",
    "project": "project",
    "knowledge": "topic",
    "agent": "agent",
}
_KINDS = {
    "self": "attribute",
    "relationship": "perspective",
    "preference": "preference",
    "practice": "practice",
    "project": "decision",
    "knowledge": "reference",
    "agent": "policy",
}


def memory_id(number: int) -> str:
    """Return the id of the record with this number."""
    return f"mem_{number:032x}"


def canonical(
    number: int = 1,
    *,
    scope: str = "project",
    namespace: str = "atlas",
    collection: str | None = None,
    state: str = "active",
    **members: object,
) -> dict[str, Any]:
    """Return a version-2 record; `members` replace its members."""
    return {
        "schema_version": 2,
        "id": memory_id(number),
        "scope": scope,
        "namespace": {"kind": _NAMESPACE_KINDS[scope], "id": namespace, "label": None},
        "collection": None if collection is None else {"id": collection, "label": None},
        "kind": _KINDS[scope],
        "language": "en",
        "title": None,
        "content": f"Statement {number}.",
        "tags": [],
        "provenance": {"origin": "manual", "recorded_via": "filesystem"},
        "lifecycle": {"state": state, "revision": 1},
        "created_at": NOON,
        "updated_at": NOON,
    } | members


def legacy(identifier: str = "rainy-weekend", **members: object) -> dict[str, Any]:
    """Return a version-1 record."""
    return {"schema_version": 1, "id": identifier, "content": "Museums when it rains."} | members


def place(root: Path, record: Mapping[str, Any]) -> Path:
    """Return where a version-2 record belongs."""
    collection = record["collection"]
    folder = root / record["scope"] / record["namespace"]["id"]
    if collection is not None:
        folder /= collection["id"]
    return folder / f"{record['id']}.json"


def put(root: Path, record: Mapping[str, Any]) -> Path:
    """Write a version-2 record where it belongs."""
    return write(place(root, record), record)


def write(path: Path, record: object) -> Path:
    """Write `record`, bytes as they are and anything else as JSON, with the folders it needs."""
    path.parent.mkdir(parents=True, exist_ok=True)
    data = record if isinstance(record, bytes) else json.dumps(record, ensure_ascii=False).encode()
    path.write_bytes(data)
    return path


def files(root: Path) -> dict[str, bytes]:
    """Return everything below `root`, by path."""
    return {
        str(path.relative_to(root)): path.read_bytes()
        for path in sorted(root.rglob("*"))
        if path.is_file()
    }


def reference(record: Mapping[str, Any]) -> dict[str, Any]:
    """Return the reference of a version-2 record."""
    collection = record["collection"]
    return {
        "schema_version": 2,
        "scope": record["scope"],
        "namespace_id": record["namespace"]["id"],
        "collection_id": None if collection is None else collection["id"],
        "id": record["id"],
    }
