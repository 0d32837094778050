"""The whole output of a small catalog, and that it works as Python."""

import importlib
import json
import os
import sys
from collections.abc import Iterator
from pathlib import Path, PurePosixPath
from types import ModuleType

import pytest
from jsonschema import Draft202012Validator

from codegen import tree
from codegen.catalog import load
from codegen.compilation import compile_catalog
from mymcp.contract.reader import Unreadable
from mymcp.contract.tool import bind
from tests.codegen.kitchen import SMALL, in_one_text, small_tree

GOLDEN = SMALL / "golden.txt"
REPOSITORY = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def generated() -> tree.Tree:
    return small_tree()


@pytest.fixture(scope="module")
def package(generated: tree.Tree, tmp_path_factory: pytest.TempPathFactory) -> Iterator[ModuleType]:
    """The generated package under a name of its own, as it would be imported."""
    folder = tmp_path_factory.mktemp("kitchen")
    root = PurePosixPath("mymcp/_generated")
    moved = {
        PurePosixPath("baked") / path.relative_to(root): content
        for path, content in generated.items()
        if root in path.parents
    }
    tree.write(folder, moved, (PurePosixPath("baked"),))
    sys.path.insert(0, str(folder))
    try:
        yield importlib.import_module("baked")
    finally:
        sys.path.remove(str(folder))
        for name in [name for name in sys.modules if name.split(".")[0] == "baked"]:
            del sys.modules[name]


def test_output_is_the_golden_one(generated: tree.Tree) -> None:
    # UPDATE_GOLDEN=1 writes it anew; what changed is then read in the diff of the commit.
    if os.environ.get("UPDATE_GOLDEN"):
        GOLDEN.write_text(in_one_text(generated), encoding="utf-8", newline="\n")
    assert in_one_text(generated) == GOLDEN.read_text(encoding="utf-8")


def test_every_python_module_says_where_it_comes_from(generated: tree.Tree) -> None:
    for path, content in generated.items():
        if path.suffix == ".py":
            first = content.decode().splitlines()[0]
            assert first.startswith('"""Generated from ')
            assert "by nox -s codegen; do not edit." in first


def test_every_json_file_ends_in_one_line_feed_and_keeps_order(generated: tree.Tree) -> None:
    for path, content in generated.items():
        if path.suffix == ".json" and path.parent.name != "ledger":
            text = content.decode()
            assert text == f"{json.dumps(json.loads(text), ensure_ascii=False, indent=2)}\n"


def test_a_bound_tool_reads_calls_and_answers(package: ModuleType) -> None:
    weigh = importlib.import_module("baked.tools.weigh")
    seen = []

    def handler(request: object) -> object:
        seen.append(request)
        return weigh.WeighResult(status="ok", weights=[740])

    tool = bind(weigh.WEIGH, handler)
    answer = tool.call({"bread": {"form": 1, "grain": "rye"}, "note": "  warm "})
    assert json.loads(answer.text) == {"status": "ok", "weights": [740]}
    assert seen[0].note == "warm"
    assert seen[0].model_fields_set == {"bread", "note"}


@pytest.mark.parametrize(
    ("arguments", "code", "field"),
    [
        ({}, "invalid_bread", "bread"),
        ({"bread": {"form": 1, "grain": "oat"}}, "invalid_bread", "bread.grain"),
        ({"bread": {"form": True, "grain": "rye"}}, "invalid_bread", "bread.form"),
        ({"bread": {"form": 1, "grain": "oat"}, "x": 1}, "invalid_request", None),
        ({"bread": {"form": 2, "seeds": True}, "unit": "lb"}, "invalid_request", None),
        ({"bread": {"form": 3}}, "invalid_bread", "bread"),
    ],
)
def test_the_first_declared_error_is_the_answer(
    package: ModuleType, arguments: dict[str, object], code: str, field: str | None
) -> None:
    weigh = importlib.import_module("baked.tools.weigh")
    answer = json.loads(bind(weigh.WEIGH, lambda request: None).call(arguments).text)
    assert (answer["code"], answer.get("field")) == (code, field)


