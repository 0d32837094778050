"""The de-stringifier: the tables of the spec, the real contracts, and its laws."""

import copy
import json
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mymcp._generated.tools.memory_archive import MEMORY_ARCHIVE
from mymcp._generated.tools.memory_forget import MEMORY_FORGET
from mymcp._generated.tools.memory_inspect import MEMORY_INSPECT
from mymcp._generated.tools.memory_list import MEMORY_LIST
from mymcp._generated.tools.memory_remember import MEMORY_REMEMBER
from mymcp._generated.tools.memory_restore import MEMORY_RESTORE
from mymcp._generated.tools.memory_revise import MEMORY_REVISE
from mymcp.contract.tool import ToolContract
from mymcp.mcp.arguments import decoded, shape_of

INTEGER = {"type": "integer"}
STRING = {"type": "string"}
NULL = {"type": "null"}
LIST_OF_INTEGERS = {"type": "array", "items": INTEGER}
KEYED = {"type": "object", "properties": {"k": LIST_OF_INTEGERS}}
NULLABLE_KEYED = {"anyOf": [KEYED, NULL]}
TAGGED = {
    "oneOf": [
        {"type": "object", "properties": {"v": {"type": "integer", "const": 1}, "n": STRING}},
        {"type": "object", "properties": {"v": {"type": "integer", "const": 2}, "n": INTEGER}},
    ]
}


def seen(value: object, schema: object) -> object:
    """Return what becomes of `value` at a position with `schema`."""
    return decoded({"p": value}, shape_of({"type": "object", "properties": {"p": schema}}))["p"]


def same(value: object, other: object) -> bool:
    return json.dumps(value) == json.dumps(other)


@pytest.mark.parametrize(
    ("schema", "text", "value"),
    [
        (INTEGER, "5", 5),
        (INTEGER, " 5 ", 5),
        (INTEGER, "-0", 0),
        ({"type": "number"}, "5", 5),
        ({"type": "number"}, "5.5", 5.5),
        ({"type": "boolean"}, "true", True),
        ({"anyOf": [INTEGER, NULL]}, "null", None),
        ({"type": ["integer", "null"]}, "null", None),
        ({"const": 5}, "5", 5),
        ({"const": 5}, "6", 6),
        ({"enum": [1, 2]}, "1", 1),
        ({"allOf": [INTEGER]}, "5", 5),
        (LIST_OF_INTEGERS, "[1]", [1]),
        (LIST_OF_INTEGERS, "[]", []),
        (KEYED, '{"k":[1]}', {"k": [1]}),
        (KEYED, '{"k":"[1]"}', {"k": "[1]"}),
        (KEYED, {"k": ["1"]}, {"k": [1]}),
        (KEYED, {"k": '[1,"2"]'}, {"k": [1, "2"]}),
        (NULLABLE_KEYED, {"k": ["1"]}, {"k": [1]}),
        (NULLABLE_KEYED, "null", None),
        ({"anyOf": [LIST_OF_INTEGERS, NULL]}, ["1", "x"], [1, "x"]),
        (TAGGED, {"v": "2", "n": "7"}, {"v": 2, "n": 7}),
        (TAGGED, {"v": "1", "n": "7"}, {"v": 1, "n": "7"}),
        (TAGGED, {"v": 2, "n": "7"}, {"v": 2, "n": 7}),
    ],
)
def test_one_layer_is_decoded_where_no_string_may_stand(
    schema: object, text: object, value: object
) -> None:
    assert same(seen(text, schema), value)


@pytest.mark.parametrize(
    ("schema", "value"),
    [
        *[(INTEGER, text) for text in ["5.5", "5.0", "1e3", '"5"', "null", "true", "NaN", "", "x"]],
        (INTEGER, "9" * 5_000),
        (INTEGER, "[" * 100_000),
        (INTEGER, "\ud800"),
        (INTEGER, "\ufeff5"),
        ({"type": "boolean"}, "1"),
        (STRING, "5"),
        (STRING, "null"),
        ({"anyOf": [STRING, NULL]}, "null"),
        ({"type": ["string", "null"]}, "null"),
        ({"enum": ["5"]}, "5"),
        ({"const": "5"}, "5"),
        ({"const": True}, "1"),
        ({"$ref": "#/$defs/Integer"}, "5"),
        ({}, "5"),
        (True, "5"),
        (KEYED, '{"k":[1],"k":[2]}'),
        (KEYED, '"{}"'),
        (KEYED, "[]"),
        (TAGGED, {"v": "3", "n": "7"}),
        (TAGGED, {"v": True, "n": "7"}),
        ({"anyOf": [STRING, INTEGER]}, "5"),
        ({"type": "nonsense"}, "5"),
    ],
)
def test_everything_else_goes_on_as_it_came(schema: object, value: object) -> None:
    assert seen(value, schema) is value


def test_an_undeclared_member_goes_on_as_it_came() -> None:
    assert decoded({"q": "5"}, shape_of(KEYED)) == {"q": "5"}


@pytest.mark.parametrize("schema", [None, [], 5, {"properties": []}, {"anyOf": {}}, {"items": 1}])
def test_what_is_no_schema_permits_everything(schema: object) -> None:
    assert decoded({"p": "5"}, shape_of(schema)) == {"p": "5"}


