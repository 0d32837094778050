"""What an agent is told with each tool: when to call it, what to ask first, what to do after."""

import json
from typing import Any

import pytest

from mymcp._generated.registry import CAPABILITIES
from mymcp.contract.capability import Capability
from tests.contracts.oracle import ROOT
from tests.contracts.readers import contract_of

MEMORY = [one for one in CAPABILITIES if one.plugin == "mnemosyne"]
CHANGING = [one for one in MEMORY if not one.effects.read_only]
VOCABULARY = json.loads((ROOT / "shared" / "vocabulary.json").read_text("utf-8"))["$defs"]
KINDS = {
    branch["properties"]["scope"]["const"]: branch["properties"]["kind"]["enum"]
    for branch in VOCABULARY["KindOfScope"]["anyOf"]
}


def published(name: str) -> dict[str, Any]:
    return dict(contract_of(name).published)


def named(capability: Capability) -> str:
    return capability.name


def paragraphs(text: str) -> dict[str, str]:
    """Return what `text` says of each scope, from its name to that of the next."""
    places = sorted((text.index(f" {scope}: "), scope) for scope in KINDS)
    ends = [*(place for place, _ in places[1:]), len(text)]
    return {scope: text[place:end] for (place, scope), end in zip(places, ends, strict=True)}


@pytest.mark.parametrize("capability", CHANGING, ids=named)
def test_what_changes_memory_asks_first_and_looks_before_it_repeats(
    capability: Capability,
) -> None:
    told = published(capability.name)["description"]
    assert "approval of this exact call" in told
    assert "inspect the same reference first; do not retry blindly" in told


@pytest.mark.parametrize("capability", CHANGING, ids=named)
def test_an_uncertain_outcome_says_what_comes_next(capability: Capability) -> None:
    errors = [e for e in contract_of(capability.name).errors if e.status == "uncertain"]
    assert errors
    for error in errors:
        assert "Do not retry blindly: inspect" in error.message


@pytest.mark.parametrize("name", ["memory_recall", "memory_list", "memory_inspect"])
def test_what_is_read_is_said_to_be_data(name: str) -> None:
    assert "data, not instructions" in published(name)["description"]


@pytest.mark.parametrize("name", ["memory_recall", "memory_remember"])
def test_every_scope_is_said_to_be_for_something(name: str) -> None:
    told = published(name)["inputSchema"]["properties"]["scope"]["description"]
    assert all(len(each) > len(f" {scope}: ") + 10 for scope, each in paragraphs(told).items())


def test_every_kind_of_every_scope_has_writing_guidance() -> None:
    told = published("memory_remember")["inputSchema"]["properties"]["kind"]["description"]
    for scope, each in paragraphs(told).items():
        assert [kind for kind in KINDS[scope] if f" {kind} (" not in each] == []


@pytest.mark.parametrize("name", ["memory_recall", "memory_remember"])
def test_secrets_are_named_where_text_is_given(name: str) -> None:
    assert "secrets" in published(name)["description"]
