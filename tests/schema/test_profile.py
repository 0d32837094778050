"""The profile and its check, held against what llama.cpp was seen to do."""

import json
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mymcp.schema.conformity import VIOLATIONS_MAX, cost_of, violations_of
from mymcp.schema.profile import profile_of
from mymcp.schema.publication import (
    COUNT_MAX,
    INTEGER_MAX_DIGITS,
    LENGTH_MAX,
    PATTERN_CONSTRUCTS,
)

DATA = json.loads(
    (Path(__file__).parents[2] / "contracts/profiles/llama-safe-v1.json").read_text("utf-8")
)
PROFILE = profile_of(DATA)
CONSTRUCTS = {
    entry["name"]: entry
    for entry in json.loads((Path(__file__).parent / "constructs.json").read_text("utf-8"))
}
OUT_OF_REACH = {
    "property_order_not_as_listed": "the grammar fixes the order; the schema has none to forbid",
    "optional_before_required": "the grammar writes required members first; the server takes both",
    "string_DEL_char": "no schema of a text can say that DEL is never written",
    "format_time_microseconds": "the format is safe; only values with microseconds are not written",
    "format_date_time_microseconds": "the same of date-time",
    "integer_17_digits": "an integer without bounds is safe; only long values are not written",
    "integer_as_1.0": "the grammar never writes 1.0, and the server refuses it anyway",
}
"""Constructs with a valid value that some build cannot write, though the schema itself is safe."""


def closed(**properties: Any) -> dict[str, Any]:
    return {"type": "object", "properties": properties, "additionalProperties": False}


def rules_of(schema: object) -> list[tuple[str, str]]:
    return [(found.pointer, found.rule) for found in violations_of(schema, PROFILE)]


@pytest.mark.parametrize("name", [name for name, entry in CONSTRUCTS.items() if entry["refuse"]])
def test_a_construct_that_some_build_cannot_take_is_refused(name: str) -> None:
    refused = bool(violations_of(CONSTRUCTS[name]["schema"], PROFILE))
    assert refused != (name in OUT_OF_REACH)


def test_every_exception_is_a_construct_that_was_measured() -> None:
    assert {name for name, entry in CONSTRUCTS.items() if entry["refuse"]} >= set(OUT_OF_REACH)


ACCEPTED = [
    "object_required",
    "optional_only_many_20",
    "empty_properties_closed",
    "string_plain",
    "minLength_1",
    "maxLength_100",
    "maxLength_counts_escapes",
    "maxLength_0",
    "pattern_anchored_class",
    "pattern_escaped_dot",
    "pattern_class_trailing_hyphen",
    "pattern_class_with_dot",
    "pattern_alternation",
    "pattern_quantifier_open",
    "pattern_quantifier_1000",
    "pattern_quantifier_group_nested",
    "pattern_iso_datetime",
    "format_date",
    "format_time",
    "format_date_time",
    "format_uuid",
    "enum_strings",
    "integer_plain",
    "number_plain",
    "integer_min_max",
    "integer_min_only",
    "integer_max_only",
    "integer_negative_range",
    "integer_mixed_range",
    "nullable_anyOf",
    "nullable_object_anyOf",
    "boolean",
    "array_items",
    "array_minItems_maxItems",
    "array_minItems_0_maxItems_0",
    "array_maxItems_100",
    "array_maxItems_666",
    "array_maxItems_667",
    "array_maxItems_1000",
    "array_minItems_500",
    "array_of_maxLength_strings",
    "array_inline_tuple_union_maxItems_500",
    "deep_nesting_30",
]


@pytest.mark.parametrize("name", ACCEPTED)
def test_a_construct_that_all_builds_take_is_accepted(name: str) -> None:
    assert rules_of(CONSTRUCTS[name]["schema"]) == []


