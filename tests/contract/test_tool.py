import json
import logging
from collections.abc import Callable
from typing import Annotated, Literal

import pytest
from pydantic import Field, StrictInt, StrictStr

from mymcp.contract.capability import Capability, Effects
from mymcp.contract.errors import ToolError
from mymcp.contract.events import LogField
from mymcp.contract.faults import Condition, DeclaredError
from mymcp.contract.model import ContractModel
from mymcp.contract.reader import Reader
from mymcp.contract.tool import BoundTool, ToolContract, bind


class EchoRequest(ContractModel):
    scope: Literal["self", "project"]
    text: Annotated[StrictStr, Field(max_length=9)]


class EchoResult(ContractModel):
    status: Literal["ok"]
    text: StrictStr
    words: list[StrictStr]
    length: StrictInt


ERRORS = (
    DeclaredError("unknown", "invalid_request", "No more.", when=(Condition("unknown"),)),
    DeclaredError("bad_scope", "invalid_request", "Mend scope.", field="scope",
                  when=(Condition("missing", ("scope",)), Condition("invalid", ("scope",)))),
    DeclaredError("bad_text", "invalid_request", "Mend text.", field="text",
                  when=(Condition("missing", ("text",)), Condition("invalid", ("text",)))),
    DeclaredError("not_found", "not_found", "Nothing there."),
    DeclaredError("refused", "refused", "Not this.", fields=("text",), reasons=("shape",)),
    DeclaredError("uncertain", "uncertain", "Look first.", details=("reference",)),
    DeclaredError("internal_error", "internal_error", "Try again."),
)  # fmt: skip
LOG = (
    LogField("scope", "request", ("scope",)),
    LogField("has_text", "presence", ("text",)),
    LogField("length", "result", ("length",)),
    LogField("words", "count", ("words",)),
)
CONTRACT = ToolContract(
    Capability(
        "demo", "echo", "1.0.0", "Echo", Effects(True, False, True, False), "none", None, ""
    ),
    Reader(EchoRequest),
    EchoResult,
    ERRORS,
    LOG,
    {"name": "echo"},
    {"type": "object"},
)


def echo(request: EchoRequest) -> EchoResult:
    words = request.text.split()
    return EchoResult(status="ok", text=request.text, words=words, length=len(request.text))


def raising(error: BaseException) -> BoundTool:
    def handler(_request: EchoRequest) -> EchoResult:
        raise error

    return bind(CONTRACT, handler)


GOOD = {"scope": "self", "text": "zwei é"}


def test_a_success_is_the_result_as_compact_json_in_contract_order() -> None:
    outcome = bind(CONTRACT, echo).call(GOOD)
    assert outcome.text == '{"status":"ok","text":"zwei é","words":["zwei","é"],"length":6}'
    assert outcome.structured == outcome.text
    assert not outcome.is_error


def test_a_sentence_can_stand_in_the_text_while_the_structure_stays() -> None:
    outcome = bind(CONTRACT, echo, render=lambda result: f"{result.length} long").call(GOOD)
    assert outcome.text == "6 long"
    assert outcome.structured is not None
    assert json.loads(outcome.structured)["length"] == 6


@pytest.mark.parametrize(
    ("arguments", "answer"),
    [
        ({"other": 1}, {"status": "invalid_request", "code": "unknown", "message": "No more."}),
        ({"text": 1}, {"status": "invalid_request", "code": "bad_scope", "field": "scope",
                       "message": "Mend scope."}),
        ({"scope": "self", "text": "x" * 10}, {"status": "invalid_request", "code": "bad_text",
                                               "field": "text", "message": "Mend text."}),
    ],
)  # fmt: skip
def test_bad_arguments_get_the_first_declared_error(
    arguments: dict[str, object], answer: dict[str, str]
) -> None:
    outcome = bind(CONTRACT, echo).call(arguments)
    assert outcome.is_error
    assert outcome.structured is None
    assert json.loads(outcome.text) == answer
    assert list(json.loads(outcome.text)) == list(answer)


@pytest.mark.parametrize(
    ("error", "answer"),
    [
        (ToolError("not_found"), {"status": "not_found", "code": "not_found",
                                  "message": "Nothing there."}),
        (ToolError("refused", field="text", reason="shape"),
         {"status": "refused", "code": "refused", "field": "text", "reason": "shape",
          "message": "Not this."}),
        (ToolError("uncertain", details={"reference": {"id": "m"}}),
         {"status": "uncertain", "code": "uncertain", "reference": {"id": "m"},
          "message": "Look first."}),
    ],
)  # fmt: skip
def test_a_raised_error_becomes_its_declared_answer(
    error: ToolError, answer: dict[str, object]
) -> None:
    outcome = raising(error).call(GOOD)
    assert outcome.is_error
    assert outcome.correlation is None
    assert list(json.loads(outcome.text).items()) == list(answer.items())


@pytest.mark.parametrize(
    "error",
    [
        ToolError("undeclared"),
        ToolError("refused", field="scope"),
        ToolError("refused", reason="other"),
        ToolError("uncertain"),
        ToolError("not_found", details={"path": "x"}),
        ValueError("/etc/secret"),
        RecursionError(),
        MemoryError(),
    ],
)
def test_anything_undeclared_is_contained_and_can_be_found_in_the_log(
    error: Exception, caplog: pytest.LogCaptureFixture
) -> None:
    outcome = raising(error).call(GOOD)
    assert json.loads(outcome.text) == {
        "status": "internal_error", "code": "internal_error", "message": "Try again.",
    }  # fmt: skip
    assert outcome.correlation is not None
    assert len(caplog.records) == 1
    line = caplog.records[0]
    assert line.levelno == logging.ERROR
    assert f"correlation={outcome.correlation}" in line.getMessage()
    assert f"exception={type(error).__name__} at=" in line.getMessage()
    assert "/etc/secret" not in caplog.text
    assert line.exc_info is None


@pytest.mark.parametrize("answer", [None, {"status": "ok"}, "text", 1])
def test_a_handler_that_gives_another_type_is_contained(answer: object) -> None:
    handler: Callable[[EchoRequest], EchoResult] = lambda _request: answer  # type: ignore[assignment,return-value]  # noqa: E731
    outcome = bind(CONTRACT, handler).call(GOOD)
    assert json.loads(outcome.text)["code"] == "internal_error"


@pytest.mark.parametrize(
    ("tool", "arguments", "level", "line"),
    [
        (bind(CONTRACT, echo), GOOD, logging.INFO,
         "event=echo outcome=ok scope=self has_text=true length=6 words=2"),
        (bind(CONTRACT, echo), {"scope": "hunter2", "text": "hunter2"}, logging.WARNING,
         "event=echo outcome=invalid_request code=bad_scope field=scope"),
        (raising(ToolError("not_found")), GOOD, logging.INFO,
         "event=echo outcome=not_found code=not_found scope=self has_text=true"),
        (raising(ToolError("refused", field="text", reason="shape")), GOOD, logging.WARNING,
         "event=echo outcome=refused code=refused field=text reason=shape "
         "scope=self has_text=true"),
    ],
)  # fmt: skip
def test_every_call_ends_in_one_event_without_content(
    tool: BoundTool, arguments: dict[str, object], level: int, line: str,
    caplog: pytest.LogCaptureFixture,
) -> None:  # fmt: skip
    caplog.set_level(logging.INFO)
    tool.call(arguments)
    assert [(r.name, r.levelno, r.getMessage()) for r in caplog.records] == [
        ("mcp.echo", level, line)
    ]
