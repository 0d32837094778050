"""The examples of the contract, built from their formulas."""

import json
from collections.abc import Iterator
from typing import Any

from mymcp._generated.data import read

CONTRACT: dict[str, Any] = json.loads(read("contracts/policy/content-v1.json"))


def built(value: str | list[Any]) -> str:
    """Return the text of an example: its pieces joined, repeated ones repeated."""
    if isinstance(value, str):
        return value
    return "".join(
        piece if isinstance(piece, str) else piece["repeat"][0] * piece["repeat"][1]
        for piece in value
    )


def refused() -> Iterator[tuple[str, str]]:
    """Yield each text that must be refused, with its reason."""
    for group in CONTRACT["examples"]["refused"]:
        for value in group["values"]:
            yield built(value), group["reason"]


def accepted() -> Iterator[str]:
    """Yield each text that must be accepted."""
    for group in CONTRACT["examples"]["accepted"]:
        yield from map(built, group["values"])
