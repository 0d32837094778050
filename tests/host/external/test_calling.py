"""Calls of external tools: whatever a handler does, one call fails and nothing else."""

import json
import logging
from pathlib import Path
from typing import Any

import pytest

from mymcp.contract.tool import BoundTool, ToolOutcome
from mymcp.host.production import build_production_runtime
from mymcp.mcp.results import tool_result
from tests.host.external.packages import written
from tests.plugin.manifests import Manifest, capability, manifest

SECRET = "swordfish"
OUTPUT = (
    "TOOL['outputSchema'] = {'type': 'object', 'properties': {'n': {'type': 'integer'}},"
    " 'required': ['n']}\n"
)


def tool(site: Path, body: str, more: str = "", one: Manifest | None = None) -> BoundTool:
    """Return the tool whose handler is `body`."""
    handler = f"def handler(arguments):\n    {body}\n"
    reference = written(
        site, handler + more, content=manifest(capabilities=[one or capability("one")])
    )
    return build_production_runtime({}, site, [reference]).tools["demo__one"]


def result(outcome: ToolOutcome) -> Any:
    return json.loads(tool_result(outcome))


@pytest.mark.parametrize(
    ("body", "content", "structured"),
    [
        ("return text_result('hi')", [{"type": "text", "text": "hi"}], None),
        ("return {'content': []}", [], None),
        (
            "return structured_result({'n': 1})",
            [{"type": "text", "text": '{"n":1}'}],
            {"n": 1},
        ),
        (
            "return {'structuredContent': {'n': 1}}",
            [{"type": "text", "text": '{"n":1}'}],
            {"n": 1},
        ),
        (
            "return {'content': [{'type': 'image', 'data': 'AA==', 'mimeType': 'image/png'}]}",
            [{"type": "image", "data": "AA==", "mimeType": "image/png"}],
            None,
        ),
        (
            "return {'content': [{'type': 'resource', 'resource': {'uri': 'a:b', 'text': 'x'}}]}",
            [{"type": "resource", "resource": {"uri": "a:b", "text": "x"}}],
            None,
        ),
        (
            "return {'content': [{'type': 'resource_link', 'uri': 'a:b', 'name': 'x'}]}",
            [{"type": "resource_link", "uri": "a:b", "name": "x"}],
            None,
        ),
    ],
)
def test_good_result_arrives_as_it_was_given(
    body: str, content: list[object], structured: object, site: Path
) -> None:
    found = result(tool(site, body).call({}))
    assert found["content"] == content
    assert found.get("structuredContent") == structured
    assert "isError" not in found


def test_meta_of_a_result_arrives(site: Path) -> None:
    body = "return {'content': [], '_meta': {'example.org/x': 1, 'y': 2}}"
    assert result(tool(site, body).call({}))["_meta"] == {"example.org/x": 1, "y": 2}


def test_error_of_the_plugin_itself_arrives_and_is_logged_without_content(
    site: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO)
    found = result(tool(site, f"return error_result('no', '{SECRET}')").call({}))
    assert found["isError"] is True
    assert json.loads(found["content"][0]["text"])["code"] == "no"
    assert "event=demo__one outcome=tool_error code=tool_error" in caplog.text
    assert SECRET not in caplog.text


RAISED = [
    ("raise ValueError('swordfish')", "exception=ValueError"),
    ("raise SystemExit(3)", "exception=SystemExit"),
    ("raise KeyboardInterrupt", "exception=KeyboardInterrupt"),
    ("raise GeneratorExit", "exception=GeneratorExit"),
    ("raise StopIteration", "exception=StopIteration"),
    ("raise MemoryError", "exception=MemoryError"),
    ("return handler(arguments)", "exception=RecursionError"),
    ("raise type('Odd', (BaseException,), {'__str__': lambda s: 1 / 0})", "exception=Odd"),
    ("import asyncio; raise asyncio.CancelledError", "exception=CancelledError"),
    ("return None", "result=type"),
    ("return 'text'", "result=type"),
    ("return [text_result('x')]", "result=type"),
    ("return {}", "result=content"),
    ("return {'content': 'x'}", "result=content"),
    ("return {'content': [1]}", "result=content"),
    ("return {'content': [{'type': 'text'}]}", "result=content"),
    ("return {'content': [{'type': 'video', 'text': 'x'}]}", "result=content"),
    ("return {'content': [{'type': 'resource', 'resource': {'uri': 'a:b'}}]}", "result=content"),
    ("return {'content': [], 'isError': 'yes'}", "result=members"),
    ("return {'content': [], 'more': 1}", "result=members"),
    ("return {'content': [], 'structuredContent': [1]}", "result=structured_content"),
    ("return {'content': [], '_meta': {'a': object()}}", "result=serialisation"),
    ("return text_result(float('nan'))", "result=serialisation"),
    ("return text_result('\\ud800')", "result=serialisation"),
    ("a = []; a.append(a); return {'content': a}", "result=size"),
    ("a = {}; a['content'] = a; return a", "result=size"),
    ("return {'content': [], '_meta': {'a': [0] * 30_000}}", "result=size"),
    (
        "return {'content': [], '_meta': {'a': dict.fromkeys(map(str, range(30_000)))}}",
        "result=size",
    ),
    ("return {'content': [{'type': 'text', 'text': 'x'}] * 3_000_000}", "result=size"),
    ("return {'content': [], '_meta': {'x' * 4_200_000: 1}}", "result=size"),
    ("return text_result('\\u00e9' * 2_100_000)", "result=size"),
    ("return text_result('x' * 4_200_000)", "result=size"),
    (
        "return type('M', (dict,), {'keys': lambda s: 1 / 0, '__iter__': lambda s: 1 / 0})()",
        "exception=ZeroDivisionError",
    ),
    ("return {'content': [], '_meta': 1}", "result=meta"),
    ("return {'content': [], '_meta': {'io.mcp/x': 1}}", "result=meta"),
]