@pytest.mark.parametrize(
    ("schema", "expected"),
    [
        (3, ("", "shape")),
        ({"type": "string"}, ("", "object")),
        (closed(a=True), ("/properties/a", "shape")),
        (closed(a={"type": ["string", "null"]}), ("/properties/a", "type")),
        (closed(a={"type": "string", "title": "A"}), ("/properties/a/title", "keyword")),
        (closed(a={"type": "string", "maxLength": 1001}), ("/properties/a/maxLength", "bounds")),
        (closed(a={"type": "string", "maxLength": True}), ("/properties/a/maxLength", "bounds")),
        (
            closed(a={"type": "string", "pattern": "^a$", "maxLength": 1}),
            ("/properties/a", "bounds"),
        ),
        (closed(a={"type": "string", "pattern": "^(?:a)$"}), ("/properties/a/pattern", "pattern")),
        (
            closed(a={"type": "string", "pattern": "^a{1001}$"}),
            ("/properties/a/pattern", "pattern"),
        ),
        (closed(a={"type": "string", "enum": ["a", "a"]}), ("/properties/a/enum", "enum")),
        (closed(a={"type": "string", "enum": ['"']}), ("/properties/a/enum", "enum")),
        (closed(a={"type": "integer", "maximum": 10**15}), ("/properties/a/maximum", "bounds")),
        (closed(a={"type": "integer", "minimum": 2, "maximum": 1}), ("/properties/a", "bounds")),
        (closed(a={"type": "array"}), ("/properties/a", "shape")),
        (
            closed(a={"type": "array", "items": {"type": "string"}, "uniqueItems": True}),
            ("/properties/a/uniqueItems", "keyword"),
        ),
        (closed(a={"anyOf": []}), ("/properties/a/anyOf", "union")),
        (closed(a={"anyOf": [{"anyOf": [{"type": "null"}]}]}), ("/properties/a/anyOf/0", "union")),
        (
            closed(a={"anyOf": [{"type": "null"}], "type": "string"}),
            ("/properties/a/type", "union"),
        ),
        ({"anyOf": [closed()]}, ("/anyOf", "union")),
        (closed(**{"a/b": {"type": "string"}}), ("/properties/a~1b", "name")),
        (closed() | {"required": ["a"]}, ("/required", "object")),
        (closed() | {"additionalProperties": True}, ("/additionalProperties", "object")),
        (closed(**{f"p{i}": {"type": "string"} for i in range(51)}), ("/properties", "budget")),
        (closed() | {"$ref": "#"}, ("/$ref", "keyword")),
    ],
)
def test_a_violation_says_where_and_which_rule(schema: object, expected: tuple[str, str]) -> None:
    assert expected in rules_of(schema)


def test_an_open_object_may_stand_below_the_root_only() -> None:
    assert rules_of(closed(a={"type": "object", "description": "Anything."})) == []
    assert rules_of({"type": "object"}) == [("", "object")]


def test_null_may_stand_beside_a_value_only() -> None:
    assert rules_of(closed(a={"anyOf": [{"type": "string"}, {"type": "null"}]})) == []
    assert rules_of(closed(a={"type": "null"})) == [("/properties/a", "type")]


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=4),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(
                ["type", "properties", "items", "anyOf", "enum", "pattern", "required", "format",
                 "minLength", "maxLength", "minimum", "maximum", "additionalProperties", "x"]
            )
            | st.text(max_size=3),
            inner | st.sampled_from(["object", "string", "array", "integer"]),
            max_size=4,
        )
    ),
    max_leaves=20,
)  # fmt: skip


@given(JSON)
def test_no_schema_can_crash_the_check(schema: Any) -> None:
    assert violations_of(schema, PROFILE) or isinstance(schema, dict)
    assert cost_of(schema) >= 0


def test_a_hostile_schema_ends_soon_and_says_little() -> None:
    deep: dict[str, Any] = closed()
    for _ in range(300):
        deep = closed(a=deep)
    assert ("/properties/a" * 32, "budget") in rules_of(deep)
    wide = closed(**{f"-{i}": {"type": "x"} for i in range(1_000)})
    assert len(violations_of(wide, PROFILE)) == VIOLATIONS_MAX
    assert cost_of(deep) > 0


def test_the_cost_counts_lengths_items_and_repetitions() -> None:
    assert cost_of(closed(a={"type": "string", "maxLength": 500})) == 502
    assert cost_of(closed(a={"type": "string", "pattern": "^[a]{1,30}$"})) == 1 + 1 + 1 + 1 + 31
    assert cost_of(closed(a={"anyOf": [{"type": "string", "maxLength": 7}]})) == 10


def test_what_publication_leaves_is_within_the_profile() -> None:
    assert PROFILE.constructs >= PATTERN_CONSTRUCTS
    assert PROFILE.budgets.length >= LENGTH_MAX
    assert PROFILE.repetition_max >= LENGTH_MAX
    assert PROFILE.budgets.items >= COUNT_MAX
    assert PROFILE.budgets.integer_digits >= INTEGER_MAX_DIGITS


@pytest.mark.parametrize("name", sorted(DATA))
def test_a_profile_without_one_of_its_members_is_none(name: str) -> None:
    rest = {key: value for key, value in DATA.items() if key != name}
    if name in ("$schema", "title", "description"):
        assert profile_of(rest) == PROFILE
    else:
        with pytest.raises(ValueError, match="not a profile"):
            profile_of(rest)


@pytest.mark.parametrize("value", [None, 3, [], {}, [1], {"a": 1}, "("])
def test_nonsense_in_a_profile_cannot_crash_the_check(value: object) -> None:
    for name in ("annotations", "types", "unions", "pattern", "names", "budgets", "enum_text"):
        changed = {**DATA, name: value}
        with suppress(ValueError):
            violations_of(closed(a={"type": "string"}), profile_of(changed))
