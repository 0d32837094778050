"""Definitions of tools that nobody thought of."""

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from mymcp.host.external.composition import profile
from mymcp.host.external.tool import CheckedTool, checked
from mymcp.plugin import ActivatedTool, CapabilityId, Effects, PluginContractError, text_result
from mymcp.schema.conformity import violations_of

READS = Effects(read_only=True, destructive=False, idempotent=True, open_world=False)
KEYWORDS = [
    "type", "properties", "required", "additionalProperties", "items", "anyOf", "oneOf", "allOf",
    "not", "if", "then", "enum", "const", "pattern", "format", "minLength", "maxLength", "minimum",
    "maximum", "exclusiveMinimum", "multipleOf", "$ref", "$defs", "$id", "$schema", "default",
    "description", "title", "x-mcp-header", "prefixItems", "patternProperties", "uniqueItems",
    "minItems", "maxItems", "dependentRequired", "$dynamicRef", "$anchor", "contains",
]  # fmt: skip
words = st.sampled_from(
    [
        "string",
        "object",
        "array",
        "integer",
        "null",
        "a",
        "#",
        "#/$defs/a",
        "^a$",
        "date",
        "",
        "x:y",
    ]
)
plain = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | words
keys = st.sampled_from(KEYWORDS) | st.sampled_from(["a", "b", "a b", ""])
anything = st.recursive(
    plain,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(keys, inner, max_size=4),
    max_leaves=12,
)
schemas = st.dictionaries(keys, anything, max_size=5).map(lambda one: {"type": "object", **one})
members = st.sampled_from(["title", "description", "annotations", "icons", "_meta", "name", "x"])


def outcome_of(definition: dict[str, Any]) -> CheckedTool | PluginContractError:
    tool = ActivatedTool(
        CapabilityId("demo", "one"), definition, lambda _given: text_result("x"), READS, "none"
    )
    try:
        return checked(tool, "demo__one", profile(), "rewrite")
    except PluginContractError as error:
        return error


@given(schemas, st.none() | schemas, st.dictionaries(members, anything, max_size=2), anything)
def test_any_definition_is_published_portably_or_refused_with_a_code(
    schema: dict[str, Any], answer: object, more: dict[str, object], value: object
) -> None:
    definition = {"inputSchema": schema, **more}
    if answer is not None:
        definition["outputSchema"] = answer
    found = outcome_of(definition)
    if isinstance(found, PluginContractError):
        assert found.code in str(found)
        return
    assert violations_of(found.published["inputSchema"], profile()) == ()
    assert found.arguments.fault(value) is None or isinstance(found.arguments.fault(value), str)
