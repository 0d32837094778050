"""Any schema of JSON Schema 2020-12, brought down to what every client can compile."""

import json
from collections.abc import Callable, Mapping
from importlib.resources import files
from typing import Any

import jsonschema_rs
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mymcp.schema.conformity import violations_of
from mymcp.schema.profile import profile_of
from mymcp.schema.publication import publish
from mymcp.schema.widening import LEVELS_MAX, widen

PROFILE = profile_of(
    json.loads(files("mymcp._generated.data").joinpath("profiles/llama-safe-v1.json").read_bytes())
)
Schema = dict[str, Any]


def portable(schema: Mapping[str, object]) -> Schema:
    return publish(widen(schema).schema).schema


def shown(inner: object, **root: object) -> Any:
    """Return what becomes of the schema of property `v`."""
    whole = {"type": "object", "properties": {"v": inner}, "additionalProperties": False, **root}
    return portable(whole)["properties"]["v"]


def losses(inner: object, **root: object) -> set[str]:
    whole = {"type": "object", "properties": {"v": inner}, "additionalProperties": False, **root}
    return {loss.what for loss in widen(whole).losses}


TEXT = {"type": "string"}
ANYTHING = {
    "anyOf": [
        {"type": "string"},
        {"type": "number"},
        {"type": "boolean"},
        {"type": "object"},
        {
            "type": "array",
            "items": {
                "anyOf": [
                    {"type": "string"},
                    {"type": "number"},
                    {"type": "boolean"},
                    {"type": "object"},
                    {"type": "null"},
                ]
            },
        },
        {"type": "null"},
    ]
}


@pytest.mark.parametrize(
    ("inner", "expected"),
    [
        ({"type": "string", "format": "email"}, {**TEXT, "description": "Format: email."}),
        ({"type": "string", "format": "date", "maxLength": 10}, {**TEXT, "format": "date"}),
        ({"type": "string", "format": "date", "pattern": "^[0-9]$"}, None),
        ({"type": "string", "pattern": "a"}, TEXT),
        ({"type": "string", "pattern": r"^\d+$"}, TEXT),
        ({"type": "string", "minLength": 3, "maxLength": 1}, TEXT),
        ({"type": "string", "maxLength": 2.0}, {**TEXT, "maxLength": 2}),
        ({"enum": ["a", "b"]}, {**TEXT, "enum": ["a", "b"]}),
        ({"type": "string", "enum": ['say "a"']}, TEXT),
        ({"const": "a"}, {**TEXT, "enum": ["a"]}),
        ({"const": 3}, {"type": "integer", "minimum": 3, "maximum": 3}),
        (
            {"enum": [1, 5]},
            {"type": "integer", "description": "One of: 1, 5.", "minimum": 1, "maximum": 5},
        ),
        ({"type": "integer", "exclusiveMinimum": 1}, {"type": "integer", "minimum": 2}),
        ({"type": "integer", "exclusiveMaximum": 1.5}, {"type": "integer", "maximum": 1}),
        ({"type": "integer", "minimum": 1.5}, {"type": "integer", "minimum": 2}),
        ({"type": "integer", "minimum": 5, "maximum": 1}, {"type": "integer"}),
        (
            {"type": "integer", "multipleOf": 5},
            {"type": "integer", "description": "A multiple of 5."},
        ),
        (
            {"type": "number", "minimum": 0, "exclusiveMaximum": 1.5},
            {"type": "number", "description": "At least 0. Below 1.5."},
        ),
        ({"type": "boolean", "const": True}, {"type": "boolean", "description": "One of: True."}),
        ({"type": ["string", "null"]}, {"anyOf": [TEXT, {"type": "null"}]}),
        ({"type": "null"}, {"anyOf": [{"type": "null"}]}),
        ({"enum": ["a", None]}, {"anyOf": [{**TEXT, "enum": ["a"]}, {"type": "null"}]}),
        ({"type": "string", "title": "Name"}, {**TEXT, "description": "Name"}),
        ({"type": "string", "default": "x"}, {**TEXT, "description": "Default: x."}),
        ({"type": "string", "x-mcp-header": "City"}, {**TEXT, "x-mcp-header": "City"}),
        ({"type": "string", "x-normalise": "trimmed", "maxLength": 9}, {**TEXT, "maxLength": 9}),
        ({"allOf": [TEXT, {"maxLength": 3}]}, {**TEXT, "maxLength": 3}),
        ({"allOf": [{"type": ["string", "null"]}, TEXT]}, TEXT),
        ({"anyOf": [TEXT]}, TEXT),
        (
            {"oneOf": [TEXT, {"anyOf": [{"type": "boolean"}, {"type": "null"}]}]},
            {"anyOf": [TEXT, {"type": "boolean"}, {"type": "null"}]},
        ),
        (
            {"type": "string", "anyOf": [{"minLength": 2}, {"enum": ["a"]}]},
            {"anyOf": [{**TEXT, "minLength": 2}, {**TEXT, "enum": ["a"]}]},
        ),
        ({"type": "object"}, {"type": "object"}),
        ({"type": "object", "additionalProperties": TEXT}, {"type": "object"}),
        (
            {"type": "object", "properties": {"a-b": TEXT}, "additionalProperties": False},
            {"type": "object"},
        ),
        ({"type": "array"}, None),
        ({"type": "array", "items": TEXT, "uniqueItems": True}, {"type": "array", "items": TEXT}),
        (
            {"type": "array", "prefixItems": [TEXT, {"type": "boolean"}], "items": False},
            {"type": "array", "items": {"anyOf": [TEXT, {"type": "boolean"}]}},
        ),
        (True, ANYTHING),
        ({}, ANYTHING),
        ({"description": "What you like."}, {**ANYTHING, "description": "What you like."}),
    ],
    ids=repr,
)
def test_construct_becomes_one_that_every_client_knows(inner: object, expected: object) -> None:
    if expected is not None:
        assert shown(inner) == expected
    assert violations_of(shown({"type": "object", "properties": {"w": inner}}), PROFILE) == ()


