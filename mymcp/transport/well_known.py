"""Documents at well-known places (RFC 8615) that clients read before they may call anything."""

from typing import Final

from starlette.routing import Route
from starlette.types import Receive, Scope, Send

from mymcp.authentication.oauth.resource import ENDPOINT_PATH, WELL_KNOWN_PATH
from mymcp.transport.answers import json_answer, method_not_allowed

_NOT_GET: Final = method_not_allowed(b"GET")


class Document:
    """An ASGI application that gives everybody who asks one JSON document, fresh each time.

    Pages may read it too: it is meant for all, and the guard has looked at who asks.
    """

    def __init__(self, content: bytes) -> None:
        self._answer = json_answer(
            200,
            content,
            (b"cache-control", b"no-store"),
            (b"access-control-allow-origin", b"*"),
        )

    async def __call__(self, scope: Scope, _receive: Receive, send: Send) -> None:
        """Serve one request. ASGI 3."""
        answer = self._answer if scope["method"] == "GET" else _NOT_GET
        await answer.send(send)


def resource_routes(metadata: bytes) -> list[Route]:
    """Return the routes to the metadata of a protected resource.

    RFC 9728, section 3.1, inserts the path of the resource; clients ask for the other place too.
    """
    document = Document(metadata)
    return [Route(f"{WELL_KNOWN_PATH}{ENDPOINT_PATH}", document), Route(WELL_KNOWN_PATH, document)]
