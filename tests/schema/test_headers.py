from typing import Any

import pytest

from mymcp.schema.headers import parameter_headers


def annotated(name: object, kind: object = "string") -> dict[str, Any]:
    return {"type": kind, "x-mcp-header": name}


def obj(**properties: object) -> dict[str, Any]:
    return {"type": "object", "properties": properties}


def test_headers_are_found_with_their_paths() -> None:
    schema = obj(city=annotated("City"), at=obj(day=annotated("Day", "integer")))
    assert parameter_headers(schema) == {"City": ("city",), "Day": ("at", "day")}


def test_property_and_value_of_that_name_are_no_headers() -> None:
    schema = obj(**{"x-mcp-header": {"type": "string", "enum": ["x-mcp-header"]}})
    assert parameter_headers(schema) == {}


@pytest.mark.parametrize(
    "schema",
    [
        obj(a=annotated("")),
        obj(a=annotated("two words")),
        obj(a=annotated("a:b")),
        obj(a=annotated("a\r\nb")),
        obj(a=annotated(1)),
        obj(a=annotated("A"), b=annotated("a")),
        obj(a=annotated("A", "number")),
        obj(a=annotated("A", ["string", "null"])),
        obj(a=annotated("A", "object")),
        obj(a={"x-mcp-header": "A"}),
        obj(a={"type": "array", "items": annotated("A")}),
        obj(a={"anyOf": [annotated("A")]}),
        {"type": "object", "allOf": [obj(a=annotated("A"))]},
        {"type": "object", "if": obj(a=annotated("A"))},
        {"type": "object", "$defs": {"a": annotated("A")}},
        {"type": "object", "patternProperties": {"a": annotated("A")}},
        {"type": "object", "x-mcp-header": "A"},
    ],
)
def test_header_for_which_clients_drop_a_tool_is_refused(schema: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="header"):
        parameter_headers(schema)
