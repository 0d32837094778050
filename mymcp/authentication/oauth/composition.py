"""From a declaration in the host configuration to the method, or the reason why there is none."""

from collections.abc import Callable, Mapping
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
from mymcp.configuration.settings import DeclaredAdapter, HostSettings, Route
from mymcp.host.runtime import CompositionError

ROUTE: Final = Route(SOURCE, "bearer")
"""The only evidence that is a token: RFC 6750, section 2.1."""

_FETCH: Final = (
    f"over https, with a certificate that this machine trusts, without a redirect, within"
    f" {DOWNLOAD_SECONDS:g} s"
)
_ADVICE: Final[Mapping[DiscoveryCode, str]] = {
    "metadata_unavailable": "its metadata must be at the place of RFC 8414, at most"
    f" {METADATA_MAX_BYTES} bytes, {_FETCH}",
    "metadata_invalid": "its metadata must be a JSON object that has the very same issuer and a"
    " jwks_uri on the issuer's own host and port",
    "jwks_unavailable": "its keys must be at its jwks_uri, at most"
    f" {KEY_SET_MAX_BYTES} bytes, {_FETCH}",
    "jwks_invalid": f"its keys must be a JSON object whose keys are an array of 1 to {KEYS_MAX}",
    "jwks_unusable": "its keys must have one at least that is RSA of 2048 to 8192 bits, for RS256"
    " signatures, public, with a kid of its own",
}


def oauth_method(
    adapter: DeclaredAdapter,
    settings: HostSettings,
    *,
    origin: str,
    network: Network,
    clock: Callable[[], float],
) -> OAuthMethod:
    """Return the method that `settings` declare as `adapter`, after two fetches from the issuer.

    `origin` is where this server is configured to be, such as `http://127.0.0.1:8000`; `clock`
    gives the seconds since the epoch. Raises `CompositionError`: `adapter_type_unavailable` where
    the format of the settings names no issuer, `oauth_route_invalid`, `anonymous_access_enabled`,
    then `oauth_validation_source`.
    """
    if settings.issuer is None:
        raise CompositionError(
            "adapter_type_unavailable",
            f"an enabled adapter of type {adapter.type} in the host configuration needs"
            " schema_version 5 or higher and the table authentication.oauth_jwt",
        )
    if adapter.route != ROUTE:
        raise CompositionError(
            "oauth_route_invalid",
            f"an enabled adapter of type {adapter.type} in the host configuration must have the"
            f' route {{ source = "{ROUTE.source}", scheme = "{ROUTE.scheme}" }}',
        )
    if settings.anonymous_enabled:
        raise CompositionError(
            "anonymous_access_enabled",
            "authentication.anonymous_enabled in the host configuration must be false while an"
            f" adapter of type {adapter.type} is enabled",
        )

    def fetch(location: Location, limit: int) -> bytes:
        return download(location, limit=limit, network=network)

    try:
        snapshot = discovered(settings.issuer, fetch)
    except DiscoveryError as error:
        raise CompositionError(
            "oauth_validation_source",
            "authentication.oauth_jwt.issuer in the host configuration cannot be used"
            f" ({error.code}): {_ADVICE[error.code]}",
        ) from None
    return OAuthMethod(adapter.id, adapter.route, snapshot, Resource(origin), clock)