class TestRealContracts:
    """Field report C1 and tools W10."""

    def test_a_reference_reaches_inspect_in_any_of_its_forms(self) -> None:
        native = {
            "schema_version": 2,
            "scope": "project",
            "namespace_id": "n",
            "collection_id": "null",
            "id": "mem_" + "0" * 32,
        }
        shape = shape_of(MEMORY_INSPECT.input_schema)
        for form in (native, native | {"schema_version": "2"}, json.dumps(native)):
            assert decoded({"reference": form}, shape) == {"reference": native}

    def test_a_legacy_reference_reaches_inspect(self) -> None:
        shape = shape_of(MEMORY_INSPECT.input_schema)
        sent = {"reference": {"schema_version": "1", "scope": "self", "id": "2"}}
        assert decoded(sent, shape) == {
            "reference": {"schema_version": 1, "scope": "self", "id": "2"}
        }

    @pytest.mark.parametrize(
        "contract", [MEMORY_ARCHIVE, MEMORY_RESTORE, MEMORY_REVISE, MEMORY_FORGET]
    )
    def test_a_change_takes_an_encoded_reference_and_revision(
        self, contract: ToolContract[Any, Any]
    ) -> None:
        shape = shape_of(contract.input_schema)
        native = {"schema_version": 2, "scope": "self", "namespace_id": "a", "collection_id": None}
        for form in (native, native | {"schema_version": "2"}, json.dumps(native)):
            sent = {"reference": form, "expected_revision": " 1 "}
            assert decoded(sent, shape) == {"reference": native, "expected_revision": 1}
        for text in ("true", "abc", '"1"'):
            sent = {"reference": json.dumps(json.dumps(native)), "expected_revision": text}
            assert decoded(sent, shape) == sent

    def test_revise_takes_encoded_tags_and_keeps_its_texts(self) -> None:
        sent = {"tags": '["a"]', "title": "null", "content": "[1]", "collection_label": "null"}
        shape = shape_of(MEMORY_REVISE.input_schema)
        assert decoded(sent, shape) == sent | {"tags": ["a"]}

    def test_remember_takes_encoded_members_and_keeps_its_texts(self) -> None:
        sent = {
            "scope": "project",
            "namespace": '{"kind":"project","id":"a","label":"A"}',
            "collection": "null",
            "kind": "decision",
            "tags": '["a","[b]"]',
            "title": "[1]",
            "content": "null",
            "language": "null",
        }
        assert decoded(sent, shape_of(MEMORY_REMEMBER.input_schema)) == sent | {
            "namespace": {"kind": "project", "id": "a", "label": "A"},
            "collection": None,
            "tags": ["a", "[b]"],
        }

    def test_list_takes_an_encoded_page_size_and_keeps_a_collection_called_null(self) -> None:
        sent = {"page_size": "20", "collection_id": "null", "cursor": "5"}
        shape = shape_of(MEMORY_LIST.input_schema)
        assert decoded(sent, shape) == sent | {"page_size": 20}


json_values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(max_size=8),
    lambda children: (
        st.lists(children, max_size=3) | st.dictionaries(st.sampled_from("abv"), children)
    ),
    max_leaves=8,
)
schemas = st.recursive(
    st.sampled_from(
        [INTEGER, STRING, NULL, {"const": 1}, {"enum": ["x"]}, {"type": "boolean"}, {}, True]
    ),
    lambda children: st.one_of(
        st.builds(lambda each: {"type": "array", "items": each}, children),
        st.builds(
            lambda members: {"type": "object", "properties": members},
            st.dictionaries(st.sampled_from("abv"), children, max_size=3),
        ),
        st.builds(
            lambda keyword, branches: {keyword: branches},
            st.sampled_from(["anyOf", "oneOf", "allOf"]),
            st.lists(children, min_size=1, max_size=3),
        ),
    ),
    max_leaves=8,
)
encoders: list[Callable[[object], object]] = [lambda value: value, json.dumps]


@given(schemas, json_values, st.sampled_from(encoders))
def test_nothing_raises_and_the_input_stays(
    schema: object, value: object, encode: Callable[[object], object]
) -> None:
    sent = encode(value)
    before = copy.deepcopy(sent)
    seen(sent, schema)
    assert same(sent, before)


@given(schemas, st.text())
def test_text_stays_where_text_is_permitted(schema: object, text: str) -> None:
    assert seen(text, {"anyOf": [schema, STRING]}) is text


@given(schemas, json_values)
def test_values_without_text_are_never_changed(schema: object, value: object) -> None:
    def textless(item: object) -> object:
        if isinstance(item, list):
            return [textless(one) for one in item]
        if isinstance(item, dict):
            return {name: textless(one) for name, one in item.items()}
        return 0 if isinstance(item, str) else item

    sent = textless(value)
    assert same(seen(sent, schema), sent)


@given(json_values.filter(lambda value: not isinstance(value, str)))
def test_an_encoded_value_is_decoded_exactly_once(value: object) -> None:
    kinds = {
        "type": ["null", "boolean", "number", "array", "object"],
    }
    once = json.dumps(value)
    assert same(seen(once, kinds), value)
    assert seen(json.dumps(once), kinds) == json.dumps(once)
