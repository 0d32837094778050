"""What clients see: each pass alone, and the law that all of them keep."""

import json
from pathlib import Path
from typing import Any

import jsonschema_rs
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from mymcp.schema.conformity import violations_of
from mymcp.schema.profile import profile_of
from mymcp.schema.publication import (
    ANSWER_PASSES,
    PASSES,
    Loss,
    Pass,
    publish,
    publish_answer,
)
from tests.schema.dialects import normalised, roots

PROFILE = profile_of(
    json.loads(
        (Path(__file__).parents[2] / "contracts/profiles/llama-safe-v1.json").read_text("utf-8")
    )
)


@given(roots())
@settings(max_examples=250)
def test_raw_arguments_that_the_server_accepts_are_valid_as_published(
    case: tuple[dict[str, Any], Any],
) -> None:
    schema, raw = case
    assume(jsonschema_rs.is_valid(schema, normalised(raw, schema)))
    assert jsonschema_rs.is_valid(publish(schema).schema, raw)


@given(roots())
@settings(max_examples=150)
def test_what_is_published_keeps_to_the_profile(case: tuple[dict[str, Any], Any]) -> None:
    assert violations_of(publish(case[0]).schema, PROFILE) == ()


@given(roots())
def test_publishing_changes_no_contract_and_nothing_twice(case: tuple[dict[str, Any], Any]) -> None:
    before = json.dumps(case[0])
    published = publish(case[0])
    assert json.dumps(case[0]) == before
    again = publish(published.schema)
    assert again.schema == published.schema
    assert again.losses == ()


@given(roots())
def test_members_keep_their_order_and_stay_required(case: tuple[dict[str, Any], Any]) -> None:
    schema, published = case[0], publish(case[0]).schema
    assert list(published["properties"]) == list(schema["properties"])  # type: ignore[call-overload]
    assert published["required"] == schema["required"]


TEXT = {"type": "string", "description": "A."}
CASES: list[tuple[str, dict[str, Any], dict[str, Any], list[str]]] = [
    ("a constant text", {"type": "string", "const": "x"}, {"type": "string", "enum": ["x"]}, []),
    (
        "a constant integer",
        {"type": "integer", "const": 2, "description": "Two."},
        {"type": "integer", "minimum": 2, "maximum": 2, "description": "Two."},
        [],
    ),
    (
        "a normalised text",
        TEXT | {"minLength": 2, "maxLength": 200, "pattern": "^[^b]*$", "x-normalise": "trimmed"},
        {
            "type": "string",
            "description": "A. At most 200 characters. At least 2 characters. "
            "Outer blanks are cut.",
            "minLength": 1,
        },
        ["pattern", "maxLength", "minLength"],
    ),
    (
        "a text whose letter case is ignored",
        {"type": "string", "maxLength": 35, "x-normalise": "lowered"},
        {"type": "string", "description": "At most 35 characters. Letter case is ignored."},
        ["maxLength"],
    ),
    (
        "a normalised choice",
        TEXT | {"enum": ["x", "y"], "x-normalise": "lowered"},
        {"type": "string", "description": "A. One of: x, y. Letter case is ignored."},
        ["enum"],
    ),
    (
        "a normalised constant",
        {"type": "string", "const": "x", "x-normalise": "lowered"},
        {"type": "string", "description": "One of: x. Letter case is ignored."},
        ["enum"],
    ),
    (
        "a pattern outside the subset",
        TEXT | {"pattern": "^[^a]$", "maxLength": 3, "minLength": 1},
        TEXT | {"maxLength": 3, "minLength": 1},
        ["pattern"],
    ),
    (
        "a length beside a pattern",
        TEXT | {"pattern": "^[a]+$", "minLength": 2, "maxLength": 30},
        {
            "type": "string",
            "description": "A. At most 30 characters. At least 2 characters.",
            "pattern": "^[a]+$",
        },
        ["maxLength", "minLength"],
    ),
    (
        "a length beside a choice",
        TEXT | {"enum": ["a"], "minLength": 1, "pattern": "^a$"},
        TEXT | {"enum": ["a"]},
        ["pattern", "minLength"],
    ),
    (
        "large lengths",
        TEXT | {"minLength": 1_001, "maxLength": 4_000},
        {
            "type": "string",
            "description": "A. At most 4,000 characters. At least 1,001 characters.",
            "minLength": 1_000,
        },
        ["maxLength", "minLength"],
    ),
    (
        "large integers",
        {"type": "integer", "minimum": 0, "maximum": 10**15, "x-default": 3},
        {
            "type": "integer",
            "description": "At most 1,000,000,000,000,000. Default: 3.",
            "minimum": 0,
        },
        ["maximum"],
    ),
    (
        "a default that the description says already",
        {"type": "integer", "description": "3 when left out.", "x-default": 3},
        {"type": "integer", "description": "3 when left out."},
        [],
    ),
    (
        "distinct items",
        {"type": "array", "items": TEXT, "maxItems": 1_001, "uniqueItems": True},
        {
            "type": "array",
            "description": "At most 1,001 items. All different.",
            "items": TEXT,
        },
        ["maxItems", "uniqueItems"],
    ),
    (
        "items that differ in more than letter case",
        {"type": "array", "description": "Different.", "items": TEXT, "x-distinct": "casefold"},
        {"type": "array", "description": "Different.", "items": TEXT},
        ["x-distinct"],
    ),
    (
        "a union that may be null",
        {
            "title": "Either",
            "anyOf": [
                {"oneOf": [TEXT, {"type": "boolean"}], "discriminator": {"propertyName": "a"}},
                {"type": "null"},
            ],
        },
        {"anyOf": [TEXT, {"type": "boolean"}, {"type": "null"}]},
        [],
    ),
    (
        "an open object",
        {"type": "object", "x-open": "why", "description": "Any."},
        {"type": "object", "description": "Any."},
        [],
    ),
]


