"""`/mcp` over HTTP: what comes in by the socket, and what goes back. MCP 2025-11-25, transports.

Checks go from cheap to dear, so that little is read of a request that is refused anyway: method,
media type, size, JSON, message, context. The context comes last because `initialize` needs none.
"""

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import Final

from starlette.types import Receive, Scope, Send

from mymcp.authentication.principal import Principal
from mymcp.contract.strict_json import StrictJSONError, decode
from mymcp.host.workers import Busy, Overdue, Workers
from mymcp.mcp.batches import answer_batch
from mymcp.mcp.contexts import CallContext, Contexts, NoContext
from mymcp.mcp.dispatch import INLINE_MAX_BYTES, Dispatcher
from mymcp.mcp.eras import needs_context, negotiated
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
from mymcp.mcp.sessions import SessionsFull
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
_ENDED_SESSION: Final = Answer(204, (), b"")  # RFC 9110, 8.6: no length here
_SESSIONS_FULL: Final = empty_answer(503, _RETRY_LATER)
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


@dataclass(frozen=True, slots=True)
class _Batch:
    """What may be several messages; whoever sent it may have no right to them."""

    values: list[object]


@dataclass(frozen=True, slots=True)
class _Visit:
    """One request: who makes it, and the headers that are read of it."""

    caller: Principal
    fields: Fields

    @property
    def is_registered(self) -> bool:
        return self.caller.kind == "registered"

    @property
    def names_a_context(self) -> bool:
        return not _CONTEXT.isdisjoint(self.fields)


