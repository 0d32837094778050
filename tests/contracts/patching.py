"""Small contracts with one thing wrong: the base catalog of `bad/base`, and patches on it."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from codegen.catalog import Catalog, build, read

HERE = Path(__file__).parent / "bad"
REPOSITORY = Path(__file__).parents[2]


def base_files() -> dict[str, bytes]:
    """Return the small valid catalog: beside it stand the real meta-schemas, profile and policy."""
    real = read(REPOSITORY)
    needed = ("contracts/meta/", "contracts/policy/", "contracts/profiles/")
    return {path: data for path, data in real.items() if path.startswith(needed)} | dict(
        read(HERE / "base")
    )


def patched(files: Mapping[str, bytes], changes: Sequence[Mapping[str, Any]]) -> Catalog:
    """Return the catalog of `files` after `changes`.

    A change names a `file` and one of: `at` (a JSON pointer) with `set` or `remove`; `text`, a pair
    of which the second replaces the first; `hex`, the new bytes; `rename`; `copy`; `delete`.
    """
    result = dict(files)
    for change in changes:
        _apply(result, change)
    return build(result)


def _apply(files: dict[str, bytes], change: Mapping[str, Any]) -> None:
    path = f"contracts/{change['file']}"
    if "hex" in change:
        files[path] = bytes.fromhex(change["hex"])
    elif "copy" in change:
        files[f"contracts/{change['copy']}"] = files[path]
    elif "rename" in change:
        files[f"contracts/{change['rename']}"] = files.pop(path)
    elif "delete" in change:
        del files[path]
    elif "text" in change:
        old, new = (text.encode() for text in change["text"])
        assert files[path].count(old) == 1, change
        files[path] = files[path].replace(old, new)
    else:
        files[path] = _edited(files.get(path, b"{}"), change)


def _edited(data: bytes, change: Mapping[str, Any]) -> bytes:
    root = {"": json.loads(data)}
    parent, name = root, ""
    for token in change["at"].split("/")[1:]:
        parent = parent[name]
        name = int(token) if isinstance(parent, list) else token.replace("~1", "/")
    if "remove" in change:
        del parent[name]
    elif isinstance(parent, list) and name == len(parent):
        parent.append(change["set"])
    else:
        parent[name] = change["set"]
    return json.dumps(root[""], ensure_ascii=False, indent=2).encode("utf-8", "surrogatepass")
