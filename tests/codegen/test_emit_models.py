"""Staging for the model generator, and what its models then accept."""

from pathlib import PurePosixPath
from typing import Any

import pytest

from codegen import catalog
from codegen.emit import models, staging
from codegen.emit.staging import Staged
from tests.codegen.kitchen import small_catalog


def staged_of(name: str, **changes: Any) -> Staged:
    (found,) = (s for s in staging.stage(small_catalog(**changes)) if s.path.stem == name)
    return found


def test_every_document_with_models_is_staged_under_a_name_of_python() -> None:
    paths = [str(item.path) for item in staging.stage(small_catalog())]
    assert paths == [
        "config/oven_v1.json",
        "config/pantry.json",
        "credentials/lock_v1.json",
        "manifests/plugin_v1.json",
        "records/order_v1.json",
        "shared/bread.json",
        "tools/host/ping_kitchen.json",
        "tools/kitchen/slice_bread.json",
        "tools/kitchen/weigh.json",
    ]


def test_roots_are_definitions_by_their_title() -> None:
    assert list(staged_of("weigh").definitions) == ["WeighRequest", "WeighResult"]
    assert list(staged_of("slice_bread").definitions) == [
        "Tool",
        "SliceBreadRequest",
        "SliceBreadResult",
    ]


def test_rules_and_what_only_people_read_are_taken_out() -> None:
    text = str(staged_of("slice_bread").definitions) + str(staged_of("bread").definitions)
    for keyword in ("allOf", "x-distinct", "x-normalise", "'title'", "uniqueItems"):
        assert keyword not in text


def test_rule_shapes_among_shared_definitions_are_no_models() -> None:
    assert "KnifeOfGrain" not in staged_of("bread").definitions


def test_normalised_texts_are_told_apart() -> None:
    assert staged_of("bread").normalised == {"Label": "trimmed", "Tag": "collapsed"}


def test_an_object_within_an_object_becomes_a_definition_of_its_own() -> None:
    def nest(content: Any) -> None:
        inner = {
            "title": "Crust",
            "type": "object",
            "description": "What is outside.",
            "additionalProperties": False,
            "properties": {"thick": {"type": "boolean"}},
            "required": ["thick"],
        }
        content["input"]["properties"]["crust"] = {"anyOf": [inner, {"type": "null"}]}

    found = staged_of("weigh", weigh=nest)
    properties: Any = found.definitions["WeighRequest"]
    assert properties["properties"]["crust"]["anyOf"][0] == {"$ref": "#/$defs/Crust"}
    modules = models.emit(staging.stage(small_catalog(weigh=nest)))
    text = modules[PurePosixPath("tools/kitchen/weigh.py")]
    assert "class Crust(ContractModel):" in text
    assert "crust: Crust | None | MISSING = MISSING" in text


def test_references_into_files_with_hyphens_follow_the_staged_name() -> None:
    content = b'{"$defs": {"A": {"$ref": "other-file.json#/$defs/B"}}}'
    other = b'{"$defs": {"B": {"type": "string", "minLength": 1}}}'
    files = {"contracts/shared/a.json": content, "contracts/shared/other-file.json": other}
    staged = staging.stage(catalog.build(files))
    assert staged[0].definitions["A"] == {"$ref": "other_file.json#/$defs/B"}
    modules = models.emit(staged)
    assert "from .other_file import B" in modules[PurePosixPath("shared/a.py")]


def test_nothing_but_definitions_is_generated() -> None:
    text = "".join(models.emit(staging.stage(small_catalog())).values())
    assert "Model = TypeAliasType" not in text
    assert "RootModel" not in text
    assert "model_config" not in text


@pytest.mark.parametrize("description", ["one\ntwo", "a " * 120, "ends in \\"])
def test_a_description_of_any_length_is_a_docstring(description: str) -> None:
    def describe(content: Any) -> None:
        content["$defs"]["Loaf"]["description"] = description

    text = models.emit(staging.stage(small_catalog(bread=describe)))
    module = text[PurePosixPath("shared/bread.py")]
    compile(module, "bread.py", "exec")
    assert max(map(len, module.splitlines())) <= 100
