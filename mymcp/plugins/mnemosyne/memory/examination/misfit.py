"""Where a file departs from what a record is, for the person who has to mend it."""

import json
from collections.abc import Mapping
from typing import Final

from mymcp._generated.records import MEMORY_V1, MEMORY_V2
from mymcp.contract.faults import Fault
from mymcp.contract.reader import Unreadable
from mymcp.contract.strict_json import Refusal, StrictJSONError, decode
from mymcp.plugins.mnemosyne.memory.records import RECORD_MAX_LEVELS

_NOT_STRICT: Final[Mapping[Refusal, str]] = {
    "encoding": "byte order mark",
    "duplicate": "a member stands twice",
    "number": "a number out of bounds",
    "depth": "too many levels",
    "count": "too many values",
}


def misfit(data: bytes) -> str:
    """Return what is the first thing wrong with `data`, UTF-8 that holds no valid record.

    Words of ours, numbers of lines and items, and names that the contract has; never what stands in
    the file.
    """
    try:
        value = decode(data, levels=RECORD_MAX_LEVELS)
    except StrictJSONError as error:
        return _NOT_STRICT.get(error.reason) or _line_of(data)
    if not isinstance(value, dict):
        return "no object"
    try:
        (MEMORY_V1 if value.get("schema_version") == 1 else MEMORY_V2).read(value)
    except Unreadable as error:
        return _told(error.faults[0])
    return "updated_at is before created_at"  # all that no contract can say


def _line_of(data: bytes) -> str:
    try:
        json.loads(data.decode(), parse_int=str)  # integers of any length: only their place counts
    except json.JSONDecodeError as error:
        return f"near line {error.lineno}"
    except RecursionError:  # as deep as this stack and no other just bears
        pass
    return ""


def _told(fault: Fault) -> str:
    if fault.kind == "rule":
        return f"rule {fault.rule}"
    if fault.kind == "unknown":  # whoever wrote the file chose the name
        return f"unknown member in {_place(fault.path[:-1]) or 'the record'}"
    state = "missing" if fault.kind == "missing" else "not as it must be"
    return f"{_place(fault.path)} is {state}"


def _place(path: tuple[str, ...]) -> str:
    """Return a path as the host configuration's messages write it: `tags#1` is the first tag."""
    parts = (f"#{int(part) + 1}" if part.isdecimal() else f".{part}" for part in path)
    return "".join(parts).removeprefix(".")
