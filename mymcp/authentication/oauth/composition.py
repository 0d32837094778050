"""From a declaration in the host configuration to the method, or the reason why there is none."""

import time
from collections.abc import Mapping
from typing import Final

from mymcp.authentication.evidence import SOURCE
from mymcp.authentication.oauth.discovery import (
    KEY_SET_MAX_BYTES,
    KEYS_MAX,
    METADATA_MAX_BYTES,
    DiscoveryCode,
    DiscoveryError,
    discovered,
)
from mymcp.authentication.oauth.download import DOWNLOAD_SECONDS, download
from mymcp.authentication.oauth.location import Location
from mymcp.authentication.oauth.method import OAuthMethod
from mymcp.authentication.oauth.network import Network
from mymcp.authentication.oauth.resource import Resource
from mymcp.authentication.refusal import AuthenticationCompositionError
from mymcp.configuration.settings import DeclaredAdapter, HostSettings, Route

ROUTE: Final = Route(SOURCE, "bearer")
"""The only evidence that is a token: RFC 6750, section 2.1."""

_SUBJECT: Final = "the issuer in authentication.oauth_jwt.issuer of the host configuration"
_FETCH: Final = (
    "over https, with a certificate for its name that this machine trusts, without a redirect,"
    f" within {DOWNLOAD_SECONDS:g} s"
)
_ADVICE: Final[Mapping[DiscoveryCode, str]] = {
    "metadata_unavailable": "must give its metadata at the place of RFC 8414, at most"
    f" {METADATA_MAX_BYTES} bytes, {_FETCH}",
    "metadata_invalid": "must give metadata that are JSON, name the very same issuer, and have a"
    " jwks_uri on its own host and port",
    "jwks_unavailable": "must give its keys at its jwks_uri, at most"
    f" {KEY_SET_MAX_BYTES} bytes, {_FETCH}",
    "jwks_invalid": f"must give a JSON object whose keys are an array of 1 to {KEYS_MAX}",
    "jwks_unusable": "must have a public RSA key of 2048 to 8192 bits for RS256 signatures, with a"
    " kid of its own",
}


def composed(
    adapter: DeclaredAdapter, issuer: str, settings: HostSettings, key: str, network: Network
) -> OAuthMethod:
    """Return the method of `adapter`, after two fetches from `issuer` over `network`.

    `settings` are those of the whole host, `key` is the adapter's name in them. Raises
    `AuthenticationCompositionError`: `oauth_route_invalid`, `anonymous_access_enabled`, then
    `oauth_validation_source`.
    """
    if adapter.route != ROUTE:
        advice = (
            f'{key}.route in the host configuration must be {{ source = "{ROUTE.source}",'
            f' scheme = "{ROUTE.scheme}" }}, without profile'
        )
        raise AuthenticationCompositionError("oauth_route_invalid", advice)
    if settings.anonymous_enabled:
        advice = (
            "authentication.anonymous_enabled in the host configuration must be false while"
            f" {key} is enabled"
        )
        raise AuthenticationCompositionError("anonymous_access_enabled", advice)

    def fetch(location: Location, limit: int) -> bytes:
        return download(location, limit=limit, network=network)

    try:
        snapshot = discovered(issuer, fetch)
    except DiscoveryError as error:
        advice = f"{_SUBJECT} {_ADVICE[error.code]}"
        raise AuthenticationCompositionError(
            "oauth_validation_source", advice, error.code
        ) from None
    return OAuthMethod(adapter.id, adapter.route, snapshot, Resource(settings.origin), time.time)
