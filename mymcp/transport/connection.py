"""One HTTP/1.1 connection: Uvicorn's, and what RFC 9110 and 9112 ask for beyond it.

Uvicorn reads heads and trailers of any length, takes a wish to upgrade for the end of HTTP, and
when a client hangs up it tells only the newest of requests that were sent one behind the other.
"""

import asyncio
import logging
from re import compile as pattern
from typing import Any, Final

from httptools import HttpParserError, HttpParserUpgrade, HttpRequestParser
from starlette.types import Receive, Scope, Send
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol, RequestResponseCycle

from mymcp.transport.answers import refused

CONNECTIONS_LIMIT = 128
"""Most connections that are served at a time: descriptors are needed for records too."""

TURNED_AWAY_LIMIT = 32
"""Most connections beyond those that may wait to be told so; further ones are cut off."""

TURNED_AWAY_SECONDS = 2.0
"""How long one of them has to send the head of its request."""

OVERHEAD_MAX_BYTES = 64 * 1024
"""Most bytes that neither end a head nor belong to a body: a head, trailers, chunk extensions.

What one read of the socket brings may exceed it; a head that came whole is bounded by `guard`.
"""

_authority_of_target = pattern(rb"[A-Za-z][A-Za-z0-9+.-]*://([^/?#]*)").match

_TOO_LONG: Final = (
    b"HTTP/1.1 431 Request Header Fields Too Large\r\n"
    b"content-length: 0\r\nconnection: close\r\n\r\n"
)

_TOO_MANY: Final = refused(
    503,
    "Too many connections are open; nothing was done. Close idle ones, or try again later.",
    (b"retry-after", b"5"),
    (b"connection", b"close"),
)

_logger = logging.getLogger("mymcp.transport")


class Connection(HttpToolsProtocol):
    """A connection that is bounded before its first request is known, and ends cleanly."""

    _is_one_too_many = False

    _answered: RequestResponseCycle | None = None
    """The request whose answer is due; those that were sent behind it wait for that."""

    _overhead = 0

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # as Uvicorn does
        """Give the first head as long as any later one."""
        super().connection_made(transport)
        open_now = len(self.connections)
        self._is_one_too_many = open_now > CONNECTIONS_LIMIT
        if open_now > CONNECTIONS_LIMIT + TURNED_AWAY_LIMIT:
            _logger.warning("connection outcome=cut_off open=%d", open_now)
            transport.abort()
            return
        seconds = TURNED_AWAY_SECONDS if self._is_one_too_many else self.timeout_keep_alive
        self.timeout_keep_alive_task = self.loop.call_later(
            seconds, self.timeout_keep_alive_handler
        )

    def connection_lost(self, exc: Exception | None) -> None:
        """Tell the request that is being answered; Uvicorn tells the newest."""
        self._let_go()
        self._unset_keepalive_if_required()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Read what came. The clock of an idle connection runs until a head is whole."""
        if self._is_at_its_end:
            return
        self._overhead += len(data)
        try:
            self.parser.feed_data(data)
        except HttpParserError:
            self.logger.warning("Invalid HTTP request received.")
            self.send_400_response("Invalid HTTP request received.")
        except HttpParserUpgrade as wish:
            self._stay_with_http(data[wish.args[0] :])
        else:
            if self._overhead > OVERHEAD_MAX_BYTES:
                self._refuse(_TOO_LONG)

    def on_headers_complete(self) -> None:
        """Start the request. Trailers that follow are not added to its headers: RFC 9110, 6.5.1."""
        self._overhead = 0
        if self.parser.should_upgrade():
            return
        self._unset_keepalive_if_required()
        if not self.url.startswith(b"/"):
            self._take_host_of_target()
        self.scope["headers"] = self.headers.copy()
        if self._is_one_too_many and len(self.connections) > CONNECTIONS_LIMIT:
            self.app = _turn_away
        self._is_one_too_many = False
        super().on_headers_complete()

    def on_body(self, body: bytes) -> None:
        """Hand over a part of the body."""
        self._overhead = 0
        super().on_body(body)

    def on_message_complete(self) -> None:
        """End the request."""
        if not self.parser.should_upgrade():
            super().on_message_complete()

    def send_400_response(self, msg: str) -> None:
        """Refuse broken HTTP, unless that would break into an answer that has begun."""
        if self._may_answer_at_once:
            super().send_400_response(msg)
        self._hang_up()

    @property
    def _is_at_its_end(self) -> bool:
        """Whether the last request of this connection came whole. RFC 9112, 9.6."""
        last = self._answered
        return last is not None and not last.keep_alive and not last.more_body

    @property
    def _may_answer_at_once(self) -> bool:
        due = self._answered
        if due is None or due.response_complete:
            return True
        return due is self.cycle and not due.response_started

    def _start_asgi_task(self, cycle: RequestResponseCycle, app: Any) -> None:
        self._answered = cycle
        super()._start_asgi_task(cycle, app)

    def _stay_with_http(self, rest: bytes) -> None:
        """Read the request again without its wish to upgrade, as RFC 9110, 7.8 allows.

        The parser has taken it for one without a body, and perhaps for the last one.
        """
        method = self.parser.get_method()
        if method == b"CONNECT":
            self.send_400_response("Invalid HTTP request received.")
            return
        version = self.parser.get_http_version().encode()
        lines = [b"%b %b HTTP/%b" % (method, self.url, version)]
        lines += [b"%b: %b" % header for header in self.headers if header[0] != b"upgrade"]
        self.parser = HttpRequestParser(self)
        self.parser.set_dangerous_leniencies(lenient_data_after_close=True)  # as Uvicorn does
        self.data_received(b"\r\n".join(lines) + b"\r\n\r\n" + rest)

    def _take_host_of_target(self) -> None:
        """Let a host in the request target stand above the header. RFC 9112, 3.2.2."""
        found = _authority_of_target(self.url)
        if found is not None:
            kept = [header for header in self.headers if header[0] != b"host"]
            self.headers = [*kept, (b"host", found[1])]

    def _refuse(self, answer: bytes) -> None:
        if self._may_answer_at_once:
            self.transport.write(answer)
        self._hang_up()

    def _hang_up(self) -> None:
        self._let_go()
        self.transport.close()

    def _let_go(self) -> None:
        due: Any = self._answered
        if due is not None and not due.response_complete:
            due.disconnected = True
            due.message_event.set()


async def _turn_away(_scope: Scope, _receive: Receive, send: Send) -> None:
    _logger.warning("connection outcome=turned_away")
    await _TOO_MANY.send(send)
