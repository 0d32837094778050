"""Who may speak to the server at all: the first look at every request.

A page in a browser reaches a loopback server too, under a name that its author chose (DNS
rebinding) or with the browser's own origin. MCP 2025-11-25, Streamable HTTP, Security.
"""

from dataclasses import dataclass
from re import compile as pattern

from starlette.types import ASGIApp, Receive, Scope, Send

from mymcp.configuration.loopback import bracketed
from mymcp.transport.answers import Answer, refused
from mymcp.transport.memo import Values, remembered

HEAD_MAX_BYTES = 16 * 1024
"""Longest request target and headers together; twice what common servers take."""

PORT_MAX = 65_535

_AUTHORITY = pattern(rb"(?i)([a-z0-9.-]+|\[[0-9a-f:.]+\])(?::([0-9]{1,5}))?")
_ORIGIN = pattern(rb"(?i)https?://([^/]*)")
_BYTE = rb"(?:25[0-5]|2[0-4][0-9]|1[0-9][0-9]|[1-9]?[0-9])"
_LOOPBACK_NETWORK = pattern(rb"127(?:\.%b){3}" % _BYTE)

_TOO_LONG = refused(431, "Request target and headers are longer than 16 KiB; send less.")
_CLOSED_SOCKET = {"type": "websocket.close", "code": 1008}

_REFUSED_HOST = refused(
    403,
    "Host is not allowed: call the server by a loopback name (localhost, 127.0.0.1 or [::1])."
    " Other names must be allowed by the server's operator.",
)
_REFUSED_ORIGIN = refused(
    403,
    "Origin is not allowed: only pages from a loopback address may call this server."
    " Other origins must be allowed by the server's operator.",
)


@dataclass(frozen=True, slots=True)
class AllowList:
    """Names that the server goes by, lower case, without port; IPv6 in brackets.

    `origins` are whole origins beside those of loopback pages.
    """

    hosts: frozenset[bytes]
    origins: frozenset[bytes] = frozenset()

    @classmethod
    def at(cls, address: str) -> "AllowList":
        """Return whom a server at `address` serves: callers by any loopback name, or by it."""
        return cls(LOOPBACK_HOSTS | {bracketed(address).encode()})

    def permits_host(self, values: Values) -> bool:
        """Tell whether exactly one `Host` was sent, and an allowed one, with or without port."""
        return len(values) == 1 and _name_in(values[0].strip(b" \t")) in self.hosts

    def permits_origin(self, values: Values) -> bool:
        """Tell whether no `Origin` was sent, or one allowed one. `null` is never allowed."""
        if not values:
            return True
        if len(values) > 1:
            return False
        origin = values[0].strip(b" \t")
        found = _ORIGIN.fullmatch(origin)
        if found is None:
            return False
        return origin.lower() in self.origins or _is_loopback(_name_in(found[1]))


def _name_in(authority: bytes) -> bytes | None:
    """Return the name in `authority`, lower case, without its port; none if it is no authority."""
    found = _AUTHORITY.fullmatch(authority)
    if found is None or int(found[2] or 0) > PORT_MAX:
        return None
    return found[1].lower()


def _is_loopback(name: bytes | None) -> bool:
    """Tell whether a page of `name` comes from this machine: 127.0.0.0/8 is all loopback."""
    return name is not None and (
        name in LOOPBACK_HOSTS or _LOOPBACK_NETWORK.fullmatch(name) is not None
    )


LOOPBACK_HOSTS = frozenset({b"localhost", b"127.0.0.1", b"[::1]"})
LOOPBACK = AllowList(LOOPBACK_HOSTS)


class Guard:
    """Lets requests of allowed hosts and origins through to `app`, refuses every other."""

    def __init__(self, app: ASGIApp, allow: AllowList) -> None:
        self._app = app
        self._permits_host = remembered(allow.permits_host)
        self._permits_origin = remembered(allow.permits_origin)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request. ASGI 3."""
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        if scope["type"] != "http":
            await send(_CLOSED_SOCKET)
            return
        refusal = self._refusal(scope)
        if refusal is None:
            await self._app(scope, receive, send)
        else:
            await refusal.send(send)

    def _refusal(self, scope: Scope) -> Answer | None:
        hosts: Values = ()
        origins: Values = ()
        length = len(scope["path"]) + len(scope["query_string"])
        for name, value in scope["headers"]:
            length += len(name) + len(value)
            if name == b"host":
                hosts += (value,)
            elif name == b"origin":
                origins += (value,)
        if length > HEAD_MAX_BYTES:
            return _TOO_LONG
        if not self._permits_host(hosts):
            return _REFUSED_HOST
        return None if self._permits_origin(origins) else _REFUSED_ORIGIN
