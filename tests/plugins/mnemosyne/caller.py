"""Calls of the real bound tools, with every answer held against what is published."""

import json
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path
from typing import Any

import jsonschema_rs

from mymcp.contract.tool import BoundTool
from mymcp.plugins.mnemosyne.memory.storage import Storage
from mymcp.plugins.mnemosyne.plugin import compose, compose_over
from mymcp.plugins.mnemosyne.settings import GATE_VARIABLES, Settings

INSTANT = datetime(2026, 11, 30, 9, 8, 7, 654321, tzinfo=UTC)


class Caller:
    """The tools of one Mnemosyne, with a still clock and repeatable randomness.

    They are over the files below `root`, or over another `storage`.
    """

    def __init__(
        self,
        root: Path,
        *,
        seed: str = "one",
        clock: Callable[[], datetime] = lambda: INSTANT,
        candidate_limit: int = 1_000,
        storage: Storage | None = None,
    ) -> None:
        settings = Settings(root, frozenset(GATE_VARIABLES), candidate_limit)
        outside = {"clock": clock, "randomness": randomness_of(seed)}
        if storage is None:
            contribution = compose(settings, **outside)
        else:
            contribution = compose_over(storage, settings, **outside)
        self.tools: dict[str, BoundTool] = {t.capability.name: t for t in contribution.tools}

    def ok(self, tool: str, **arguments: object) -> dict[str, Any]:
        """Call `tool`, which must succeed; the result fits the published output schema."""
        outcome = self.tools[tool].call(arguments)
        assert not outcome.is_error, outcome.text
        assert outcome.structured is not None
        schema = self.tools[tool].published["outputSchema"]
        result = json.loads(outcome.structured)
        jsonschema_rs.validator_for(schema).validate(result)
        assert outcome.text == outcome.structured
        return dict(result)

    def error(self, tool: str, **arguments: object) -> dict[str, Any]:
        """Call `tool`, which must answer an error with the declared members in order."""
        outcome = self.tools[tool].call(arguments)
        assert outcome.is_error, outcome.text
        assert outcome.structured is None
        found = dict(json.loads(outcome.text))
        members = ["status", "code", "field", "reason", "reference", "message"]
        assert list(found) == [name for name in members if name in found]
        return found

    def refusal(self, tool: str, **arguments: object) -> tuple[str, str, str | None]:
        """Call `tool`, which must answer an error; return its status, code and field."""
        found = self.error(tool, **arguments)
        return found["status"], found["code"], found.get("field")

    def code(self, tool: str, **arguments: object) -> str:
        """Call `tool`; return the code of its error or the status of its result."""
        answer = json.loads(self.tools[tool].call(arguments).text)
        return str(answer.get("code", answer["status"]))


def randomness_of(seed: str) -> Callable[[int], bytes]:
    """Return a source of bytes that are the same for the same seed."""
    endless = _bytes(seed)
    return lambda count: bytes(next(endless) for _ in range(count))


def _bytes(seed: str) -> Iterator[int]:
    number = 0
    while True:
        yield from sha256(f"{seed} {number}".encode()).digest()
        number += 1
