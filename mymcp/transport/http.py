"""`/mcp` over HTTP: what comes in by the socket, and what goes back. MCP 2025-11-25, transports.

Checks go from cheap to dear, so that little is read of a request that is refused anyway: method,
media type, size, JSON, message, context. The context comes last because `initialize` needs none.
"""

import asyncio
from contextlib import suppress
from typing import Final

from starlette.types import Receive, Scope, Send

from mymcp.authentication.principal import Principal
from mymcp.contract.strict_json import StrictJSONError, decode
from mymcp.host.workers import Busy, Overdue, Workers
from mymcp.mcp.dispatch import INLINE_MAX_BYTES, Dispatcher
from mymcp.mcp.eras import ContextFault, context_fault, needs_context
from mymcp.mcp.journal import log_notification
from mymcp.mcp.messages import (
    INVALID_REQUEST,
    PARSE_ERROR,
    InvalidRequest,
    Message,
    Notification,
    Request,
    error,
    read_message,
)
from mymcp.transport.answers import (
    Answer,
    empty_answer,
    json_answer,
    method_not_allowed,
    refused,
)
from mymcp.transport.body import (
    Bodies,
    BodiesFull,
    BodyTooLarge,
    BodyTooSlow,
    ClientGone,
    check_declared_length,
)
from mymcp.transport.media import accepts, is_json, is_plain
from mymcp.transport.stream import Streams

Fields = dict[bytes, tuple[bytes, ...]]

_SESSION: Final = b"mcp-session-id"
_REVISION: Final = b"mcp-protocol-version"
_CONTEXT: Final = frozenset({_SESSION, _REVISION})
_READ: Final = frozenset(
    {
        *(b"accept", b"content-encoding", b"content-length", b"content-type"),
        *_CONTEXT,
    }
)
_RETRY_SOON: Final = (b"retry-after", b"1")
_RETRY_LATER: Final = (b"retry-after", b"30")

_ACCEPTED: Final = empty_answer(202)
_BAD_REQUEST: Final = empty_answer(400)
_NOT_FOUND: Final = empty_answer(404)
_OTHER_METHOD: Final = method_not_allowed(b"GET, POST")
_NO_STREAM: Final = method_not_allowed(b"POST")
_NOT_ACCEPTABLE_JSON: Final = refused(406, "Accept excludes application/json; list it.")
_NOT_ACCEPTABLE_EVENTS: Final = refused(406, "Accept excludes text/event-stream; list it.")
_NOT_JSON: Final = refused(415, "Content-Type must be application/json, in UTF-8.")
_ENCODED: Final = refused(
    415,
    "Content-Encoding is not supported; send the body as it is.",
    (b"accept-encoding", b"identity"),
)
_TOO_LARGE: Final = refused(413, "The body is longer than 4 MiB; send less.")
_TOO_SLOW: Final = refused(408, "The body did not arrive within 30 s.", (b"connection", b"close"))
_BUSY: Final = refused(503, "Too many calls are waiting; the call was not made.", _RETRY_SOON)
_FULL: Final = refused(503, "Too many long bodies are waiting; nothing was done.", _RETRY_SOON)
_STREAMS_FULL: Final = refused(503, "Too many event streams are open.", _RETRY_LATER)
_STOPPING: Final = refused(503, "The server is stopping; nothing was done.", _RETRY_LATER)
_CUT_OFF: Final = refused(
    503,
    "The server is stopping; whether a call took effect is unknown. Look before you repeat it.",
    _RETRY_LATER,
)
_PARSE_ERROR: Final = json_answer(400, error(None, PARSE_ERROR, "Parse error"))
_INVALID_REQUEST: Final = json_answer(400, error(None, INVALID_REQUEST, "Invalid Request"))

_TROUBLES: Final[dict[type[Exception], Answer]] = {
    BodyTooLarge: _TOO_LARGE,
    BodyTooSlow: _TOO_SLOW,
    BodiesFull: _FULL,
    Busy: _BUSY,
    Overdue: _BUSY,
}


class _Ended(Exception):
    """A request that ends early with an answer."""

    def __init__(self, answer: Answer) -> None:
        super().__init__(answer.status)
        self.answer = answer


