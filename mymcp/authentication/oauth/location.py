"""Where an issuer publishes: its metadata (RFC 8414) and its keys, on its own origin."""

from dataclasses import dataclass
from re import compile as pattern
from typing import Final

HTTPS_PORT: Final = 443
KEYS_URL_MAX_CHARACTERS: Final = 2_048

_WELL_KNOWN: Final = "/.well-known/oauth-authorization-server"
_ISSUER: Final = pattern(r"https://([a-z0-9.-]+)(?::([0-9]{1,5}))?(/.*)?")
# A fragment, user or anything beyond ASCII has no place here; neither has what RFC 3986 excludes.
_KEYS_URL: Final = pattern(
    r"https://([a-z0-9.-]+)(?::([0-9]{1,5}))?(/[A-Za-z0-9._~!$&'()*+,;=:@%/-]*)"
    r"(\?[A-Za-z0-9._~!$&'()*+,;=:@%/?-]*)?"
)


@dataclass(frozen=True, slots=True)
class Location:
    """What to ask whom for: a DNS name, a port, and the path with its query."""

    host: str
    port: int
    target: str

    @property
    def authority(self) -> str:
        """Return name and port as the `Host` of a request writes them."""
        return self.host if self.port == HTTPS_PORT else f"{self.host}:{self.port}"


def metadata_location(issuer: str) -> Location:
    """Return where the metadata of `issuer` is: RFC 8414, section 3.1.

    `issuer` is one that the host configuration admits. Raises `ValueError` for another.
    """
    found = _ISSUER.fullmatch(issuer)
    if found is None:
        raise ValueError("the issuer breaks the rules of the host configuration")
    path = (found[3] or "").removesuffix("/")
    return Location(found[1], int(found[2] or HTTPS_PORT), f"{_WELL_KNOWN}{path}")


def keys_location(url: object, issuer: str) -> Location | None:
    """Return where `url`, the `jwks_uri` of an issuer's metadata, leads; none if it may not.

    It must be an `https` URL of at most 2,048 characters on the issuer's own origin, and name a
    document: neither the issuer itself nor a way up a path.
    """
    if not isinstance(url, str) or len(url) > KEYS_URL_MAX_CHARACTERS or url == issuer:
        return None
    found = _KEYS_URL.fullmatch(url)
    if found is None:
        return None
    home = metadata_location(issuer)
    host, port, path, query = found[1], int(found[2] or HTTPS_PORT), found[3], found[4] or ""
    if (host, port) != (home.host, home.port) or _leads_up(path):
        return None
    return None if path == "/" and not query else Location(host, port, path + query)


def _leads_up(path: str) -> bool:
    segments = path.lower().replace("%2e", ".").replace("%2f", "/").split("/")
    return not {".", ".."}.isdisjoint(segments)
