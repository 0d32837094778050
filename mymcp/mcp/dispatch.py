"""From a request to its answer."""

from asyncio import CancelledError
from collections.abc import Callable, Mapping
from re import compile as pattern
from uuid import uuid4

from mymcp.contract.strict_json import encode
from mymcp.contract.tool import BoundTool, ToolOutcome
from mymcp.host.pools import Pools
from mymcp.host.runtime import HostRuntime
from mymcp.host.workers import Busy, Overdue
from mymcp.mcp import messages
from mymcp.mcp.arguments import Shape, decoded, shape_of
from mymcp.mcp.contexts import CallContext
from mymcp.mcp.eras import negotiated
from mymcp.mcp.journal import log_contained, log_given_up, log_response
from mymcp.mcp.messages import Request
from mymcp.mcp.results import CORRELATION_KEY, tool_result
from mymcp.settings import HANDSHAKE_REVISIONS, PRODUCT_TITLE

INLINE_MAX_BYTES = 8 * 1024
"""Longest message that is dealt with on the event loop. The worst of 64 KiB held it for 45 ms."""

_echoable = pattern(r"[A-Za-z0-9_./-]{1,64}").fullmatch


class _Refused(Exception):
    """A JSON-RPC error, to be answered with the id of the request."""

    def __init__(self, code: int, message: str, data: Mapping[str, object] | None = None) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.data = data


class Dispatcher:
    """Answers the requests of the handshake era.

    Args:
        runtime: what the server offers.
        pools: where calls run that may touch the disk, or whose message is long.
        clock: seconds, only ever going forward; for the durations in the log.
    """

    def __init__(self, runtime: HostRuntime, pools: Pools, clock: Callable[[], float]) -> None:
        self._tools = runtime.tools
        self._shapes = {name: shape_of(tool.input_schema) for name, tool in runtime.tools.items()}
        self._tools_list = runtime.tools_list.decode()
        self._openings = {revision: _opening(runtime, revision) for revision in HANDSHAKE_REVISIONS}
        self._pools = pools
        self._clock = clock

    async def answer(self, request: Request, length: int, context: CallContext) -> bytes:
        """Return the answer to `request`, which came in `length` bytes and in `context`.

        Raises `workers.Busy`, and `CancelledError` when the server stops before the call ends.
        """
        started = self._clock()
        code = None
        try:
            body = messages.result(request.id, await self._result(request, length, context))
        except _Refused as refused:
            code = refused.code
            body = messages.error(request.id, code, refused.message, refused.data)
        except Busy:
            log_given_up(request, "busy")
            raise
        except CancelledError:
            log_given_up(request, "stopped")
            raise
        log_response(request, code, int((self._clock() - started) * 1000))
        return body

    async def _result(self, request: Request, length: int, context: CallContext) -> str:
        params = request.params
        if not isinstance(params, dict):
            raise _Refused(messages.INVALID_PARAMS, "Invalid params")
        match request.method:
            case "tools/call":
                return await self._call(params, length)
            case "tools/list":
                return self._list(params)
            case "initialize":
                return self._openings[negotiated(params, context.revisions)]
            case "ping" | "notifications/initialized":
                return "{}"
            case method:
                raise _Refused(messages.METHOD_NOT_FOUND, _naming("Unknown method", method))

    def _list(self, params: Mapping[str, object]) -> str:
        if params.get("cursor") is not None:
            raise _Refused(messages.INVALID_PARAMS, "Unknown cursor: the list has one page")
        return self._tools_list

    async def _call(self, params: Mapping[str, object], length: int) -> str:
        arguments = params.get("arguments", {})
        if not isinstance(arguments, dict):
            raise _Refused(messages.INVALID_PARAMS, "Invalid params")
        name = params.get("name")
        if not isinstance(name, str) or name not in self._tools:
            raise _Refused(messages.INVALID_PARAMS, _naming("Unknown tool", name))
        tool, shape = self._tools[name], self._shapes[name]
        if tool.inline and length <= INLINE_MAX_BYTES:
            return _outcome(tool, shape, arguments)
        pool = self._pools.of(tool.capability.effects)
        try:
            return await pool.run(lambda: _outcome(tool, shape, arguments))
        except Overdue:
            raise _Refused(
                messages.INTERNAL_ERROR,
                "The tool did not answer in time; whether it took effect is unknown."
                " Look before you repeat the call.",
            ) from None


def _outcome(tool: BoundTool, shape: Shape, arguments: Mapping[str, object]) -> str:
    """Call `tool` and return its result; whatever it does, one call fails and nothing else."""
    try:
        outcome = tool.call(decoded(arguments, shape))
        if not isinstance(outcome, ToolOutcome):
            raise TypeError("a tool gave a value of another type")
        text = tool_result(outcome)
        text.encode()  # a lone surrogate would fail later, where nothing can contain it
        return text
    except BaseException as error:  # noqa: BLE001  SystemExit of a handler must not end the server
        correlation = uuid4().hex[:12]
        log_contained(tool.capability.name, correlation, error)
        raise _Refused(
            messages.INTERNAL_ERROR, "Internal error", {CORRELATION_KEY: correlation}
        ) from None


def _naming(trouble: str, name: object) -> str:
    """Return `trouble` with the name it is about, if that is safe to repeat."""
    return f"{trouble}: {name}" if isinstance(name, str) and _echoable(name) else trouble


def _opening(runtime: HostRuntime, revision: str) -> str:
    return encode(
        {
            "protocolVersion": revision,
            "capabilities": {"tools": {}},
            "serverInfo": {
                "name": runtime.server_name,
                "title": PRODUCT_TITLE,
                "version": runtime.server_version,
            },
            "instructions": runtime.instructions,
        }
    )