@pytest.mark.parametrize(("body", "trouble"), RAISED, ids=[row[0][:40] for row in RAISED])
def test_handler_that_fails_is_a_bounded_error_and_one_log_line(
    body: str, trouble: str, site: Path, caplog: pytest.LogCaptureFixture
) -> None:
    outcome = tool(site, body).call({})
    found = result(outcome)
    answer = json.loads(found["content"][0]["text"])
    assert (answer["code"], found["isError"]) == ("internal_error", True)
    (record,) = (one for one in caplog.records if one.name == "mcp.demo__one")
    assert record.levelno == logging.ERROR
    assert f"correlation={outcome.correlation} {trouble}" in record.getMessage()
    assert record.exc_info is None
    assert SECRET not in found["content"][0]["text"] + caplog.text


@pytest.mark.parametrize(
    "body",
    [
        "return text_result('x')",
        "return structured_result({'n': 'x'})",
        "return structured_result({})",
    ],
)
def test_success_that_breaks_the_output_schema_is_an_error(body: str, site: Path) -> None:
    assert tool(site, body, OUTPUT).call({}).is_error is True


def test_error_need_not_keep_to_the_output_schema(site: Path) -> None:
    outcome = tool(site, "return error_result('no', 'Another.')", OUTPUT).call({})
    assert (outcome.is_error, outcome.correlation) == (True, None)


def test_coroutine_is_no_result_and_is_closed(site: Path) -> None:
    body = "\n    async def later(): pass\n    return later()"
    assert tool(site, body).call({}).is_error is True


@pytest.mark.parametrize(
    ("changes", "advice"),
    [
        ({}, "Try once more"),
        ({"read_only": False, "consent": "per_call"}, "Whether it took effect is unknown"),
    ],
)
def test_error_says_whether_the_call_may_be_repeated(
    changes: dict[str, object], advice: str, site: Path
) -> None:
    found = tool(site, "raise ValueError", one=capability("one", **changes)).call({})
    assert advice in json.loads(found.text)["message"]


SCHEMA = (
    "TOOL['inputSchema'] = {'type': 'object', 'additionalProperties': {'type': 'null'},"
    " 'properties': {'a': {'type': 'string', 'pattern': '^(x+x+)+y$'}, 'n': {'type': 'integer'}}}"
)


@pytest.mark.parametrize(
    ("arguments", "field"),
    [
        ({"a": 1}, "/a"),
        ({"n": "1"}, "/n"),
        ({"n": True}, "/n"),
        ({"a": "x" * 200}, "/a"),
        ({"b/c": 1}, "/b~1c"),
        ({"k" * 5_000: 1}, "/"),
        ({"a": "\ud800"}, "/"),
    ],
)
def test_arguments_that_do_not_fit_never_reach_the_handler(
    arguments: dict[str, object], field: str, site: Path, caplog: pytest.LogCaptureFixture
) -> None:
    found = tool(site, "raise AssertionError('reached')", SCHEMA).call(arguments)
    answer = json.loads(found.text)
    assert (answer["code"], answer["field"]) == ("invalid_arguments", field)
    assert "outcome=invalid_request code=invalid_arguments" in caplog.text
    assert "field=" not in caplog.text


def test_handler_may_change_what_it_is_given(site: Path) -> None:
    arguments: dict[str, object] = {}
    tool(site, "arguments['a'] = 1; return text_result('x')").call(arguments)
    assert arguments == {}