def test_a_handler_says_no_with_declared_fields_reasons_and_details(package: ModuleType) -> None:
    slicing = importlib.import_module("baked.tools.slice_bread")
    arguments = {"grain": "wheat", "tool": {"knife": "plain", "owner": None}}

    def answer_to(error: Exception) -> dict[str, object]:
        def handler(request: object) -> object:
            raise error

        answer: dict[str, object] = json.loads(
            bind(slicing.SLICE_BREAD, handler).call(arguments).text
        )
        return answer

    hard = slicing.SliceBreadError("too_hard", field="grain", reason="stale")
    assert answer_to(hard) == {
        "status": "conflict",
        "code": "too_hard",
        "field": "grain",
        "reason": "stale",
        "message": "It cannot be cut.",
    }
    uncertain = slicing.SliceBreadError("outcome_uncertain", details={"bread": {"form": 1}})
    assert list(answer_to(uncertain)) == ["status", "code", "bread", "message"]


def test_a_plugin_binds_in_public_order_and_leaves_out_shut_gates(package: ModuleType) -> None:
    kitchen = importlib.import_module("baked.plugins.kitchen")
    weigh, slicing = (lambda request: None), (lambda request: None)
    both = kitchen.KitchenHandlers(weigh=weigh, slice_bread=slicing)
    shut = kitchen.KitchenHandlers(weigh=weigh, slice_bread=None)
    names = [tool.capability.name for tool in kitchen.bind_kitchen(both)]
    assert names == ["weigh", "slice_bread"]
    assert [tool.capability.name for tool in kitchen.bind_kitchen(shut)] == ["weigh"]


def test_a_missing_handler_is_a_construction_error(package: ModuleType) -> None:
    kitchen = importlib.import_module("baked.plugins.kitchen")
    with pytest.raises(TypeError, match="slice_bread"):
        kitchen.KitchenHandlers(weigh=lambda request: None)


def test_a_record_reader_keeps_unions_in_lists_apart(package: ModuleType) -> None:
    reader = importlib.import_module("baked.records").ORDER_V1
    whole = {"cut": "whole", "seeds": False}
    order = {"form": 1, "id": "a007", "breads": [whole], "extra": {"a": [1]}}
    assert reader.read(order).breads[0].seeds is False
    with pytest.raises(Unreadable):
        reader.read({**order, "form": True})


def test_readers_of_settings_follow_rules_whether_the_format_has_a_number_or_not(
    package: ModuleType,
) -> None:
    configuration = importlib.import_module("baked.configuration")
    read = configuration.oven_v1().read({"form": 1, "degrees": 200, "timer": {"minutes": 3}})
    assert (read.form, read.degrees, read.timer.minutes) == (1, 200, 3)
    for value in ({"form": True}, {"form": 1, "timer": {"minutes": 3}}, {"form": 1, "x": 1}):
        with pytest.raises(Unreadable):
            configuration.oven_v1().read(value)
    assert configuration.pantry().read({"open": True}).open is True


def test_only_the_models_of_the_settings_in_use_are_imported(package: ModuleType) -> None:
    models = "baked.models.config."
    for name in [name for name in sys.modules if name.startswith(models)]:
        del sys.modules[name]
    importlib.import_module("baked.configuration").pantry()
    assert [name for name in sys.modules if name.startswith(models)] == [f"{models}pantry"]


def test_the_registry_lists_tools_in_public_order(package: ModuleType) -> None:
    registry = importlib.import_module("baked.registry")
    names = [capability.name for capability in registry.CAPABILITIES]
    assert names == ["ping_kitchen", "weigh", "slice_bread"]


def test_annotations_follow_the_effects(package: ModuleType) -> None:
    slicing = importlib.import_module("baked.tools.slice_bread").SLICE_BREAD
    assert slicing.published["annotations"] == {
        "title": "Slice a bread",
        "readOnlyHint": False,
        "destructiveHint": True,
        "idempotentHint": False,
        "openWorldHint": False,
    }


def test_examples_fit_their_published_schemas() -> None:
    for tool in compile_catalog(load(REPOSITORY)).tools:
        for example in tool.contract["examples"]:
            Draft202012Validator(tool.published["inputSchema"]).validate(example["arguments"])
            Draft202012Validator(tool.published["outputSchema"]).validate(example["result"])


def test_the_manifest_of_each_plugin_fits_the_manifest_contract() -> None:
    found = load(REPOSITORY)
    compilation = compile_catalog(found)
    (format_,) = compilation.formats_of("manifest")
    manifests = [plugin.manifest for plugin in compilation.plugins if plugin.manifest]
    assert manifests
    for manifest in manifests:
        Draft202012Validator(format_.schema).validate(manifest)
