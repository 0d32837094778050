"""What every client says to the server, whatever library it speaks through."""

import json
import os
from collections.abc import Awaitable, Callable

Call = Callable[[str, dict[str, object]], Awaitable[dict[str, object]]]

MEMORY = {
    "scope": "project",
    "namespace": {"kind": "project", "id": "atlas", "label": "Atlas"},
    "collection": {"id": "storage", "label": None},
    "kind": "decision",
    "language": "en",
    "title": "Café ledger on SQLite",
    "content": "The ledger moved to SQLite because two writers corrupted the old file.",
    "tags": ["storage", "ledger"],
    "origin": "user_approved_proposal",
}
WHERE = {"scope": "project", "namespace_id": "atlas"}


def proof() -> dict[str, str]:
    """Return the header by which this client says who it is, if it was given one."""
    value = os.environ.get("AUTHORIZATION")
    return {} if value is None else {"Authorization": value}


async def converse(call: Call) -> dict[str, object]:
    """Remember, recall, list and inspect one memory; return every structured answer by tool."""
    remembered = await call("memory_remember", MEMORY)
    return {
        "memory_remember": remembered,
        "memory_recall": await call("memory_recall", {**WHERE, "query": "why sqlite"}),
        "memory_list": await call("memory_list", {**WHERE, "collection_id": "storage"}),
        "memory_inspect": await call("memory_inspect", {"reference": remembered["reference"]}),
    }


def agreed(text: str, structured: dict[str, object] | None) -> dict[str, object]:
    """Return the structured content of a success after comparing it with its text."""
    if structured is None or json.loads(text) != structured:
        raise SystemExit(f"text and structured content differ: {text!r}, {structured!r}")
    return structured
