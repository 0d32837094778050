"""Policies of content: what is given to the product, to the ledger and to people."""

import ast
import json
from pathlib import Path
from typing import Any

from codegen.catalog import build, load, read
from codegen.compilation import compile_catalog
from codegen.emit import policy as emit
from codegen.policies import Policy
from codegen.states import states
from mymcp._generated.policy import CONTENT_V1

ROOT = Path(__file__).parents[2]
PATH = "contracts/policy/content-v1.json"


def compiled(**changes: Any) -> Policy:
    files = dict(read(ROOT))
    files[PATH] = json.dumps(json.loads(files[PATH]) | changes).encode()
    (policy,) = compile_catalog(build(files)).policies
    return policy


def test_the_product_has_what_the_contract_says() -> None:
    (policy,) = compile_catalog(load(ROOT)).policies
    assert policy.content == CONTENT_V1
    assert policy.capability == "policy-content-v1"


def test_named_sets_are_replaced_by_their_characters() -> None:
    contract = json.loads((ROOT / PATH).read_text("utf-8"))
    first = next(prefix for prefix in compiled().content.prefixes if prefix.text == "AKIA")
    assert (first.body, first.least, first.exact) == (contract["sets"]["upper_digit"], 16, True)


def test_the_generated_module_is_ascii_and_frozen() -> None:
    text = emit.module([compiled()])
    assert text.isascii()
    assert text.splitlines()[0].startswith('"""Generated from contracts/policy')
    (constant,) = (node for node in ast.parse(text).body if isinstance(node, ast.Assign))
    assert not [node for node in ast.walk(constant) if isinstance(node, ast.List | ast.Dict)]


def test_every_change_is_one_of_the_contract_but_that_of_the_number() -> None:
    state = compiled().state
    assert state == next(s for s in states(compile_catalog(load(ROOT))) if s.source == PATH)
    assert compiled(version=2).state.contract == state.contract
    assert compiled(scheme_reach=32).state.contract != state.contract
    assert dict(state.fields)["examples.refused"].endswith(" values")


def test_the_page_shows_formulas_that_nothing_takes_for_a_secret() -> None:
    examples = {
        "refused": [
            {
                "about": "a | b",
                "reason": "credential_shape",
                "values": [["x`y", {"repeat": [" z", 3]}]],
            }
        ],
        "accepted": [{"about": "one", "values": [" \u200b "]}],
    }
    page = emit.page(compiled(examples=examples))
    assert [row.words for row in page.refused] == ["`` x`y `` + 3 x ` z`"]
    assert [row.words for row in page.accepted] == ["`  \\u200b  `"]


def test_a_catalog_without_a_policy_has_no_module_for_one() -> None:
    files = {path: data for path, data in read(ROOT).items() if path != PATH}
    assert compile_catalog(build(files)).policies == ()
