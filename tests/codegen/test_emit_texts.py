"""Texts of a contract are data: whatever they say, the output stays Python, JSON and Markdown."""

import ast
import json
import re
from collections.abc import Mapping
from pathlib import PurePosixPath
from typing import Any

import pytest

from codegen import generation
from codegen.compilation import compile_catalog
from codegen.emit.source import docstring, literal, names_in
from codegen.ledger import Entry
from codegen.tree import Tree
from mymcp.contract.faults import Condition, DeclaredError
from mymcp.contract.rules import Allows, Distinct, Requires
from mymcp.contract.text import collapsed
from tests.codegen.kitchen import module, small_catalog

NASTY = 'a "quote"; \'\'\' """ \\ \\" {{ x }} {% y %} <b> | `c` ``` é 🍞 \u2028 end"'


def rewritten(content: Any) -> None:
    """Put the nasty text in the place of every text for people."""
    if isinstance(content, list):
        for item in content:
            rewritten(item)
        return
    if not isinstance(content, dict):
        return
    for name, value in content.items():
        if name in {"description", "message"} and isinstance(value, str):
            content[name] = f"{value} {NASTY}"
        else:
            rewritten(value)
    if "examples" in content:
        content["title"] = f"{content['title']} {NASTY}"
        content["examples"][0]["title"] = NASTY


@pytest.fixture(scope="module")
def nasty() -> Tree:
    found = small_catalog(
        bread=rewritten, weigh=rewritten, slice_bread=rewritten, kitchen=rewritten
    )
    entry = Entry("1.0.0", None, None, "sha256:00", (("a", "b"),), NASTY, None)
    return generation.generate(found, compile_catalog(found), {"weigh": (entry,)})


def test_every_module_is_python_and_says_the_texts(nasty: Tree) -> None:
    for path, content in nasty.items():
        if path.suffix == ".py":
            ast.parse(content.decode(), filename=str(path))
    errors = ast.parse(module(nasty, "tools/weigh.py"))
    texts = {node.value for node in ast.walk(errors) if isinstance(node, ast.Constant)}
    assert f"The scale is broken. {NASTY}" in texts


def test_docstrings_of_models_say_the_texts(nasty: Tree) -> None:
    tree = ast.parse(module(nasty, "models/shared/bread.py"))
    loaf = next(n for n in tree.body if isinstance(n, ast.ClassDef) and n.name == "Loaf")
    said = ast.get_docstring(loaf)
    assert said is not None
    assert said.split() == f"A whole loaf. {NASTY}".split()


def test_published_texts_are_exact(nasty: Tree) -> None:
    path = PurePosixPath("mymcp/_generated/data/published/weigh.json")
    assert json.loads(nasty[path])["title"] == f"Weigh a bread {NASTY}"


def test_tables_keep_their_columns(nasty: Tree) -> None:
    page = nasty[PurePosixPath("docs/contracts/weigh.md")].decode()
    rows = [row for row in page.splitlines() if row.startswith("|")]
    columns = {len(re.findall(r"(?<!\\)\|", row)) - 1 for row in rows}
    assert columns == {3, 4, 6}


def test_no_text_brings_markup_of_html_into_a_page(nasty: Tree) -> None:
    for path, content in nasty.items():
        if path.suffix == ".md":
            prose = re.sub(r"```json\n.*?\n```", "", content.decode(), flags=re.DOTALL)
            assert "<b>" not in prose


def test_examples_stay_within_their_fences(nasty: Tree) -> None:
    page = nasty[PurePosixPath("docs/contracts/weigh.md")].decode()
    blocks = re.findall(r"^```json\n(.*?)\n```$", page, re.DOTALL | re.MULTILINE)
    assert [type(json.loads(block)) for block in blocks] == [dict, dict]


@pytest.mark.parametrize(
    "value",
    [
        NASTY,
        None,
        7,
        True,
        (),
        ("a",),
        (1, ("b", frozenset({"c", "d"}))),
        frozenset(),
        {"k": ("v",), "l": {}},
        Requires("r", "a", "b"),
        Distinct(("a", "b"), collapsed, casefold=True),
        Allows("r", ("a",), ("b",), {"x": frozenset({"p", "q"})}),
        DeclaredError("c", "s", NASTY, field="f.*", when=(Condition("rule", rule="r"),)),
    ],
)
def test_a_literal_evaluates_to_its_value(value: object) -> None:
    known: Mapping[str, object] = {
        known.__name__: known  # type: ignore[attr-defined]  # classes and a function
        for known in (Allows, Condition, DeclaredError, Distinct, Requires, collapsed, frozenset)
    }
    assert eval(literal(value), dict(known)) == value
    assert names_in(value) <= known.keys()


def test_a_value_without_source_is_an_error() -> None:
    with pytest.raises(TypeError, match="no source for a float"):
        literal(1.5)


@pytest.mark.parametrize("text", [NASTY, "plain", '"', "\\"])
def test_a_docstring_says_its_text(text: str) -> None:
    assert ast.literal_eval(docstring(text)) == text
