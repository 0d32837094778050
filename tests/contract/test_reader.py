from typing import Annotated, Literal

import pytest
from pydantic import MISSING, Field, StrictStr

from mymcp.contract.faults import Fault
from mymcp.contract.model import ContractModel
from mymcp.contract.reader import Reader, Unreadable
from mymcp.contract.rules import NativeInteger, Requires


class Legacy(ContractModel):
    schema_version: Literal[1]
    id: StrictStr


class Canonical(ContractModel):
    schema_version: Literal[2]
    id: StrictStr
    place: StrictStr | None


class Request(ContractModel):
    query: Annotated[StrictStr, Field(min_length=1)]
    reference: Annotated[Legacy | Canonical | MISSING, Field(discriminator="schema_version")] = (
        MISSING
    )
    tags: list[StrictStr] | MISSING = MISSING


READER = Reader(
    Request,
    (NativeInteger(("reference", "schema_version")), Requires("tags_need", "tags", "reference")),
    frozenset({("reference",)}),
)


def faults_of(value: object) -> list[Fault]:
    with pytest.raises(Unreadable) as refusal:
        READER.read(value)
    return list(refusal.value.faults)


def test_a_good_value_becomes_a_frozen_model_that_knows_what_was_left_out() -> None:
    request = READER.read({"query": "x"})
    assert request.query == "x"
    assert request.tags is MISSING
    with pytest.raises(ValueError, match="frozen"):
        request.query = "y"  # type: ignore[misc]


def test_model_faults_and_rule_faults_come_in_one_list() -> None:
    assert faults_of({"query": "", "tags": [1], "other": 1}) == [
        Fault(("query",), "invalid"),
        Fault(("tags", "0"), "invalid"),
        Fault(("other",), "unknown"),
        Fault(("tags",), "rule", "tags_need"),
    ]


def test_the_tag_of_a_union_does_not_show_in_a_path() -> None:
    assert faults_of({"query": "x", "reference": {"schema_version": 2, "id": 1, "z": 0}}) == [
        Fault(("reference", "id"), "invalid"),
        Fault(("reference", "place"), "missing"),
        Fault(("reference", "z"), "unknown"),
    ]


@pytest.mark.parametrize("version", [True, 1.0, "1", None, [1], 3, 10**30])
def test_a_version_that_is_not_the_native_integer_is_refused(version: object) -> None:
    found = faults_of({"query": "x", "reference": {"schema_version": version, "id": "a"}})
    assert found
    assert all(fault.path[0] == "reference" for fault in found)


@pytest.mark.parametrize("value", [None, [], "x", 1, True])
def test_a_value_that_is_no_object_is_refused_at_the_root(value: object) -> None:
    assert faults_of(value) == [Fault((), "invalid")]


def test_a_lone_surrogate_in_a_value_is_a_fault_of_its_field() -> None:
    assert faults_of({"query": "\ud800"}) == [Fault(("query",), "invalid")]


def test_a_lone_surrogate_in_a_name_is_an_unknown_member_and_hides_nothing() -> None:
    found = faults_of({"query": 1, "\udfff": 2, "reference": {"\ud800": 1, "schema_version": 1}})
    assert found == [
        Fault(("query",), "invalid"),
        Fault(("reference", "id"), "missing"),
        Fault(("?",), "unknown"),
        Fault(("reference", "?"), "unknown"),
    ]


def test_a_refusal_names_neither_value_nor_place() -> None:
    with pytest.raises(Unreadable) as refusal:
        READER.read({"query": "", "secret": "hunter2"})
    assert "hunter2" not in str(refusal.value)
    assert "secret" not in str(refusal.value)
