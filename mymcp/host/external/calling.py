"""One external tool, callable so that whatever it does stays with this one call."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final
from uuid import uuid4

from mymcp.contract.capability import Capability
from mymcp.contract.events import CallEnd, log_end
from mymcp.contract.strict_json import encode
from mymcp.contract.tool import BoundTool, ToolOutcome
from mymcp.host.external.answer import WrongResult, outcome_of
from mymcp.host.external.containment import Contained, contained
from mymcp.host.external.tool import CheckedTool
from mymcp.plugin.contribution import Handler

FIELD_MAX_CHARACTERS: Final = 200

_REPEATABLE: Final = "Try once more, then tell the operator."
_UNCERTAIN: Final = "Whether it took effect is unknown: look before you repeat the call."


def bound(capability: Capability, tool: CheckedTool, handler: Handler) -> BoundTool:
    """Return `tool` with `handler` behind it.

    The bound call never raises for what a caller or the handler does: arguments that the author's
    schema refuses become `invalid_arguments`, and whatever the handler raises, `SystemExit` too,
    or returns instead of a tool result, becomes a bounded `internal_error`.
    """
    call = _Call(capability, tool, handler)
    return BoundTool(capability, tool.published, tool.input_schema, call, apart=True)


@dataclass(frozen=True, slots=True)
class _Call:
    capability: Capability
    tool: CheckedTool
    handler: Handler

    def __call__(self, arguments: Mapping[str, object]) -> ToolOutcome:
        given = dict(arguments)
        fault = self.tool.arguments.fault(given)
        if fault is not None:
            return self._refusal(fault)
        try:
            value = contained(lambda: self.handler(given))
            outcome = contained(lambda: outcome_of(value, self.tool.answer), letting=WrongResult)
        except WrongResult as error:
            return self._failure(f"result={error}")
        except Contained as error:
            return self._failure(f"exception={error.kind} at={error.place}")
        self._log(CallEnd(None, error=_OWN_ERROR if outcome.is_error else None))
        return outcome

    def _refusal(self, field: str) -> ToolOutcome:
        shown = field if len(field) <= FIELD_MAX_CHARACTERS else "/"
        answer = {
            "status": "invalid_request",
            "code": "invalid_arguments",
            "field": shown,
            "message": "The value at this place does not fit the tool's input schema.",
        }
        self._log(CallEnd(None, error={name: answer[name] for name in ("status", "code")}))
        return ToolOutcome(encode(answer), None, is_error=True)

    def _failure(self, trouble: str) -> ToolOutcome:
        correlation = uuid4().hex[:12]
        advice = _REPEATABLE if self.capability.effects.read_only else _UNCERTAIN
        answer = {
            "status": "internal_error",
            "code": "internal_error",
            "message": f"The plugin behind this tool failed. {advice}",
        }
        self._log(CallEnd(None, error=answer, trouble=f"correlation={correlation} {trouble}"))
        return ToolOutcome(encode(answer), None, is_error=True, correlation=correlation)

    def _log(self, end: CallEnd) -> None:
        log_end(self.capability.name, (), end)


_OWN_ERROR: Final = {"status": "tool_error", "code": "tool_error"}
