import json
import re

from hypothesis import given
from hypothesis import strategies as st

from mymcp.contract.tool import ToolOutcome
from mymcp.mcp.results import CORRELATION_KEY, tool_result


def test_a_success_has_text_and_the_same_json_spliced_in() -> None:
    assert tool_result(ToolOutcome('{"a":"é"}', '{"a":"é"}', is_error=False)) == (
        '{"content":[{"type":"text","text":"{\\"a\\":\\"é\\"}"}],"structuredContent":{"a":"é"}}'
    )


def test_a_contained_failure_carries_its_correlation() -> None:
    outcome = ToolOutcome("{}", None, is_error=True, correlation="c0ffee")
    assert tool_result(outcome) == (
        '{"content":[{"type":"text","text":"{}"}],"isError":true,'
        '"_meta":{"local.mymcp/correlation":"c0ffee"}}'
    )


def test_the_correlation_key_is_one_that_mcp_lets_others_have() -> None:
    prefix, _, name = CORRELATION_KEY.partition("/")
    labels = prefix.split(".")
    assert all(re.fullmatch(r"[a-z]([a-z0-9-]*[a-z0-9])?", label) for label in labels)
    assert labels[1] not in {"mcp", "modelcontextprotocol"}
    assert re.fullmatch(r"[a-z]+", name)


@given(st.text(st.characters(codec="utf-8")))
def test_any_text_survives(text: str) -> None:
    found = json.loads(tool_result(ToolOutcome(text, None, is_error=True)))
    assert found == {"content": [{"type": "text", "text": text}], "isError": True}
