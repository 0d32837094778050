"""A tool ready to be called: its contract bound to the function that a person wrote."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Generic, TypeVar
from uuid import uuid4

from mymcp.contract.capability import Capability
from mymcp.contract.errors import ToolError
from mymcp.contract.events import CallEnd, LogField, log_end
from mymcp.contract.faults import DeclaredError, first_declared
from mymcp.contract.model import ContractModel
from mymcp.contract.reader import Reader, Unreadable
from mymcp.contract.strict_json import encode
from mymcp.contract.trace import kind_of, place_of

Request = TypeVar("Request", bound=ContractModel)
Result = TypeVar("Result", bound=ContractModel)


@dataclass(frozen=True, slots=True)
class ToolOutcome:
    """What one call gave: `text` for the content item, `structured` as compact JSON text.

    On an error `structured` is none and `text` is the error object. `correlation` is set when an
    unexpected exception was contained; the log line of the call carries the same id. `content` are
    content items as JSON text where they are other than one text; then `text` counts not. `meta` is
    the `_meta` of an external tool's result, as JSON text.
    """

    text: str
    structured: str | None
    is_error: bool
    correlation: str | None = None
    content: str | None = None
    meta: str | None = None


@dataclass(frozen=True, slots=True)
class ToolContract(Generic[Request, Result]):
    """Everything that codegen knows about one tool.

    `published` is the definition that clients see; `input_schema` the resolved contract schema of
    the arguments, for readers that need its types.
    """

    capability: Capability
    reader: Reader[Request]
    result: type[Result]
    errors: tuple[DeclaredError, ...]
    log: tuple[LogField, ...]
    published: Mapping[str, object]
    input_schema: Mapping[str, object]


@dataclass(frozen=True, slots=True)
class BoundTool:
    """One callable tool.

    `inline` says that it touches no disk and may run on the event loop, `apart` that its plugin is
    to have threads of its own: code that nobody here vouches for must not keep others waiting.
    """

    capability: Capability
    published: Mapping[str, object]
    input_schema: Mapping[str, object]
    call: Callable[[Mapping[str, object]], ToolOutcome] = field(repr=False)
    inline: bool = False
    apart: bool = False


def bind(
    contract: ToolContract[Request, Result],
    handler: Callable[[Request], Result],
    *,
    inline: bool = False,
    render: Callable[[Result], str] | None = None,
) -> BoundTool:
    """Bind `handler` to its contract.

    The bound call never raises for what a caller or the handler does: bad arguments and
    `ToolError` become the declared error, anything else a bounded `internal_error`. `render`
    replaces the JSON text of a success by a sentence; `structuredContent` stays.
    """
    binding = _Binding(contract, handler, render)
    return BoundTool(
        contract.capability, contract.published, contract.input_schema, binding.call, inline
    )


@dataclass(frozen=True, slots=True)
class _Binding(Generic[Request, Result]):
    contract: ToolContract[Request, Result]
    handler: Callable[[Request], Result]
    render: Callable[[Result], str] | None

    def call(self, arguments: Mapping[str, object]) -> ToolOutcome:
        request: Request | None = None
        try:
            request = self.contract.reader.read(arguments)
            result = self.handler(request)
            if not isinstance(result, self.contract.result):
                raise TypeError("the handler gave a value of another type")
            return self._success(request, result)
        except Unreadable as error:
            return self._refusal(error)
        except ToolError as error:
            return self._declared(request, error)
        except Exception as error:  # noqa: BLE001  one caller's failure must not become another's
            return self._internal(request, error)

    def _success(self, request: Request, result: Result) -> ToolOutcome:
        body = result.__pydantic_serializer__.to_json(result).decode()
        text = self.render(result) if self.render else body
        self._log(CallEnd(request, result=result))
        return ToolOutcome(text, body, is_error=False)

    def _refusal(self, error: Unreadable) -> ToolOutcome:
        found = first_declared(self.contract.errors, error.faults)
        if found is None:
            return self._internal(None, error)
        declared, fault = found
        return self._error(None, declared, field_name=declared.field_of(fault))

    def _declared(self, request: Request | None, error: ToolError) -> ToolOutcome:
        declared = next((e for e in self.contract.errors if _fits(e, error)), None)
        if declared is None:
            return self._internal(request, error)
        return self._error(
            request, declared, field_name=error.field or declared.field, raised=error
        )

    def _error(
        self,
        request: Request | None,
        declared: DeclaredError,
        *,
        field_name: str | None,
        raised: ToolError | None = None,
    ) -> ToolOutcome:
        answer: dict[str, object] = {"status": declared.status, "code": declared.code}
        if field_name is not None:
            answer["field"] = field_name
        if raised is not None and raised.reason is not None:
            answer["reason"] = raised.reason
        if raised is not None:
            answer |= {name: raised.details[name] for name in declared.details}
        answer["message"] = declared.message
        self._log(CallEnd(request, error=answer))
        return ToolOutcome(encode(answer), None, is_error=True)

    def _internal(self, request: Request | None, error: Exception) -> ToolOutcome:
        correlation = uuid4().hex[:12]
        declared = next(e for e in self.contract.errors if e.code == "internal_error")
        answer = {"status": declared.status, "code": declared.code, "message": declared.message}
        trouble = f"correlation={correlation} exception={kind_of(error)} at={place_of(error)}"
        self._log(CallEnd(request, error=answer, trouble=trouble))
        return ToolOutcome(encode(answer), None, is_error=True, correlation=correlation)

    def _log(self, end: CallEnd) -> None:
        log_end(self.contract.capability.name, self.contract.log, end)


def _fits(declared: DeclaredError, error: ToolError) -> bool:
    """Tell whether a raised error keeps to its entry: code, field, reason, details."""
    if declared.code != error.code or set(error.details) != set(declared.details):
        return False
    if error.field is not None and error.field not in (declared.field, *declared.fields):
        return False
    return error.reason is None or error.reason in declared.reasons
