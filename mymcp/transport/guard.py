"""Who may speak to the server at all: the first look at every request.

A page in a browser reaches a loopback server too, under a name that its author chose (DNS
rebinding) or with the browser's own origin. MCP 2025-11-25, Streamable HTTP, Security.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from re import compile as pattern

from starlette.types import ASGIApp, Receive, Scope, Send

from mymcp.transport.answers import refused

_AUTHORITY = pattern(rb"(?i)([a-z0-9.-]+|\[[0-9a-f:.]+\])(?::[0-9]{1,5})?")
_ORIGIN = pattern(rb"(?i)https?://([^/]*)")

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

    def permits_host(self, values: tuple[bytes, ...]) -> bool:
        """Tell whether exactly one `Host` was sent, and an allowed one, with or without port."""
        return len(values) == 1 and self._is_allowed_authority(values[0].strip(b" \t"))

    def permits_origin(self, values: tuple[bytes, ...]) -> bool:
        """Tell whether no `Origin` was sent, or one allowed one. `null` is never allowed."""
        if not values:
            return True
        if len(values) > 1:
            return False
        origin = values[0].strip(b" \t")
        found = _ORIGIN.fullmatch(origin)
        if found is None:
            return False
        return origin.lower() in self.origins or _is_in(LOOPBACK_HOSTS, found[1])

    def _is_allowed_authority(self, authority: bytes) -> bool:
        return _is_in(self.hosts, authority)


def _is_in(hosts: frozenset[bytes], authority: bytes) -> bool:
    found = _AUTHORITY.fullmatch(authority)
    return found is not None and found[1].lower() in hosts


LOOPBACK_HOSTS = frozenset({b"localhost", b"127.0.0.1", b"[::1]"})
LOOPBACK = AllowList(LOOPBACK_HOSTS)


class Guard:
    """Lets requests of allowed hosts and origins through to `app`, refuses every other."""

    def __init__(self, app: ASGIApp, allow: AllowList) -> None:
        self._app = app
        # Clients repeat themselves; a bounded memo keeps the look at them out of the profile.
        self._permits_host = lru_cache(256)(allow.permits_host)
        self._permits_origin = lru_cache(256)(allow.permits_origin)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request. ASGI 3."""
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        hosts, origins = _hosts_and_origins(scope["headers"])
        if scope["type"] != "http":
            await send({"type": "websocket.close", "code": 1008})
        elif not self._permits_host(hosts):
            await _REFUSED_HOST.send(send)
        elif not self._permits_origin(origins):
            await _REFUSED_ORIGIN.send(send)
        else:
            await self._app(scope, receive, send)


def _hosts_and_origins(
    headers: Iterable[tuple[bytes, bytes]],
) -> tuple[tuple[bytes, ...], tuple[bytes, ...]]:
    hosts: tuple[bytes, ...] = ()
    origins: tuple[bytes, ...] = ()
    for name, value in headers:
        if name == b"host":
            hosts += (value,)
        elif name == b"origin":
            origins += (value,)
    return hosts, origins
