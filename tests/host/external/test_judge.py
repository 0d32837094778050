"""The judge of values, under schemas that could keep it busy for ever."""

from typing import Any

import pytest

from mymcp.host.external.judge import judge_of

ITSELF = {"$ref": "#/$defs/node"}
INNER = {"type": "object", "properties": {"all": ITSELF}, "required": ["all"]}


def nested(levels: int, leaf: object) -> dict[str, Any]:
    value = leaf
    for _ in range(levels):
        value = {"all": value}
    return {"tree": value}


def schema(node: dict[str, Any]) -> dict[str, Any]:
    return {"type": "object", "properties": {"tree": ITSELF}, "$defs": {"node": node}}


@pytest.mark.parametrize(
    "node",
    [
        {"anyOf": [INNER, INNER | {"minProperties": 1}, {"type": "string"}]},
        {"oneOf": [INNER, INNER | {"minProperties": 2}, {"type": "string"}]},
        {
            "type": ["object", "string"],
            "allOf": [{"properties": {"all": ITSELF}}, {"properties": {"all": ITSELF}}],
        },
        {
            "$dynamicAnchor": "node",
            "type": ["object", "string"],
            "anyOf": [
                {"properties": {"all": {"$dynamicRef": "#node"}}, "maxProperties": 1},
                {"properties": {"all": {"$dynamicRef": "#node"}}, "minProperties": 1},
            ],
        },
    ],
    ids=["anyOf", "oneOf", "allOf", "dynamic"],
)
def test_a_deep_value_is_judged_though_its_schema_branches_at_every_level(
    node: dict[str, Any],
) -> None:
    judge = judge_of(schema(node), "inputSchema")
    assert judge.fault(nested(60, "leaf")) is None
    assert judge.fault(nested(60, 1)) == "/"


def test_a_shallow_value_has_its_fault_named_under_a_schema_that_refers_to_itself() -> None:
    judge = judge_of(schema({"anyOf": [INNER, {"type": "string"}]}), "inputSchema")
    assert judge.fault({"tree": 1}) == "/tree"
    judge = judge_of(schema({"properties": {"all": ITSELF, "n": {"type": "null"}}}), "inputSchema")
    assert judge.fault({"tree": {"all": {"n": 1}}}) == "/tree/all/n"


def test_a_deep_value_has_its_fault_named_under_a_schema_that_unfolds_to_an_end() -> None:
    inner: dict[str, Any] = {"$ref": "#/$defs/leaf"}
    for _ in range(20):
        inner = {"type": "object", "properties": {"all": inner}}
    whole = {"type": "object", "properties": {"tree": inner}, "$defs": {"leaf": {"type": "null"}}}
    judge = judge_of(whole, "inputSchema")
    assert judge.fault(nested(20, 1)) == "/tree" + "/all" * 20
