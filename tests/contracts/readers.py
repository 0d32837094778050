"""Finds the generated reader of a contract by its name."""

from importlib import import_module
from typing import Any

from mymcp._generated import configuration, credentials, manifests, records
from mymcp.contract.reader import Reader


def contract_of(tool: str) -> Any:
    """Return the generated `ToolContract` of a tool."""
    return getattr(import_module(f"mymcp._generated.tools.{tool}"), tool.upper())


def reader_of(name: str) -> Reader[Any]:
    """Return the reader of `tools/<plugin>/<tool>`, or of `records`, `config` and so on."""
    kind, *_, last = name.split("/")
    found = last.replace("-", "_")
    reader: Reader[Any]
    match kind:
        case "tools":
            reader = contract_of(last).reader
        case "config":
            reader = getattr(configuration, found)()
        case "credentials":
            reader = getattr(credentials, found)()
        case _:
            module = {"records": records, "manifests": manifests}[kind]
            reader = getattr(module, found.upper())
    return reader