class McpEndpoint:
    """What is behind `/mcp` for whoever was let in.

    `parsing` is where long bodies are parsed, off the event loop.
    """

    def __init__(
        self,
        dispatcher: Dispatcher,
        parsing: Workers,
        bodies: Bodies,
        streams: Streams,
        contexts: Contexts,
    ) -> None:
        self._dispatcher = dispatcher
        self._parsing = parsing
        self._bodies = bodies
        self._streams = streams
        self._contexts = contexts
        self._sessions = contexts.sessions

    def end(self) -> None:
        """Let go of what would hold up a stop: open streams, and bodies that are not whole."""
        self._streams.end()
        self._bodies.end()

    async def serve(self, caller: Principal, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request of `caller`: the three of ASGI 3 behind it."""
        visit = _Visit(caller, _fields(scope["headers"]))
        method = scope["method"]
        if method == "GET":
            await self._get(visit, receive, send)
            return
        if method == "DELETE" and visit.is_registered:
            await self._delete(visit).send(send)
            return
        with suppress(ClientGone):
            answer = await self._post(method, visit, receive)
            await answer.send(send)

    async def _get(self, visit: _Visit, receive: Receive, send: Send) -> None:
        try:
            context = self._stream_context(visit)
        except _Ended as ended:
            await ended.answer.send(send)
            return
        over = asyncio.Event()
        with self._attached(context, over):
            await self._streams.serve(visit.caller.principal_id, over, receive, send)

    def _delete(self, visit: _Visit) -> Answer:
        try:
            context = self._context(visit)
        except _Ended as ended:
            return ended.answer
        if context.session is not None:
            self._sessions.close(context.session)
        return _ENDED_SESSION

    async def _post(self, method: str, visit: _Visit, receive: Receive) -> Answer:
        try:
            _check_post(method, visit.fields)
            return await self._read_and_answer(visit, receive)
        except _Ended as ended:
            return ended.answer
        except tuple(_TROUBLES) as trouble:
            return _TROUBLES[type(trouble)]
        except asyncio.CancelledError:  # by `end`, or by a server that has waited long enough
            return _STOPPING

    async def _read_and_answer(self, visit: _Visit, receive: Receive) -> Answer:
        check_declared_length(visit.fields.get(b"content-length", ()))
        body = await self._bodies.read(receive)
        length = len(body)
        if length <= INLINE_MAX_BYTES:
            return await self._answer(_read(body), length, visit)
        with self._bodies.holding(length):
            message = await self._parsing.run(lambda: _read(body))
            return await self._answer(message, length, visit)

    async def _answer(
        self, message: Message | _Batch | Answer, length: int, visit: _Visit
    ) -> Answer:
        """Answer a message, or what was read instead of one. MCP over HTTP, section 4."""
        if isinstance(message, Answer):
            if visit.names_a_context:
                self._context(visit)
            return message
        try:
            if isinstance(message, _Batch):
                return await self._answer_batch(message, length, visit)
            if isinstance(message, Request):
                return await self._answer_request(message, length, visit)
        except asyncio.CancelledError:
            return _CUT_OFF
        if needs_context(message):
            self._context(visit)
        if isinstance(message, Notification):
            log_notification(message.method)
        return _ACCEPTED

    async def _answer_request(self, request: Request, length: int, visit: _Visit) -> Answer:
        if needs_context(request):
            context = self._context(visit)
            return json_answer(200, await self._dispatcher.answer(request, length, context))
        context = CallContext(visit.caller)
        body = await self._dispatcher.answer(request, length, context)
        if not visit.is_registered or not isinstance(request.params, dict):
            return json_answer(200, body)
        try:
            revision = negotiated(request.params, context.revisions)
            session = self._sessions.open(visit.caller, revision)
        except SessionsFull:
            return _SESSIONS_FULL
        return json_answer(200, body, (_SESSION, session.id.encode("ascii")))

    async def _answer_batch(self, batch: _Batch, length: int, visit: _Visit) -> Answer:
        if not visit.names_a_context:
            return _INVALID_REQUEST
        context = self._context(visit)
        if not context.takes_batches:
            return _INVALID_REQUEST
        try:
            body = await answer_batch(batch.values, length, self._dispatcher, context)
        except InvalidRequest:
            return _INVALID_REQUEST
        return _ACCEPTED if body is None else json_answer(200, body)

    def _stream_context(self, visit: _Visit) -> CallContext:
        try:
            context = self._contexts.of(visit.caller, *_context_headers(visit.fields))
        except NoContext as fault:
            raise _Ended(
                _NO_STREAM if fault.fault == "unknown_revision" else _answer_to(fault)
            ) from None
        if not accepts(visit.fields.get(b"accept", ()), b"text/event-stream"):
            raise _Ended(_NOT_ACCEPTABLE_EVENTS)
        if self._streams.is_full(visit.caller.principal_id):
            raise _Ended(_STREAMS_FULL)
        return context

    def _context(self, visit: _Visit) -> CallContext:
        try:
            return self._contexts.of(visit.caller, *_context_headers(visit.fields))
        except NoContext as fault:
            raise _Ended(_answer_to(fault)) from None

    @contextmanager
    def _attached(self, context: CallContext, over: asyncio.Event) -> Iterator[None]:
        """Keep the session of `context` alive, and set `over` when it ends."""
        session = context.session
        if session is None:
            yield
            return
        seconds = self._sessions.attach(session, over.set)
        loop = asyncio.get_running_loop()
        timer = None if seconds is None else loop.call_later(seconds, over.set)
        try:
            yield
        finally:
            if timer is not None:
                timer.cancel()
            self._sessions.detach(session, over.set)


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


def _context_headers(fields: Fields) -> tuple[str | None, str | None]:
    return _single(fields, _SESSION), _single(fields, _REVISION)


def _answer_to(fault: NoContext) -> Answer:
    return _NOT_FOUND if fault.fault == "unknown_session" else _BAD_REQUEST


def _read(body: bytes) -> Message | _Batch | Answer:
    """Return the message or messages that `body` is, or the answer to a body that is none."""
    try:
        value = decode(body)
        return _Batch(value) if isinstance(value, list) else read_message(value)
    except StrictJSONError:
        return _PARSE_ERROR
    except InvalidRequest:
        return _INVALID_REQUEST
