import json

import pytest

from mymcp.host.listing import listing


def test_list_tools_names_the_server_and_every_tool() -> None:
    outcome = listing(["a", "b"]).call({})
    assert outcome.text == "Server: mymcp 0.11.0. Available tools: list_tools, a, b"
    assert json.loads(outcome.structured or "") == {
        "server": {"name": "mymcp", "version": "0.11.0"},
        "tools": ["list_tools", "a", "b"],
    }


def test_list_tools_touches_no_disk() -> None:
    assert listing([]).inline


@pytest.mark.parametrize("arguments", [{"x": 1}, {"tools": []}])
def test_list_tools_takes_no_arguments(arguments: dict[str, object]) -> None:
    outcome = listing([]).call(arguments)
    assert outcome.is_error
    assert json.loads(outcome.text)["code"] == "invalid_request"