def test_reference_is_written_out() -> None:
    defs = {"name": {"type": "string", "maxLength": 5}}
    assert shown({"$ref": "#/$defs/name"}, **{"$defs": defs}) == {**TEXT, "maxLength": 5}
    assert shown({"$ref": "#/$defs/name", "maxLength": 3}, **{"$defs": defs})["maxLength"] == 3


def test_recursion_is_cut_with_a_loss() -> None:
    tree = {
        "type": "object",
        "properties": {"next": {"$ref": "#/$defs/tree"}},
        "additionalProperties": False,
    }
    found = shown({"$ref": "#/$defs/tree"}, **{"$defs": {"tree": tree}})
    assert found["properties"]["next"] == {"type": "object"}
    assert "$ref" in losses({"$ref": "#/$defs/tree"}, **{"$defs": {"tree": tree}})


def test_union_at_the_root_becomes_optional_properties() -> None:
    branches = [
        {
            "properties": {"kind": {"const": "a"}, "size": {"type": "integer"}},
            "required": ["kind", "size"],
        },
        {"properties": {"kind": {"const": "b"}}, "required": ["kind"]},
    ]
    found = portable({"type": "object", "oneOf": branches})
    assert found["required"] == ["kind"]
    assert found["properties"]["size"] == {"type": "integer"}
    assert {tuple(one["enum"]) for one in found["properties"]["kind"]["anyOf"]} == {("a",), ("b",)}
    assert "anyOf" not in found


def test_property_that_is_only_required_may_be_anything() -> None:
    found = portable({"type": "object", "required": ["a"]})
    assert found["properties"] == {"a": ANYTHING}
    assert found["required"] == ["a"]


def test_object_that_is_open_is_closed_with_a_loss() -> None:
    found = widen({"type": "object", "properties": {"a": TEXT}})
    assert found.schema["additionalProperties"] is False
    assert [(loss.pointer, loss.what) for loss in found.losses] == [("", "additionalProperties")]


@pytest.mark.parametrize(
    "keyword",
    [
        {"not": TEXT}, {"if": TEXT, "then": TEXT}, {"dependentRequired": {"a": ["b"]}},
        {"contains": TEXT}, {"propertyNames": TEXT}, {"unevaluatedProperties": False},
        {"minProperties": 2}, {"contentEncoding": "base64"}, {"patternProperties": {"^a": TEXT}},
        {"x-anything": 1},
    ],
    ids=lambda value: next(iter(value)),
)  # fmt: skip
def test_what_no_grammar_knows_is_a_loss(keyword: Schema) -> None:
    whole = {"type": "object", "properties": {}, "additionalProperties": False, **keyword}
    assert next(iter(keyword)) in losses(whole)
    assert violations_of(portable(whole), PROFILE) == ()


def test_endless_nesting_is_cut() -> None:
    deep: Schema = TEXT
    for _ in range(LEVELS_MAX * 2):
        deep = {"type": "object", "properties": {"a": deep}, "additionalProperties": False}
    assert violations_of(portable(deep), PROFILE) == ()
    assert "depth" in {loss.what for loss in widen(deep).losses}


