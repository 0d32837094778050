"""What clients see: portable for every client, and never narrower than what the server accepts."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import jsonschema_rs
import pytest

import mymcp._generated
from mymcp.contract.strict_json import encode
from mymcp.contract.tool import bind
from tests.contracts.mutation import instances
from tests.contracts.oracle import ROOT
from tests.contracts.readers import contract_of
from tests.contracts.test_equivalence import accepts, bases_of

DATA = Path(mymcp._generated.__file__).parent / "data"
ENVELOPES = {p.stem: p for p in sorted((ROOT / "tools").rglob("*.json"))}
PUBLISHED = {name: json.loads((DATA / "published" / f"{name}.json").read_text("utf-8"))
             for name in ENVELOPES}  # fmt: skip
SCHEMAS = [(name, member) for name in PUBLISHED for member in ("inputSchema", "outputSchema")]
COMBINATORS = {"oneOf", "anyOf", "allOf", "not", "if", "then", "else"}
LENGTHS = {"minLength", "maxLength", "minItems", "maxItems"}
ROUGH = re.compile(r"\\[dDwWsSbB]|\(\?")


def schemas_in(schema: Any) -> Iterator[dict[str, Any]]:
    if not isinstance(schema, dict):
        return
    yield schema
    for part in schema.get("properties", {}).values():
        yield from schemas_in(part)
    yield from schemas_in(schema.get("items"))
    for word in ("oneOf", "anyOf", "allOf"):
        for part in schema.get(word, []):
            yield from schemas_in(part)


def bounds_of_pattern(pattern: str) -> list[int]:
    return [int(n) for n in re.findall(r"[0-9]+", " ".join(re.findall(r"\{([0-9,]+)\}", pattern)))]


@pytest.mark.parametrize(("name", "member"), SCHEMAS)
def test_a_published_schema_is_portable(name: str, member: str) -> None:
    schema = PUBLISHED[name][member]
    assert schema["type"] == "object"
    assert schema["additionalProperties"] is False
    assert not COMBINATORS & set(schema)
    text = json.dumps(schema)
    assert '"$ref"' not in text
    assert '"$defs"' not in text
    for part in schemas_in(schema):
        assert "uniqueItems" not in part
        assert isinstance(part.get("type", "anyOf" if "anyOf" in part else None), str)
        assert all(part.get(word, 0) <= 1000 for word in LENGTHS)
        assert part.get("minLength", 0) <= part.get("maxLength", 1000)
        assert part.get("type") != "array" or "items" in part
        assert part.get("type") != "object" or "properties" in part
        if "pattern" in part:
            assert part["pattern"].startswith("^")
            assert part["pattern"].endswith("$")
            assert not ROUGH.search(part["pattern"])
            assert all(bound <= 1000 for bound in bounds_of_pattern(part["pattern"]))
    jsonschema_rs.meta.validate(
        {"$schema": "https://json-schema.org/draft/2020-12/schema"} | schema
    )


@pytest.mark.parametrize("name", PUBLISHED)
def test_a_published_tool_tells_its_name_title_effects_and_schemas(name: str) -> None:
    tool, envelope = PUBLISHED[name], json.loads(ENVELOPES[name].read_text("utf-8"))
    assert list(tool) == [
        "name", "title", "description", "inputSchema", "outputSchema", "annotations",
    ]  # fmt: skip
    assert (tool["name"], tool["title"]) == (name, envelope["title"])
    assert tool["annotations"] == {
        "title": envelope["title"],
        "readOnlyHint": envelope["effects"]["read_only"],
        "destructiveHint": envelope["effects"]["destructive"],
        "idempotentHint": envelope["effects"]["idempotent"],
        "openWorldHint": envelope["effects"]["open_world"],
    }
    assert list(tool["inputSchema"]["properties"]) == list(envelope["input"]["properties"])
    assert tool["inputSchema"]["required"] == envelope["input"]["required"]
    assert tool == contract_of(name).published


@pytest.mark.parametrize("name", PUBLISHED)
def test_what_the_server_accepts_is_valid_as_published(name: str) -> None:
    plugin = ENVELOPES[name].parent.name
    reader = contract_of(name).reader
    is_valid = jsonschema_rs.validator_for(PUBLISHED[name]["inputSchema"]).is_valid
    accepted = 0
    for value in instances(bases_of(f"tools/{plugin}/{name}"), Random(f"raw {name}"), 5_000):
        if accepts(reader, value):
            accepted += 1
            assert is_valid(value), value
    assert accepted >= 500


@pytest.mark.parametrize("name", PUBLISHED)
def test_the_examples_of_an_envelope_hold_under_contract_and_publication(name: str) -> None:
    envelope, contract = json.loads(ENVELOPES[name].read_text("utf-8")), contract_of(name)
    assert envelope["examples"]
    for example in envelope["examples"]:
        contract.reader.read(example["arguments"])
        result = contract.result.model_validate(example["result"])
        assert json.loads(result.__pydantic_serializer__.to_json(result)) == example["result"]
        assert list(json.loads(result.model_dump_json())) == list(example["result"])
        jsonschema_rs.validator_for(PUBLISHED[name]["inputSchema"]).validate(example["arguments"])
        jsonschema_rs.validator_for(PUBLISHED[name]["outputSchema"]).validate(example["result"])


@pytest.mark.parametrize("name", PUBLISHED)
def test_an_invalid_example_breaks_what_it_names(name: str) -> None:
    plugin, contract = ENVELOPES[name].parent.name, contract_of(name)
    codes = set()
    for path in sorted((ROOT / "examples" / "tools" / name / "invalid").glob("*.json")):
        example = json.loads(path.read_text("utf-8"))
        answer = json.loads(refusal(contract, example["arguments"]))
        found = {key: answer[key] for key in ("code", "field") if key in answer}
        assert found == example["breaks"], (plugin, path.name)
        codes.add((answer["code"], answer.get("field")))
    declared = {(e.code, e.field) for e in contract.errors if e.when}
    assert {c for c, _ in declared} == {c for c, _ in codes}


def refusal(contract: Any, arguments: object) -> str:
    def never(_request: object) -> Any:
        raise AssertionError("a refused call reached the handler")

    outcome = bind(contract, never).call(arguments)  # type: ignore[arg-type]
    assert outcome.is_error
    return outcome.text


@pytest.mark.parametrize(
    ("names", "kibibytes"),
    [(["list_tools", "memory_recall", "memory_list", "memory_inspect"], 16), (list(PUBLISHED), 36)],
    ids=["gates closed", "gates open"],
)
def test_all_tools_together_stay_small_enough_for_a_prompt(
    names: list[str], kibibytes: int
) -> None:
    size = len(encode([PUBLISHED[name] for name in names]).encode())
    assert size <= kibibytes * 1024
