"""Generated from contracts by nox -s codegen; do not edit.

The contracts and what derives from them, as data.
"""

import json
from collections.abc import Mapping
from importlib.resources import files
from typing import Any


def read(name: str) -> bytes:
    """Return the file `name` below this folder: `manifests/mnemosyne.json`."""
    return files(__name__).joinpath(*name.split("/")).read_bytes()


def published(tool: str) -> Mapping[str, object]:
    """Return the definition of `tool` as clients see it."""
    return _object(f"published/{tool}.json")


def input_schema(plugin: str, tool: str) -> Mapping[str, object]:
    """Return the resolved contract schema of the arguments of `tool`."""
    schema: Mapping[str, object] = _object(f"contracts/tools/{plugin}/{tool}.json")["input"]
    return schema


def _object(name: str) -> dict[str, Any]:
    value: dict[str, Any] = json.loads(read(name))
    return value