@pytest.mark.parametrize(("schema", "published", "lost"), [c[1:] for c in CASES],
                         ids=[c[0] for c in CASES])  # fmt: skip
def test_a_member_is_published_as(
    schema: dict[str, Any], published: dict[str, Any], lost: list[str]
) -> None:
    found = publish({"type": "object", "properties": {"a~b": schema}})
    assert json.dumps(found.schema["properties"]) == json.dumps({"a~b": published})
    assert [loss.what for loss in found.losses] == lost
    assert all(loss.pointer == "/properties/a~0b" for loss in found.losses)


def test_rules_go_and_are_told_as_losses() -> None:
    schema = {
        "title": "Root",
        "type": "object",
        "properties": {},
        "allOf": [{"title": "first"}, {"title": "second"}],
    }
    found = publish(schema)
    assert found.schema == {"type": "object", "properties": {}}
    assert found.losses == (Loss("", "rules", "rule first"), Loss("", "rules", "rule second"))


@pytest.mark.parametrize(
    ("name", "description", "published"),
    [
        ("title", "Title, or null.", None),
        ("id", "Its id.", None),
        ("collection_id", "Collection, or null.", None),
        ("tags", "The tags of it.", "The tags of it."),
        ("id", "Namespace id.", "Namespace id."),
        ("kind", "Not kind.", "Not kind."),
        ("label", "42.", "42."),
    ],
)
def test_a_result_is_not_told_what_its_names_tell(
    name: str, description: str, published: str | None
) -> None:
    text = {"type": "string", "maxLength": 4_000, "description": description}
    schema = {"type": "object", "description": "Object.", "properties": {name: text}}
    told = {} if published is None else {"description": published}
    assert publish_answer(schema).schema == {
        **schema, "properties": {name: {"type": "string"} | told}
    }  # fmt: skip
    asked = publish(schema).schema["properties"][name]  # type: ignore[index]
    assert asked["description"] == f"{description} At most 4,000 characters."


@given(roots())
@settings(max_examples=150)
def test_a_result_that_keeps_to_its_contract_is_valid_as_published(
    case: tuple[dict[str, Any], Any],
) -> None:
    schema, answer = case
    assume(jsonschema_rs.is_valid(schema, answer))
    assert jsonschema_rs.is_valid(publish_answer(schema).schema, answer)


@pytest.mark.parametrize("passes", [PASSES, ANSWER_PASSES])
def test_every_pass_says_what_it_is_for(passes: tuple[Pass, ...]) -> None:
    assert len({step.name for step in passes}) == len(passes)
    for step in passes:
        assert step.loses
        assert step.apply.__doc__


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.text(max_size=3),
        lambda inner: (
            st.lists(inner, max_size=3)
            | st.dictionaries(
                st.sampled_from(
                    ["type", "properties", "items", "anyOf", "oneOf", "allOf", "const", "enum",
                     "pattern", "minLength", "maxLength", "x-normalise", "x-distinct",
                     "x-default", "description", "maxItems", "minimum"]
                ),
                inner,
                max_size=4,
            )
        ),
        max_leaves=15,
    ).filter(lambda value: isinstance(value, dict))
)  # fmt: skip
def test_no_schema_can_crash_the_passes(schema: dict[str, Any]) -> None:
    publish(schema)
    publish_answer(schema)
