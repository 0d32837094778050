"""The meta-schemas judge every envelope, every example and every ledger that is there."""

import json
from pathlib import Path

import jsonschema_rs
import pytest

from codegen.catalog import load
from codegen.dialect.meta import META
from tests.contracts.oracle import SECTIONS

ROOT = Path(__file__).parents[2]
CONTRACTS = ROOT / "contracts"
METAS = sorted((CONTRACTS / "meta").glob("*.json"))


def judge(name: str) -> jsonschema_rs.Draft202012Validator:
    schema = json.loads((CONTRACTS / "meta" / name).read_text("utf-8"))
    return jsonschema_rs.Draft202012Validator(schema)


@pytest.mark.parametrize("path", METAS, ids=lambda path: path.stem)
def test_a_meta_schema_is_a_schema_of_its_draft(path: Path) -> None:
    schema = json.loads(path.read_text("utf-8"))
    assert schema["$schema"] == "https://json-schema.org/draft/2020-12/schema"
    jsonschema_rs.meta.validate(schema)
    assert schema["title"]
    assert schema["description"]


def test_each_kind_of_envelope_has_its_meta_schema() -> None:
    assert {Path(path).stem for path in META.values()} | {"example", "ledger"} == {
        path.stem for path in METAS
    }


def test_an_envelope_names_the_meta_schema_that_judges_it() -> None:
    for document in load(ROOT).documents:
        if document.kind in META and document.kind != "shared":
            reference = (ROOT / document.path).parent / str(document.members["$schema"])
            assert reference.resolve() == (ROOT / META[document.kind]).resolve()


def test_every_envelope_fits_for_a_second_validator_too() -> None:
    for document in load(ROOT).documents:
        if document.kind in META:
            judge(Path(META[document.kind]).name).validate(document.value)


def test_every_example_file_fits() -> None:
    found = sorted((CONTRACTS / "examples").rglob("*.json"))
    assert found
    for path in found:
        example = json.loads(path.read_text("utf-8"))
        judge("example.json").validate(example)
        assert ("breaks" in example) == (path.parent.name == "invalid"), path
        kind = path.relative_to(CONTRACTS / "examples").parts[0]
        member = "arguments" if kind == "tools" else SECTIONS[kind]
        assert member in example, path


def test_every_ledger_fits() -> None:
    for path in sorted((CONTRACTS / "ledger").glob("*.json")):
        judge("ledger.json").validate(json.loads(path.read_text("utf-8")))
