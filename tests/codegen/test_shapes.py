"""The shapes of rules: the linter recognises exactly what the generator turns into rules."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from codegen.dialect.shapes import recognise
from codegen.rules import extract

LABEL: dict[str, Any] = {"properties": {"c": {"type": "string"}}, "required": ["c"]}
SHAPES: list[dict[str, Any]] = [
    {"title": "r", "dependentRequired": {"a": ["b"]}},
    {"title": "r", "not": {"required": ["a", "b", "c"]}},
    {
        "title": "r",
        "description": "Says why.",
        "anyOf": [
            {"properties": {"a": {"const": "x"}, "b": {"enum": ["y", "z"]}}},
            {"properties": {"b": {"enum": ["z"]}, "a": {"const": "w"}}},
        ],
    },
    {
        "title": "r",
        "anyOf": [
            {"properties": {"a": {"const": "x"}, "b": {"properties": {"c": {"enum": ["y"]}}}}}
        ],
    },
    {
        "title": "r",
        "if": {"properties": {"a": {"const": "x"}}, "required": ["a"]},
        "then": {"required": ["b"]},
        "else": {"not": {"required": ["b"]}},
    },
    {"title": "r", "if": LABEL, "then": {"required": ["b"]}},
    {
        "title": "r",
        "if": {"properties": {"a": LABEL}, "required": ["a"]},
        "then": {"required": ["b"]},
    },
]
JSON = st.recursive(
    st.none() | st.booleans() | st.integers(0, 2) | st.sampled_from(["a", "b", "x"]),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(
                ["title", "not", "required", "if", "then", "else", "anyOf", "properties", "const",
                 "enum", "type", "a", "b", "dependentRequired"]
            ),
            inner,
            max_size=4,
        )
    ),
    max_leaves=12,
)  # fmt: skip


@pytest.mark.parametrize("shape", SHAPES)
def test_what_is_recognised_is_what_the_generator_makes(shape: dict[str, Any]) -> None:
    assert extract({"allOf": [shape]}).rules == (recognise(shape),)


@pytest.mark.parametrize("shape", SHAPES)
def test_one_member_more_and_it_is_no_shape(shape: dict[str, Any]) -> None:
    for name in ("type", "properties", "required", "minProperties", "x"):
        if name not in shape:
            assert recognise({**shape, name: {}}) is None
    for name, inner in shape.items():
        if isinstance(inner, dict):
            assert recognise({**shape, name: {**inner, "minProperties": 1}}) is None
    assert recognise({name: inner for name, inner in shape.items() if name != "title"}) is None


@given(JSON)
def test_no_value_can_crash_it_and_the_generator_understands_what_it_recognises(
    value: Any,
) -> None:
    shape = recognise(value)
    if shape is not None:
        assert extract({"allOf": [value]}).rules == (shape,)


@given(st.data())
def test_a_changed_shape_is_understood_alike_or_not_at_all(data: st.DataObject) -> None:
    shape = data.draw(st.sampled_from(SHAPES))
    name = data.draw(st.sampled_from(sorted(shape)))
    changed = {**shape, name: data.draw(JSON)}
    found = recognise(changed)
    if found is not None:
        assert extract({"allOf": [changed]}).rules == (found,)
