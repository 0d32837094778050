import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mymcp.mcp.messages import (
    ClientResponse,
    InvalidRequest,
    Notification,
    Request,
    error,
    read_message,
    refusal,
    result,
)

ids = st.integers(-(2**63), 2**63 - 1) | st.text(st.characters(codec="utf-8"), max_size=256)


def test_absent_params_are_an_empty_object() -> None:
    assert read_message({"jsonrpc": "2.0", "id": 1, "method": "m"}) == Request(1, "m", {})


@pytest.mark.parametrize("params", [None, [], 1])
def test_present_params_are_handed_on_as_they_are(params: object) -> None:
    message = {"jsonrpc": "2.0", "id": 1, "method": "m", "params": params}
    assert read_message(message) == Request(1, "m", params)


def test_a_message_without_id_is_a_notification() -> None:
    assert read_message({"jsonrpc": "2.0", "method": "m", "params": 1}) == Notification("m")


def test_a_message_without_method_that_answers_is_a_response() -> None:
    assert read_message({"jsonrpc": "2.0", "id": 1, "error": 5}) == ClientResponse()


def test_a_message_with_a_method_is_no_response() -> None:
    message = {"jsonrpc": "2.0", "id": 1, "method": "m", "result": {}}
    assert read_message(message) == Request(1, "m", {})


@given(
    st.recursive(
        st.none() | st.booleans() | st.floats() | st.integers() | st.text(),
        lambda inner: (
            st.lists(inner)
            | st.dictionaries(
                st.sampled_from(["jsonrpc", "id", "method", "params", "result"]),
                inner | st.just("2.0"),
            )
        ),
    )
)
def test_any_value_is_a_message_or_refused(value: object) -> None:
    try:
        message = read_message(value)
    except InvalidRequest:
        return
    if isinstance(message, Request):
        json.loads(result(message.id, "{}"))


@given(ids)
def test_an_accepted_id_is_echoed_unchanged(identity: object) -> None:
    message = read_message({"jsonrpc": "2.0", "id": identity, "method": "m"})
    assert isinstance(message, Request)
    for answer in (result(message.id, "{}"), error(message.id, -1, "no")):
        echoed = json.loads(answer)["id"]
        assert echoed == identity
        assert type(echoed) is type(identity)


def test_members_come_in_fixed_order() -> None:
    assert result(1, '{"a":1}') == b'{"jsonrpc":"2.0","id":1,"result":{"a":1}}'
    assert error(None, -32700, "No", {"x": 1}) == (
        b'{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"No","data":{"x":1}}}'
    )
    assert refusal("No") == b'{"jsonrpc":"2.0","error":{"code":-32600,"message":"No"}}'
