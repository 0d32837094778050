"""Schemas without references: what wins, what goes, and what is refused."""

from typing import Any

import pytest

from mymcp.schema.resolution import Target, Unresolvable, follow, resolve

DOCUMENTS: dict[str, Any] = {
    "c/tools/a.json": {
        "$defs": {
            "Local": {"type": "string", "description": "Local."},
            "Again": {"$ref": "#/$defs/Local", "description": "Again."},
            "Self": {"type": "object", "properties": {"x": {"$ref": "#/$defs/Self"}}},
            "Left": {"items": {"$ref": "#/$defs/Right"}},
            "Right": {"items": {"$ref": "#/$defs/Left"}},
            "a/b~c": {"type": "boolean"},
            "number": 3,
        }
    },
    "c/shared/t.json": {
        "$defs": {
            "Line": {"type": "string", "minLength": 1, "title": "Line"},
            "Note": {"type": "object", "properties": {"l": {"$ref": "#/$defs/Line"}}},
        }
    },
}


def resolved(schema: dict[str, Any]) -> dict[str, Any]:
    return resolve(schema, "c/tools/a.json", DOCUMENTS, pointer="/input")


def test_a_reference_becomes_what_it_means() -> None:
    assert resolved({"$ref": "#/$defs/Local"}) == {"type": "string", "description": "Local."}
    assert resolved({"$ref": "../shared/t.json#/$defs/Note"}) == {
        "type": "object",
        "properties": {"l": {"type": "string", "minLength": 1, "title": "Line"}},
    }
    assert resolved({"$ref": "#/$defs/a~1b~0c"}) == {"type": "boolean"}


def test_what_stands_beside_a_reference_wins() -> None:
    assert resolved({"$ref": "#/$defs/Local", "description": "Mine."})["description"] == "Mine."
    assert resolved({"$ref": "#/$defs/Again"})["description"] == "Again."


def test_every_place_of_a_schema_is_resolved() -> None:
    line, reference = DOCUMENTS["c/shared/t.json"]["$defs"]["Line"], "../shared/t.json#/$defs/Line"
    ref = {"$ref": reference}
    schema = {
        "properties": {"a": ref, "items": ref},
        "items": ref,
        "anyOf": [ref, {"type": "null"}],
        "oneOf": [ref],
        "allOf": [ref],
        "additionalProperties": ref,
        "patternProperties": {"x": ref},
        "prefixItems": [ref],
        "not": ref,
    }
    assert resolved(schema) == {
        "properties": {"a": line, "items": line},
        "items": line,
        "anyOf": [line, {"type": "null"}],
        "oneOf": [line],
        "allOf": [line],
        "additionalProperties": line,
        "patternProperties": {"x": line},
        "prefixItems": [line],
        "not": line,
    }


def test_values_that_look_like_references_stay() -> None:
    schema = {"const": {"$ref": "x"}, "enum": [{"$ref": "y"}], "required": ["$ref"]}
    assert resolved(schema) == schema


def test_definitions_and_mappings_go_and_the_order_stays() -> None:
    schema = {
        "type": "object",
        "$defs": {"X": {"type": "string"}},
        "properties": {"z": {"type": "string"}, "a": {"$ref": "#/$defs/Local"}},
        "discriminator": {"propertyName": "z", "mapping": {"x": "#/$defs/Local"}},
        "required": ["z"],
    }
    found = resolved(schema)
    assert list(found) == ["type", "properties", "discriminator", "required"]
    assert list(found["properties"]) == ["z", "a"]
    assert found["discriminator"] == {"propertyName": "z"}
    assert "$defs" in schema


@pytest.mark.parametrize(
    ("reference", "trouble"),
    [
        ("https://example.invalid/a.json#/x", "remote"),
        ("//example.invalid/a.json#/x", "remote"),
        ("/etc/passwd#/x", "remote"),
        ("file:a.json#/x", "remote"),
        ("..\\shared\\t.json#/$defs/Line", "remote"),
        ("#/$defs/Nothing", "missing"),
        ("#/$defs/Local/type/x", "missing"),
        ("#Local", "missing"),
        ("#", "missing"),
        ("", "missing"),
        ("../shared/u.json#/$defs/Line", "missing"),
        ("../../../outside.json#/$defs/Line", "missing"),
        ("#/$defs/number", "missing"),
        ("#/$defs/Self", "cycle"),
        ("#/$defs/Left", "cycle"),
    ],
)
def test_a_reference_that_leads_nowhere_is_refused(reference: str, trouble: str) -> None:
    with pytest.raises(Unresolvable) as caught:
        resolved({"properties": {"a~b": {"$ref": reference}}})
    assert caught.value.trouble == trouble
    if trouble in ("remote", "missing"):
        assert caught.value.pointer == "/input/properties/a~0b/$ref"
        assert caught.value.path == "c/tools/a.json"


def test_a_schema_that_unfolds_too_far_is_refused() -> None:
    wide = {f"D{i}": {"anyOf": [{"$ref": f"#/$defs/D{i + 1}"}] * 4} for i in range(20)}
    deep: dict[str, Any] = {"type": "string"}
    for _ in range(200):
        deep = {"items": deep}
    documents = {"a.json": {"$defs": wide | {"D20": {"type": "string"}}}}
    for schema in ({"$ref": "#/$defs/D0"}, deep):
        with pytest.raises(Unresolvable) as caught:
            resolve(schema, "a.json", documents)
        assert caught.value.trouble == "size"


def test_follow_says_where_a_reference_leads() -> None:
    found = follow("../shared/t.json#/$defs/Line", "c/tools/a.json", DOCUMENTS)
    assert isinstance(found, Target)
    assert (found.path, found.pointer) == ("c/shared/t.json", "/$defs/Line")
