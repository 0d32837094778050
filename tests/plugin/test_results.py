import json
from typing import Any

from mymcp.plugin import error_result, structured_result, text_result


def test_text_is_one_content_item() -> None:
    assert text_result("hi") == {"content": [{"type": "text", "text": "hi"}]}


def test_structured_value_is_text_as_well() -> None:
    result: Any = structured_result({"a": "ä"})
    assert result["structuredContent"] == {"a": "ä"}
    assert result["content"][0]["text"] == '{"a":"ä"}'


def test_error_has_a_code_and_says_what_to_do() -> None:
    result: Any = error_result("no_such_city", "Pass another city.", field="city")
    assert result["isError"] is True
    assert json.loads(result["content"][0]["text"]) == {
        "code": "no_such_city", "field": "city", "message": "Pass another city.",
    }  # fmt: skip
