"""The linter as a whole: its table, its order, its patience with hostile contracts."""

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from codegen.catalog import Catalog, build, load
from codegen.dialect import CHECKS, DERIVED, FIRST, RULES, Finding, lint
from codegen.dialect.keywords import KEYWORDS
from codegen.dialect.objects import BUILTINS, RESERVED
from mymcp.contract.model import ContractModel
from tests.contracts.patching import base_files

ROOT = Path(__file__).parents[2]
README = (ROOT / "contracts" / "README.md").read_text("utf-8")
BASE = base_files()

NAMES = st.sampled_from(
    [*sorted(KEYWORDS), "format", "if", "not", "name", "when", "field", "invalid", "tools", "a"]
)
ODD = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-3, 3),
    st.floats(allow_nan=False, allow_infinity=False),
    st.sampled_from(["", "string", "object", "array", "/kind", "^[a-z]+$", "(", "\ufffd", "a.*"]),
    st.sampled_from(["#/$defs/Place", "../../shared/text.json#/$defs/Line", "#", "#/", "//x#/a"]),
)
VALUES = st.recursive(
    ODD,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(NAMES, inner, max_size=3),
    max_leaves=6,
)


def first_line(check: Callable[..., object]) -> str:
    return (check.__doc__ or "").splitlines()[0]


def sentence(text: str) -> str:
    return f"{text[0].upper()}{text[1:]}"


def test_the_contracts_of_the_product_keep_to_the_dialect() -> None:
    assert [str(finding) for finding in lint(load(ROOT))] == []


def test_each_rule_is_one_function() -> None:
    lines = [first_line(check) for check in (*FIRST, *CHECKS, *DERIVED)]
    assert sorted(line.partition(":")[0] for line in lines) == list(RULES)


def test_the_readme_shows_each_rule_with_its_reason_and_remedy() -> None:
    demands = dict(first_line(c).split(": ", 1) for c in (*FIRST, *CHECKS, *DERIVED))
    rows = [
        f"| {rule} | {text.name} | {sentence(demands[rule])} | {text.reason}. "
        f"| {sentence(text.remedy)}. |"
        for rule, text in RULES.items()
    ]
    found = [line for line in README.splitlines() if re.match(r"\| D[0-9]", line)]
    assert found == rows


def test_the_readme_lists_exactly_the_keywords() -> None:
    line = next(line for line in README.splitlines() if line.startswith("Keywords: "))
    assert set(line.partition("`")[2].removesuffix("`.").split()) == KEYWORDS


def test_names_that_a_model_has_for_itself_are_reserved() -> None:
    public = {name for name in dir(ContractModel) if not name.startswith(("_", "model_"))}
    plain = {name for name in public if re.fullmatch(r"[a-z][a-z0-9]*(_[a-z0-9]+)*", name)}
    assert plain <= RESERVED
    assert not BUILTINS & RESERVED


def test_a_finding_reads_as_one_line() -> None:
    finding = Finding("contracts/tools/x.json", "/input/properties/a", "D08", "not so", "do so")
    assert str(finding) == (
        "contracts/tools/x.json#/input/properties/a  D08 pattern: not so. Remedy: do so."
    )


def test_findings_come_by_file_and_then_as_a_reader_meets_them() -> None:
    files = dict(BASE)
    tool = json.loads(files["contracts/tools/demo/note_add.json"])
    tool["result"]["properties"]["line"]["format"] = "x"
    tool["input"]["properties"]["happened"]["format"] = "x"
    tool["colour"] = 1
    files["contracts/tools/demo/note_add.json"] = json.dumps(tool).encode()
    files["contracts/manifests/demo.json"] = b"["
    assert [
        (finding.file.rpartition("/")[2], finding.pointer) for finding in lint(build(files))
    ] == [
        ("demo.json", "/0"),
        ("note_add.json", "/input/properties/happened/format"),
        ("note_add.json", "/result/properties/line/format"),
        ("note_add.json", "/colour"),
    ]


@given(st.data())
@settings(max_examples=150)
def test_no_contract_can_crash_the_linter(data: st.DataObject) -> None:
    files = dict(BASE)
    for _ in range(data.draw(st.integers(1, 4))):
        path = data.draw(st.sampled_from(sorted(files)))
        files[path] = mutated(files[path], data)
    findings = lint(build(files))
    assert findings == lint(build(files))
    for finding in findings:
        assert finding.rule in RULES
        assert finding.message
        assert finding.remedy
        assert "\n" not in str(finding)


@given(path=st.sampled_from(sorted(BASE)), data=st.binary(max_size=60))
@settings(max_examples=60)
def test_no_bytes_can_crash_the_linter(path: str, data: bytes) -> None:
    lint(build({**BASE, path: data}))


def test_a_definition_that_unfolds_without_end_is_refused_in_time() -> None:
    definitions = {
        f"D{i}": {
            "title": f"D{i}",
            "type": "object",
            "description": "Twice the next.",
            "additionalProperties": False,
            "properties": {name: {"$ref": f"#/$defs/D{i + 1}"} for name in ("a", "b", "c", "d")},
            "required": [],
        }
        for i in range(30)
    }
    definitions["D30"] = {"type": "string", "description": "The end.", "enum": ["x"]}
    shared = json.loads(BASE["contracts/shared/text.json"])
    shared["$defs"] |= definitions
    tool = json.loads(BASE["contracts/tools/demo/note_add.json"])
    reference = "../../shared/text.json#/$defs/D0"
    tool["input"]["properties"]["place"] = {"$ref": reference, "description": "Where."}
    assert ("D15", "/input") in {(f.rule, f.pointer) for f in lint(catalog_of(shared, tool))}


def catalog_of(shared: Any, tool: Any) -> Catalog:
    return build(
        BASE
        | {
            "contracts/shared/text.json": json.dumps(shared).encode(),
            "contracts/tools/demo/note_add.json": json.dumps(tool).encode(),
        }
    )


def mutated(content: bytes, data: st.DataObject) -> bytes:
    """Return `content` with one value somewhere replaced, added or removed."""
    try:
        root = {"": json.loads(content)}
    except ValueError:
        return content
    parent, name = data.draw(st.sampled_from(places(root)))
    match data.draw(st.sampled_from(["replace", "remove", "add"])):
        case "remove" if parent is not root:
            del parent[name]
        case "add" if isinstance(parent[name], dict):
            parent[name][data.draw(NAMES)] = data.draw(VALUES)
        case _:
            parent[name] = data.draw(VALUES)
    return json.dumps(root[""]).encode()


def places(parent: Any) -> list[tuple[Any, Any]]:
    names = range(len(parent)) if isinstance(parent, list) else list(parent)
    found = [(parent, name) for name in names]
    for name in names:
        if isinstance(parent[name], dict | list):
            found.extend(places(parent[name]))
    return found
