"""What an issuer says about itself, fetched once at start: two documents, one immutable value."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Final, Literal

from mymcp.authentication.oauth.download import Unavailable
from mymcp.authentication.oauth.keys import verifying_keys
from mymcp.authentication.oauth.location import Location, keys_location, metadata_location
from mymcp.authentication.oauth.reading import object_in
from mymcp.authentication.oauth.signature import Verify

METADATA_MAX_BYTES: Final = 16_384
KEY_SET_MAX_BYTES: Final = 65_536
KEYS_MAX: Final = 16
"""Most keys in a set, those that do not qualify included."""

DiscoveryCode = Literal[
    "metadata_unavailable", "metadata_invalid", "jwks_unavailable", "jwks_invalid", "jwks_unusable"
]
Fetch = Callable[[Location, int], bytes]
"""From a location and the most bytes to the document. Raises `Unavailable`."""


class DiscoveryError(Exception):
    """An issuer whose tokens cannot be verified. `code` is all that is said: no names, no bytes."""

    def __init__(self, code: DiscoveryCode) -> None:
        super().__init__(code)
        self.code: DiscoveryCode = code


@dataclass(frozen=True, slots=True)
class Snapshot:
    """What is known about an issuer until the next start: its keys for verifying, by id."""

    issuer: str = field(repr=False)
    keys: Mapping[str, Verify] = field(repr=False)


def discovered(issuer: str, fetch: Fetch) -> Snapshot:
    """Return what `issuer` publishes. `issuer` is one that the host configuration admits.

    Raises `DiscoveryError`: `metadata_unavailable`, `jwks_unavailable` for a document that cannot
    be had; `metadata_invalid` for metadata of somebody else, or that place the keys elsewhere;
    `jwks_invalid` for what is no set of 1 to 16 keys; `jwks_unusable` if none of them qualifies.
    """
    metadata = object_in(
        _fetched(fetch, metadata_location(issuer), METADATA_MAX_BYTES, "metadata_unavailable")
    )
    if metadata is None or metadata.get("issuer") != issuer:
        raise DiscoveryError("metadata_invalid")
    location = keys_location(metadata.get("jwks_uri"), issuer)
    if location is None:
        raise DiscoveryError("metadata_invalid")
    found = object_in(_fetched(fetch, location, KEY_SET_MAX_BYTES, "jwks_unavailable"))
    keys = None if found is None else found.get("keys")
    if not isinstance(keys, list) or not 1 <= len(keys) <= KEYS_MAX:
        raise DiscoveryError("jwks_invalid")
    usable = verifying_keys(keys)
    if not usable:
        raise DiscoveryError("jwks_unusable")
    return Snapshot(issuer, usable)


def _fetched(fetch: Fetch, location: Location, limit: int, code: DiscoveryCode) -> bytes:
    try:
        return fetch(location, limit)
    except Unavailable:
        raise DiscoveryError(code) from None
