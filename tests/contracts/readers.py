"""Finds the generated reader of a contract by its name."""

from importlib import import_module
from typing import Any

from mymcp._generated import manifests, records
from mymcp.contract.reader import Reader

_OTHERS: dict[str, Reader[Any]] = {
    "records/memory-v1": records.MEMORY_V1,
    "records/memory-v2": records.MEMORY_V2,
    "manifests/plugin-v1": manifests.PLUGIN_V1,
}


def contract_of(tool: str) -> Any:
    """Return the generated `ToolContract` of a tool."""
    return getattr(import_module(f"mymcp._generated.tools.{tool}"), tool.upper())


def reader_of(name: str) -> Reader[Any]:
    """Return the reader of `tools/<plugin>/<tool>`, `records/<name>` or `manifests/<name>`."""
    if name in _OTHERS:
        return _OTHERS[name]
    reader: Reader[Any] = contract_of(name.rsplit("/", 1)[-1]).reader
    return reader