def doubling(pair: Callable[[Schema], Schema]) -> Schema:
    """Return a short schema that would unfold to 2**39 parts."""
    defs: Schema = {"d0": TEXT}
    for n in range(1, 40):
        defs[f"d{n}"] = pair({"$ref": f"#/$defs/d{n - 1}"})
    return {"type": "object", "properties": {"a": {"$ref": "#/$defs/d39"}}, "$defs": defs}


@pytest.mark.parametrize(
    "pair",
    [
        lambda one: {"type": "object", "properties": {"a": one, "b": one}},
        lambda one: {"anyOf": [one, {"allOf": [one]}]},
        lambda one: {"allOf": [{"properties": {"a": one}}, {"properties": {"b": one}}]},
        lambda one: {"allOf": [{"anyOf": [one, {"title": "x"}]}, {"items": one}]},
        lambda one: {"type": "array", "items": {"anyOf": [one, {"type": "array", "items": one}]}},
    ],
)
def test_references_that_double_each_other_end(pair: Callable[[Schema], Schema]) -> None:
    found = widen(doubling(pair))
    assert len(json.dumps(found.schema)) < 2_000_000
    assert {"$ref", "depth"} & {loss.what for loss in found.losses}


names = st.sampled_from(["a", "b", "c"])
numbers = st.integers(-3, 6) | st.sampled_from([0.5, 2.0, 4.5])
scalars = (
    st.none() | st.booleans() | numbers | st.sampled_from(["", "a", "b", "ab", '"', "2026-01-01"])
)
values = st.recursive(
    scalars, lambda inner: st.lists(inner, max_size=2) | st.dictionaries(names, inner, max_size=2)
)


def optional(**members: st.SearchStrategy[Any]) -> st.SearchStrategy[Schema]:
    return st.fixed_dictionaries({}, optional=members)


def typed(name: str, **members: st.SearchStrategy[Any]) -> st.SearchStrategy[Schema]:
    return st.fixed_dictionaries({"type": st.just(name)}, optional=members)


def composite(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[Schema]:
    several = st.lists(inner, min_size=1, max_size=3)
    closed = st.builds(
        lambda properties, required: {
            "type": "object",
            "properties": properties,
            "required": required,
            "additionalProperties": False,
        },
        st.dictionaries(names, inner, max_size=3),
        st.lists(names, unique=True, max_size=1),
    )
    lengths = st.integers(0, 2)
    arrays = st.builds(
        lambda items, more: {"type": "array", "items": items, **more},
        inner,
        optional(minItems=lengths, maxItems=lengths, uniqueItems=st.booleans()),
    )
    unions = st.builds(
        lambda word, found: {word: found}, st.sampled_from(["anyOf", "oneOf", "allOf"]), several
    )
    return closed | arrays | unions | st.builds(lambda one, two: {**one, **two}, unions, closed)


leaves = (
    typed(
        "string",
        minLength=st.integers(0, 2),
        maxLength=st.integers(0, 2),
        pattern=st.sampled_from(["^a*$", "a", "^(a|b)$"]),
        format=st.sampled_from(["date", "email"]),
        enum=st.lists(st.sampled_from(["a", "b", '"']), min_size=1, unique=True),
    )
    | typed("integer", minimum=numbers, exclusiveMaximum=numbers, multipleOf=st.just(2))
    | typed("number", minimum=numbers, maximum=numbers)
    | st.builds(lambda found: {"enum": found}, st.lists(scalars, min_size=1, max_size=3))
    | st.builds(lambda value: {"const": value}, scalars)
    | st.builds(
        lambda found: {"type": found},
        st.lists(
            st.sampled_from(["string", "null", "boolean", "integer"]), min_size=1, unique=True
        ),
    )
)
schemas = st.recursive(leaves, composite, max_leaves=5)


@given(st.dictionaries(names, schemas, min_size=1), st.data())
def test_whatever_the_author_accepts_the_published_schema_accepts(
    properties: Schema, data: st.DataObject
) -> None:
    whole = {"type": "object", "properties": properties, "additionalProperties": False}
    found = portable(whole)
    assert violations_of(found, PROFILE) == ()
    own, published = (jsonschema_rs.Draft202012Validator(one) for one in (whole, found))
    for _ in range(5):
        value = data.draw(st.dictionaries(names, values, max_size=2))
        if own.is_valid(value):
            assert published.is_valid(value), (whole, found)
