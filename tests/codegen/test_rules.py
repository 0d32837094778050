"""Each rule shape, and where rules of single fields are found."""

from typing import Any

import pytest

from codegen.rules import UnknownShapeError, extract, is_nullable, is_rule
from mymcp.contract.rules import (
    Allows,
    Distinct,
    Excludes,
    NativeInteger,
    PresentExactlyWhen,
    RequiredWithText,
    Requires,
    Rule,
)
from mymcp.contract.text import collapsed

TEXT = {"type": "string"}
SHAPES: list[tuple[dict[str, Any], list[Rule]]] = [
    (
        {"title": "r", "dependentRequired": {"a": ["b"], "c": ["d", "e"]}},
        [Requires("r", "a", "b"), Requires("r", "c", "d"), Requires("r", "c", "e")],
    ),
    ({"title": "r", "not": {"required": ["a", "b"]}}, [Excludes("r", ("a", "b"))]),
    (
        {
            "title": "r",
            "anyOf": [
                {"properties": {"a": {"const": "x"}, "b": {"enum": ["p", "q"]}}},
                {"properties": {"b": {"enum": ["q"]}, "a": {"const": "y"}}},
            ],
        },
        [Allows("r", ("a",), ("b",), {"x": frozenset({"p", "q"}), "y": frozenset({"q"})})],
    ),
    (
        {
            "title": "r",
            "anyOf": [
                {"properties": {"a": {"const": "x"}, "b": {"properties": {"c": {"enum": ["p"]}}}}}
            ],
        },
        [Allows("r", ("a",), ("b", "c"), {"x": frozenset({"p"})})],
    ),
    (
        {
            "title": "r",
            "if": {"properties": {"a": {"const": "x"}}, "required": ["a"]},
            "then": {"required": ["b"]},
            "else": {"not": {"required": ["b"]}},
        },
        [PresentExactlyWhen("r", "b", ("a",), "x")],
    ),
    (
        {
            "title": "r",
            "if": {
                "properties": {
                    "a": {"properties": {"b": {"type": "string"}}, "required": ["b"]},
                },
                "required": ["a"],
            },
            "then": {"required": ["c"]},
        },
        [RequiredWithText("r", "c", ("a", "b"))],
    ),
]


def closed(**properties: object) -> dict[str, object]:
    return {"type": "object", "additionalProperties": False, "properties": properties}


@pytest.mark.parametrize(("shape", "rules"), SHAPES)
def test_a_shape_gives_its_rule(shape: dict[str, Any], rules: list[Rule]) -> None:
    assert list(extract({**closed(), "allOf": [shape]}).rules) == rules
    assert is_rule(shape)


def test_rules_keep_their_order_and_stand_before_those_of_single_fields() -> None:
    schema = {
        **closed(
            version={"type": "integer", "const": 1},
            tags={"type": "array", "items": TEXT, "uniqueItems": True},
        ),
        "allOf": [shape for shape, _ in SHAPES[:2]],
    }
    names = [type(rule).__name__ for rule in extract(schema).rules]
    assert names == ["Requires", "Requires", "Requires", "Excludes", "NativeInteger", "Distinct"]


def test_distinctness_follows_the_normalisation_of_the_items() -> None:
    item = {"type": "string", "x-normalise": "collapsed"}
    schema = closed(
        plain={"type": "array", "items": TEXT, "uniqueItems": True},
        loose={"type": "array", "items": item, "x-distinct": "casefold"},
        inner=closed(strict={"type": "array", "items": item, "uniqueItems": True}),
    )
    assert list(extract(schema).rules) == [
        Distinct(("plain",)),
        Distinct(("loose",), collapsed, casefold=True),
        Distinct(("inner", "strict"), collapsed),
    ]


def test_integer_constants_are_found_in_nested_null_and_union_members_once() -> None:
    one = closed(v={"type": "integer", "const": 1}, text={"type": "string", "const": "x"})
    two = closed(v={"type": "integer", "const": 2})
    schema = closed(
        maybe={"anyOf": [one, {"type": "null"}]},
        either={"oneOf": [one, two], "discriminator": {"propertyName": "v"}},
    )
    found = extract(schema)
    assert list(found.rules) == [NativeInteger(("maybe", "v")), NativeInteger(("either", "v"))]
    assert found.unions == {("either",)}


def test_boolean_constants_are_no_integers() -> None:
    assert extract(closed(a={"type": "boolean", "const": True})).rules == ()


def test_a_union_that_may_be_null_is_still_a_union() -> None:
    union = {"oneOf": [closed(), closed()], "discriminator": {"propertyName": "v"}}
    schema = closed(a={"anyOf": [union, {"type": "null"}]})
    assert extract(schema).unions == {("a",)}


@pytest.mark.parametrize(
    "shape",
    [
        {"title": "r", "required": ["a"]},
        {"title": "r", "not": {"required": "a"}},
        {"title": "r", "dependentRequired": ["a"]},
    ],
)
def test_another_shape_is_an_error_and_never_silence(shape: dict[str, Any]) -> None:
    with pytest.raises(UnknownShapeError):
        extract({**closed(), "allOf": [shape]})


@pytest.mark.parametrize(
    "schema",
    [TEXT, closed(), {"$ref": "#/$defs/X"}, {"oneOf": []}, {"anyOf": [TEXT, {"type": "null"}]}],
)
def test_a_value_is_no_rule(schema: dict[str, Any]) -> None:
    assert not is_rule(schema)


def test_only_the_one_form_is_nullable() -> None:
    assert is_nullable({"anyOf": [TEXT, {"type": "null"}]})
    assert not is_nullable({"anyOf": [TEXT, TEXT]})
    assert not is_nullable(TEXT)
