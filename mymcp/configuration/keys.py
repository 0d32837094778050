"""Every key of the host configuration: what it must hold, and from which format on it is known."""

from collections.abc import Mapping
from dataclasses import dataclass

Place = tuple[str, ...]
"""Names from the root of the file; positions in arrays are decimal texts."""

ADAPTERS_MAX = 32
"""Most adapters, those that are off included."""


@dataclass(frozen=True, slots=True)
class Key:
    """One key; `must` continues a sentence that begins with its name."""

    must: str
    since: int = 1


_NAME = "must be 1 to 64 of a-z, 0-9 and single hyphens between them, the first a letter"
_ROUTE_NAME = (
    "must be 1 to 64 of a-z, 0-9 and single hyphens or underscores between them, the first a letter"
)
_SWITCH = "must be true or false"
_PATH = "must be an absolute path without ~ $ % and without components . and .."
_SECONDS = "must be a whole number of seconds from 0 (no limit) to 2592000"

KEYS: Mapping[str, Key] = {
    "schema_version": Key("must be the number of a format, a whole number from 1 to 7"),
    "server": Key("must be a table with address and port, both optional, and nothing else"),
    "server.address": Key("must be a literal loopback address, such as 127.0.0.1 or ::1"),
    "server.port": Key("must be a whole number from 1 to 65535"),
    "plugins": Key("must be an array of tables [[plugins]]"),
    "plugins[]": Key(
        "must be a table with id and enabled, from schema_version 2 on also manifest_path and"
        " module, and nothing else"
    ),
    "plugins[].id": Key(_NAME),
    "plugins[].enabled": Key(_SWITCH),
    "plugins[].manifest_path": Key(_PATH, 2),
    "plugins[].module": Key(
        "must be the dotted ASCII name of a Python module that is not Python's own", 2
    ),
    "authentication": Key(
        "must be a table with anonymous_enabled; optional are adapters, from schema_version 4 on"
        " operator_bearer, from 5 on oauth_jwt, and nothing else",
        3,
    ),
    "authentication.anonymous_enabled": Key(_SWITCH, 3),
    "authentication.adapters": Key("must be an array of tables [[authentication.adapters]]", 3),
    "authentication.adapters[]": Key(
        "must be a table with id, type, enabled and route, and nothing else", 3
    ),
    "authentication.adapters[].id": Key(_NAME, 3),
    "authentication.adapters[].type": Key(_NAME, 3),
    "authentication.adapters[].enabled": Key(_SWITCH, 3),
    "authentication.adapters[].route": Key(
        "must be a table with source and scheme, optionally profile, and nothing else", 3
    ),
    "authentication.adapters[].route.source": Key('must be "authorization"', 3),
    "authentication.adapters[].route.scheme": Key(_ROUTE_NAME, 3),
    "authentication.adapters[].route.profile": Key(_ROUTE_NAME, 3),
    "authentication.operator_bearer": Key("must be a table with verifier_path alone", 4),
    "authentication.operator_bearer.verifier_path": Key(_PATH, 4),
    "authentication.oauth_jwt": Key("must be a table with issuer alone", 5),
    "authentication.oauth_jwt.issuer": Key(
        "must be an https URL with a dotted lower-case DNS name, without user, query, fragment,"
        " percent sign or empty segment",
        5,
    ),
    "mcp": Key(
        "must be a table with strict_protocol_version, from schema_version 7 on also both limits of"
        " sessions, and nothing else",
        6,
    ),
    "mcp.strict_protocol_version": Key(_SWITCH, 6),
    "mcp.session_inactivity_timeout_seconds": Key(_SECONDS, 7),
    "mcp.session_absolute_lifetime_seconds": Key(_SECONDS, 7),
}


def name_of(place: Place) -> str:
    """Return the name in `KEYS` of what stands at `place`, positions left out."""
    return "".join("[]" if part.isdigit() else f".{part}" for part in place)[1:]
