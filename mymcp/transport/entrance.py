"""Who is calling comes before everything else that `/mcp` looks at."""

from asyncio import CancelledError, sleep
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Final

from starlette.types import Receive, Scope, Send

from mymcp.authentication.evidence import evidence_in
from mymcp.authentication.failures import Failures
from mymcp.authentication.journal import log_refusal
from mymcp.authentication.method import Refused
from mymcp.authentication.principal import Principal
from mymcp.authentication.router import Router
from mymcp.transport.answers import empty_answer, method_not_allowed

SLOWED_MAX: Final = 64
"""Most answers that wait at a time; further ones come at once and cost a connection each."""

Inside = Callable[[Principal, Scope, Receive, Send], Awaitable[None]]

_METHODS: Final = frozenset({"GET", "POST", "DELETE"})
_OTHER_METHOD: Final = method_not_allowed(b"GET, POST, DELETE")
_OTHER_METHOD_WITHOUT_SESSIONS: Final = method_not_allowed(b"GET, POST")
_CLOSE: Final = (b"connection", b"close")


class Entrance:
    """Lets callers through to `inside` that `router` recognises, answers every other with 401.

    The answer is the same whatever was wrong: empty, with the challenges of the methods.
    """

    def __init__(self, router: Router, failures: Failures, inside: Inside) -> None:
        self._router = router
        self._failures = failures
        self._inside = inside
        self._slowed = 0
        self._other_method = (
            _OTHER_METHOD if router.knows_callers else _OTHER_METHOD_WITHOUT_SESSIONS
        )
        challenges = [(b"www-authenticate", value.encode("ascii")) for value in router.challenges]
        self._unauthorised = empty_answer(401, *challenges)
        self._unauthorised_at_once = empty_answer(401, *challenges, _CLOSE)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request. ASGI 3."""
        if scope["method"] not in _METHODS:
            await self._other_method.send(send)
            return
        try:
            caller = self._router.principal_of(evidence_in(scope["headers"]))
        except Refused as refused:
            log_refusal(refused)
            await self._refuse(scope, send)
        else:
            await self._inside(caller, scope, receive, send)

    async def _refuse(self, scope: Scope, send: Send) -> None:
        client = scope.get("client")
        seconds = self._failures.seconds_after(client[0] if client else "")
        if not seconds:
            await self._unauthorised.send(send)
        elif self._slowed >= SLOWED_MAX:
            await self._unauthorised_at_once.send(send)
        else:
            await self._wait(seconds)
            await self._unauthorised.send(send)

    async def _wait(self, seconds: float) -> None:
        self._slowed += 1
        try:
            with suppress(CancelledError):  # a server that stops; the answer is known
                await sleep(seconds)
        finally:
            self._slowed -= 1
