import json
from dataclasses import FrozenInstanceError
from typing import Any

import pytest

from mymcp.host.runtime import CompositionError, assemble, public_names
from tests.host.tools import echo, tool


def test_tools_keep_their_order_and_definitions() -> None:
    runtime = assemble([tool("b", echo), tool("a", echo)], generation="g")
    assert list(runtime.tools) == ["b", "a"]
    assert json.loads(runtime.tools_list) == {
        "tools": [dict(one.published) for one in runtime.tools.values()]
    }


def test_a_runtime_cannot_be_changed() -> None:
    runtime: Any = assemble([tool("a", echo)], generation="g")
    with pytest.raises(FrozenInstanceError):
        runtime.generation = "h"
    with pytest.raises(TypeError):
        runtime.tools["b"] = None


@pytest.mark.parametrize("name", ["a", "A-b_9", "x" * 64])
def test_a_name_that_clients_take_is_offered(name: str) -> None:
    assert public_names([tool(name, echo)]) == (name,)


@pytest.mark.parametrize("name", ["", "a.b", "a/b", "a b", "é", "x" * 65, "a\n", None, 5])
def test_a_name_that_clients_refuse_is_not_composed(name: Any) -> None:
    with pytest.raises(CompositionError) as caught:
        assemble([tool(name, echo)], generation="g")
    assert caught.value.code == "invalid_tool_name"
    assert str(caught.value).startswith("invalid_tool_name: ")


def test_two_tools_of_one_name_are_not_composed() -> None:
    with pytest.raises(CompositionError) as caught:
        assemble([tool("a", echo), tool("a", echo)], generation="g")
    assert caught.value.code == "duplicate_tool_name"
