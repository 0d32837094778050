"""What a request shows to prove who is calling, and how it is found in the headers."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import lru_cache
from re import compile as pattern
from typing import Final

from mymcp.authentication.method import Refused
from mymcp.configuration.settings import Route

EVIDENCE_MAX_BYTES: Final = 8_192

SOURCE: Final = "authorization"
"""The only place evidence comes from: the header of that name."""

_HEADER: Final = SOURCE.encode()
_SCHEME_MAX_CHARACTERS: Final = 64
_is_scheme: Final = pattern(rb"[a-z][a-z0-9]*(?:[-_][a-z0-9]+)*").fullmatch


@dataclass(frozen=True, slots=True)
class Evidence:
    """One proof as it was sent, for the method of `route`: 1 to 8,192 bytes, shown to nobody."""

    route: Route
    payload: bytes = field(repr=False)


def evidence_in(headers: Iterable[tuple[bytes, bytes]]) -> Evidence | None:
    """Return the evidence in `headers` (names in lower case), or none if there is none.

    Raises `Refused("malformed")` for an `Authorization` that was sent twice, is not one scheme, one
    space and one word, has a scheme that no route can name, or is too long.
    """
    values = [value for name, value in headers if name == _HEADER]
    if not values:
        return None
    if len(values) > 1:
        raise Refused("malformed")
    return _evidence(values[0])


def _evidence(value: bytes) -> Evidence:
    scheme, _, word = value.partition(b" ")
    if not word or b" " in word or len(scheme) > _SCHEME_MAX_CHARACTERS:
        raise Refused("malformed")
    route = _route_of(scheme)
    # Header values are Latin-1 to HTTP; methods get UTF-8 and never have to know that.
    payload = word if word.isascii() else word.decode("latin-1").encode()
    if len(payload) > EVIDENCE_MAX_BYTES:
        raise Refused("malformed")
    return Evidence(route, payload)


@lru_cache(maxsize=64)  # clients come again and again with the same one
def _route_of(scheme: bytes) -> Route:
    scheme = scheme.lower()
    if not _is_scheme(scheme):
        raise Refused("malformed")
    return Route(SOURCE, scheme.decode("ascii"))
