"""The generated models and an independent validator give the same verdict.

Documented exceptions: `1.0` is an integer to JSON Schema and not to us, and a lone surrogate is
text to JSON and not to us. Neither is among the mutated instances; both have tests of their own.
"""

import json
import sys
from random import Random

import pytest

from mymcp.contract.reader import Reader, Unreadable
from tests.contracts.edges import edges
from tests.contracts.mutation import instances
from tests.contracts.oracle import (
    ROOT,
    SECTIONS,
    contracts,
    look_up,
    normalised,
    results,
    validator,
)
from tests.contracts.readers import contract_of, reader_of

INSTANCES = 20_000
LEAST_SHARE = 0.1


def bases_of(name: str) -> list[object]:
    """Return the valid examples of a contract and what its invalid ones hold."""
    found = []
    for path in sorted((ROOT / "examples" / _folder(name)).rglob("*.json")):
        example = json.loads(path.read_text("utf-8"))
        weight = 1 if "breaks" in example else 6
        found.extend([example[member_of(name)]] * weight)
    return found


def member_of(name: str) -> str:
    """Return the member of an example that holds the value."""
    kind = name.partition("/")[0]
    return "arguments" if kind == "tools" else SECTIONS[kind]


def _folder(name: str) -> str:
    kind, *_, last = name.split("/")
    return f"{kind}/{last}"


def accepts(reader: Reader, value: object) -> bool:  # type: ignore[type-arg]
    try:
        reader.read(value)
    except Unreadable:
        return False
    return True


@pytest.mark.parametrize(("name", "reference"), contracts(), ids=[n for n, _ in contracts()])
def test_model_and_validator_agree_on_mutated_instances(
    name: str, reference: str, record_property, capsys: pytest.CaptureFixture[str]
) -> None:
    reader, is_valid = reader_of(name), validator(reference)
    valid = 0
    for value in instances(bases_of(name), Random(name), INSTANCES):
        verdict = is_valid(normalised(value, reference))
        assert accepts(reader, value) is verdict, value
        valid += verdict
    record_property("valid", valid)
    with capsys.disabled():
        sys.stdout.write(f"\n{name}: {valid} of {INSTANCES} valid, {INSTANCES - valid} invalid ")
    assert valid >= INSTANCES * LEAST_SHARE
    assert INSTANCES - valid >= INSTANCES * LEAST_SHARE


@pytest.mark.parametrize(("name", "reference"), contracts(), ids=[n for n, _ in contracts()])
def test_every_example_is_judged_alike_and_as_it_says(name: str, reference: str) -> None:
    reader, is_valid = reader_of(name), validator(reference)
    paths = sorted((ROOT / "examples" / _folder(name)).rglob("*.json"))
    assert {p.parent.name for p in paths} == {"valid", "invalid"}
    for path in paths:
        example = json.loads(path.read_text("utf-8"))
        value = example[member_of(name)]
        expected = path.parent.name == "valid"
        assert ("breaks" in example) is not expected
        assert accepts(reader, value) is expected, path.name
        assert is_valid(normalised(value, reference)) is expected, path.name


@pytest.mark.parametrize("name", [name for name, _ in contracts() if not name.startswith("tools/")])
def test_an_invalid_value_of_a_format_breaks_what_its_example_names(name: str) -> None:
    for path in sorted((ROOT / "examples" / name / "invalid").glob("*.json")):
        example = json.loads(path.read_text("utf-8"))
        breaks = example["breaks"]
        where = tuple(part for part in breaks["at"].split("/") if part)
        with pytest.raises(Unreadable) as caught:
            reader_of(name).read(example[member_of(name)])
        found = {(fault.path, fault.kind, fault.rule) for fault in caught.value.faults}
        assert (where, breaks["kind"], breaks.get("rule")) in found, path.name


@pytest.mark.parametrize(("name", "reference"), contracts(), ids=[n for n, _ in contracts()])
def test_model_and_validator_agree_at_every_bound(name: str, reference: str) -> None:
    reader, is_valid = reader_of(name), validator(reference)
    for base in {json.dumps(base): base for base in bases_of(name)}.values():
        if accepts(reader, base):
            for value in edges(base, reference):
                verdict = is_valid(normalised(value, reference))
                assert accepts(reader, value) is verdict, value


@pytest.mark.parametrize(("tool", "reference"), results(), ids=[tool for tool, _ in results()])
def test_result_and_validator_agree_at_every_bound(tool: str, reference: str) -> None:
    reader, is_valid = Reader(contract_of(tool).result), validator(reference)
    for example in look_up(reference.replace("#/result", "#/examples"), "")[0]:
        assert accepts(reader, example["result"])
        for value in edges(example["result"], reference, native=False):
            assert accepts(reader, value) is is_valid(value), value


REFERENCE = {
    "schema_version": 2.0,
    "scope": "self",
    "namespace_id": "a",
    "collection_id": None,
    "id": f"mem_{0:032}",
}


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("tools/mnemosyne/memory_list", {"scope": "self", "page_size": 2.0}),
        ("tools/mnemosyne/memory_inspect", {"reference": REFERENCE}),
        ("tools/mnemosyne/memory_forget", {"reference": REFERENCE, "expected_revision": 1}),
        ("tools/mnemosyne/memory_recall", {"scope": "self", "query": "\ud800"}),
    ],
)
def test_the_documented_exceptions_are_refused_by_the_model_alone(
    name: str, value: dict[str, object]
) -> None:
    assert not accepts(reader_of(name), value)


def test_every_folder_of_examples_belongs_to_a_contract() -> None:
    folders = {path.parent.parent for path in (ROOT / "examples").rglob("*.json")}
    assert {path.relative_to(ROOT / "examples").as_posix() for path in folders} == {
        _folder(name) for name, _ in contracts()
    }