class McpEndpoint:
    """What is behind `/mcp` for whoever was let in, without sessions.

    `parsing` is where long bodies are parsed, off the event loop.
    """

    def __init__(
        self, dispatcher: Dispatcher, parsing: Workers, bodies: Bodies, streams: Streams
    ) -> None:
        self._dispatcher = dispatcher
        self._parsing = parsing
        self._bodies = bodies
        self._streams = streams

    def end(self) -> None:
        """Let go of what would hold up a stop: open streams, and bodies that are not whole."""
        self._streams.end()
        self._bodies.end()

    async def serve(self, _caller: Principal, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request of `caller`: the three of ASGI 3 behind it."""
        fields = _fields(scope["headers"])
        if scope["method"] == "GET":
            await self._get(fields, receive, send)
            return
        with suppress(ClientGone):
            answer = await self._post(scope["method"], fields, receive)
            await answer.send(send)

    async def _get(self, fields: Fields, receive: Receive, send: Send) -> None:
        try:
            self._check_stream(fields)
        except _Ended as ended:
            await ended.answer.send(send)
        else:
            await self._streams.serve(receive, send)

    async def _post(self, method: str, fields: Fields, receive: Receive) -> Answer:
        try:
            _check_post(method, fields)
            return await self._read_and_answer(fields, receive)
        except _Ended as ended:
            return ended.answer
        except tuple(_TROUBLES) as trouble:
            return _TROUBLES[type(trouble)]
        except asyncio.CancelledError:  # by `end`, or by a server that has waited long enough
            return _STOPPING

    async def _read_and_answer(self, fields: Fields, receive: Receive) -> Answer:
        check_declared_length(fields.get(b"content-length", ()))
        body = await self._bodies.read(receive)
        length = len(body)
        if length <= INLINE_MAX_BYTES:
            return await self._answer(_read(body), length, fields)
        with self._bodies.holding(length):
            message = await self._parsing.run(lambda: _read(body))
            return await self._answer(message, length, fields)

    async def _answer(self, message: Message | Answer, length: int, fields: Fields) -> Answer:
        """Answer a message, or what was read instead of one. MCP over HTTP, section 4."""
        if isinstance(message, Answer):
            if not _CONTEXT.isdisjoint(fields):
                _check_context(fields)
            return message
        if needs_context(message):
            _check_context(fields)
        if isinstance(message, Request):
            try:
                return json_answer(200, await self._dispatcher.answer(message, length))
            except asyncio.CancelledError:
                return _CUT_OFF
        if isinstance(message, Notification):
            log_notification(message.method)
        return _ACCEPTED

    def _check_stream(self, fields: Fields) -> None:
        if _context_fault(fields) == "unknown_revision":
            raise _Ended(_NO_STREAM)
        _check_context(fields)
        if not accepts(fields.get(b"accept", ()), b"text/event-stream"):
            raise _Ended(_NOT_ACCEPTABLE_EVENTS)
        if self._streams.is_full:
            raise _Ended(_STREAMS_FULL)


def _check_post(method: str, fields: Fields) -> None:
    if method != "POST":
        raise _Ended(_OTHER_METHOD)
    if not is_json(fields.get(b"content-type", ())):
        raise _Ended(_NOT_JSON)
    if not is_plain(fields.get(b"content-encoding", ())):
        raise _Ended(_ENCODED)
    if not accepts(fields.get(b"accept", ()), b"application/json"):
        raise _Ended(_NOT_ACCEPTABLE_JSON)


def _fields(headers: list[tuple[bytes, bytes]]) -> Fields:
    found: Fields = {}
    for name, value in headers:
        if name in _READ:
            found[name] = (*found.get(name, ()), value)
    return found


def _single(fields: Fields, name: bytes) -> str | None:
    """Return the one value of a header, trimmed; none if it was not sent."""
    values = fields.get(name)
    if values is None:
        return None
    value = values[0].strip(b" \t")
    if len(values) > 1 or not value or not value.isascii():
        raise _Ended(_BAD_REQUEST)
    return value.decode("ascii")


def _context_fault(fields: Fields) -> ContextFault | None:
    return context_fault(_single(fields, _SESSION), _single(fields, _REVISION))


def _check_context(fields: Fields) -> None:
    fault = _context_fault(fields)
    if fault is not None:
        raise _Ended(_NOT_FOUND if fault == "unknown_session" else _BAD_REQUEST)


def _read(body: bytes) -> Message | Answer:
    """Return the message that `body` is, or the answer to a body that is none."""
    try:
        return read_message(decode(body))
    except StrictJSONError:
        return _PARSE_ERROR
    except InvalidRequest:
        return _INVALID_REQUEST
