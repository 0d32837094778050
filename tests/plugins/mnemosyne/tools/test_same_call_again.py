"""Every tool is declared idempotent: the same call again has no further effect."""

from pathlib import Path
from typing import Any

import pytest

from tests.plugins.mnemosyne.caller import Caller
from tests.plugins.mnemosyne.tree import canonical, files, put, reference

ACTIVE, ARCHIVED = canonical(1, content="Tea."), canonical(2, state="archived")
SAID = {"title": None, "content": "Coffee.", "tags": []}
NEW = {name: ACTIVE[name] for name in ("scope", "namespace", "collection", "kind")} | {
    "language": None,
    "origin": "explicit_user_statement",
    **SAID,
}


def about(record: dict[str, Any]) -> dict[str, Any]:
    return {"reference": reference(record), "expected_revision": 1}


CALLS: list[tuple[str, dict[str, Any], str, str]] = [
    ("memory_recall", {"query": "tea", "scope": "project"}, "ok", "ok"),
    ("memory_list", {"scope": "project"}, "ok", "ok"),
    ("memory_inspect", {"reference": reference(ACTIVE)}, "ok", "ok"),
    ("memory_remember", NEW, "remembered", "already_exists"),
    ("memory_revise", about(ACTIVE) | SAID | {"namespace_label": None}, "revised",
     "revision_conflict"),
    ("memory_archive", about(ACTIVE), "archived", "revision_conflict"),
    ("memory_restore", about(ARCHIVED), "restored", "revision_conflict"),
    ("memory_forget", about(ARCHIVED), "forgotten", "not_found"),
]  # fmt: skip


@pytest.mark.parametrize(("tool", "arguments", "first", "second"), CALLS)
def test_the_same_call_again_has_no_further_effect(
    caller: Caller, root: Path, tool: str, arguments: dict[str, Any], first: str, second: str
) -> None:
    for record in (ACTIVE, ARCHIVED):
        put(root, record)
    assert caller.code(tool, **arguments) == first
    after = files(root)
    assert caller.code(tool, **arguments) == second
    assert files(root) == after
    assert caller.tools[tool].published["annotations"]["idempotentHint"]


def test_every_tool_is_called_again(caller: Caller) -> None:
    assert {tool for tool, *_ in CALLS} == set(caller.tools)
