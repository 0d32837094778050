"""A good manifest, and ways to change it."""

import json
from collections.abc import Callable, Mapping
from copy import deepcopy
from typing import Any

Manifest = dict[str, Any]


def capability(local_id: str, **changes: object) -> Manifest:
    return {
        "kind": "tool",
        "id": local_id,
        "version": "1.0.0",
        "read_only": True,
        "destructive": False,
        "idempotent": True,
        "open_world": False,
        "consent": "none",
        **changes,
    }


def manifest(**changes: object) -> Manifest:
    """Return a manifest with two tools, its members replaced by `changes`."""
    good: Manifest = {
        "manifest_version": 1,
        "id": "demo",
        "title": "Demo",
        "description": "Shows how a plugin looks.",
        "version": "1.2.3",
        "requires": {"host_api": {"min": 1, "max": 1}},
        "capabilities": [capability("one"), capability("two")],
        "configuration": {
            "schema_version": 1,
            "schema": {"type": "object", "properties": {}, "additionalProperties": False},
        },
        "secret_references": [],
        "data_schema_version": 1,
        "authority": {"filesystem": [], "network": False},
    }
    return {**good, **changes}


def at(path: str, value: object) -> Callable[[Manifest], None]:
    """Return a change that puts `value` at a dotted path."""
    *parents, last = path.split(".")

    def change(whole: Manifest) -> None:
        place: Any = whole
        for name in parents:
            place = place[int(name)] if isinstance(place, list) else place[name]
        if isinstance(place, list):
            place[int(last)] = value
        else:
            place[last] = value

    return change


def without(path: str) -> Callable[[Manifest], None]:
    """Return a change that removes the member at a dotted path."""
    *parents, last = path.split(".")

    def change(whole: Manifest) -> None:
        place: Any = whole
        for name in parents:
            place = place[int(name)] if isinstance(place, list) else place[name]
        del place[last]

    return change


def changed(*changes: Callable[[Manifest], None]) -> Manifest:
    whole = deepcopy(manifest())
    for change in changes:
        change(whole)
    return whole


def as_bytes(value: Mapping[str, object]) -> bytes:
    return json.dumps(value, ensure_ascii=False).encode(errors="surrogatepass")


def configured(schema: object) -> Manifest:
    """Return a manifest with this configuration schema."""
    return manifest(configuration={"schema_version": 1, "schema": schema})


def closed(**properties: object) -> Manifest:
    """Return a closed object schema of the configuration sub-language."""
    return {"type": "object", "properties": properties, "additionalProperties": False}
