import pytest
from hypothesis import given
from hypothesis import strategies as st

from mymcp.contract.faults import Fault
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

TABLE = {"self": frozenset({"attribute"}), "project": frozenset({"event", "state"})}
REQUIRES = Requires("r", "a", "b")
EXCLUDES = Excludes("r", ("a", "b"))
ALLOWS = Allows("r", ("scope",), ("namespace", "kind"), TABLE)
WHEN = PresentExactlyWhen("r", "occurred_at", ("kind",), "event")
WITH_TEXT = RequiredWithText("r", "label", ("reference", "collection_id"))
DISTINCT = Distinct(("tags",), collapsed, casefold=True)
EXACT = Distinct(("tags",))
NATIVE = NativeInteger(("reference", "schema_version"))


@pytest.mark.parametrize(
    ("rule", "value", "broken"),
    [
        (REQUIRES, {}, False),
        (REQUIRES, {"a": None}, True),
        (REQUIRES, {"a": 1, "b": None}, False),
        (EXCLUDES, {"a": 1}, False),
        (EXCLUDES, {"a": None, "b": None}, True),
        (ALLOWS, {"scope": "self", "namespace": {"kind": "attribute"}}, False),
        (ALLOWS, {"scope": "self", "namespace": {"kind": "event"}}, True),
        (ALLOWS, {"scope": "nowhere", "namespace": {"kind": "event"}}, False),
        (ALLOWS, {"scope": [], "namespace": {"kind": "event"}}, False),
        (ALLOWS, {"scope": "self", "namespace": {"kind": {}}}, False),
        (ALLOWS, {"scope": "self", "namespace": []}, False),
        (ALLOWS, {"namespace": {"kind": "event"}}, False),
        (WHEN, {"kind": "event", "occurred_at": 1}, False),
        (WHEN, {"kind": "event"}, True),
        (WHEN, {"kind": "state"}, False),
        (WHEN, {"kind": "state", "occurred_at": None}, True),
        (WHEN, {"occurred_at": None}, True),
        (WITH_TEXT, {"reference": {"collection_id": "a"}}, True),
        (WITH_TEXT, {"reference": {"collection_id": "a"}, "label": None}, False),
        (WITH_TEXT, {"reference": {"collection_id": None}}, False),
        (WITH_TEXT, {"reference": "x"}, False),
        (DISTINCT, {"tags": ["a", "b"]}, False),
        (DISTINCT, {"tags": ["a", "A"]}, True),
        (DISTINCT, {"tags": ["a b", " a  b "]}, True),
        (DISTINCT, {"tags": ["\u00df", "SS"]}, True),
        (DISTINCT, {"tags": ["a", "a", 1]}, False),
        (DISTINCT, {"tags": "aa"}, False),
        (DISTINCT, {}, False),
        (EXACT, {"tags": ["a", "A"]}, False),
        (EXACT, {"tags": ["a", "a"]}, True),
        (NATIVE, {"reference": {"schema_version": 2}}, False),
        (NATIVE, {"reference": {"schema_version": True}}, True),
        (NATIVE, {"reference": {"schema_version": 2.0}}, True),
        (NATIVE, {"reference": {"schema_version": None}}, True),
        (NATIVE, {"reference": {}}, False),
        (NATIVE, {"reference": []}, False),
    ],
)
def test_a_rule_is_broken_exactly_where_the_contract_says(
    rule: Rule, value: dict[str, object], broken: bool
) -> None:
    assert bool(list(rule.faults(value))) is broken


def test_a_broken_rule_carries_its_name_and_its_place() -> None:
    assert list(REQUIRES.faults({"a": 1})) == [Fault(("a",), "rule", "r")]
    assert list(NATIVE.faults({"reference": {"schema_version": True}})) == [
        Fault(("reference", "schema_version"), "invalid")
    ]


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["a", "b", "scope", "kind", "namespace", "tags", "reference", "label"]),
            inner,
            max_size=4,
        )
    ),
    max_leaves=10,
)


@given(st.dictionaries(st.sampled_from(["a", "scope", "kind", "namespace", "tags"]), json_values))
def test_no_value_makes_a_rule_raise(value: dict[str, object]) -> None:
    for rule in (REQUIRES, EXCLUDES, ALLOWS, WHEN, WITH_TEXT, DISTINCT, NATIVE):
        list(rule.faults(value))
