"""`/mcp` of a host that knows nobody: no caller is anonymous, and no adapter could name one."""

from typing import Final

from starlette.types import Receive, Scope, Send

from mymcp.transport.answers import empty_answer

_UNAUTHORISED: Final = empty_answer(401)


class Locked:
    """Answers every request with an empty 401, before anything of it is read."""

    async def __call__(self, _scope: Scope, _receive: Receive, send: Send) -> None:
        """Refuse one request. ASGI 3."""
        await _UNAUTHORISED.send(send)
