"""In which order the faults of a document count: the first one is told, whoever found it.

The order is part of the contract: server, what may stand at all, plugins as they stand, then
authentication in stages, then the protocol. `mymcp/configuration/rules.py` finds what the models
cannot.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from mymcp.configuration.keys import KEYS, Place, name_of
from mymcp.configuration.refusal import ConfigurationCode, HostConfigurationError
from mymcp.contract.faults import Fault, FaultKind

Rank = tuple[int, ...]

# Stages. The format's number, and keys at the root that no format knows, are judged before these.
_SERVER, _PRESENCE, _PLUGINS, _AUTHENTICATION, _MCP = range(5)
_TABLES = ("authentication", "mcp")
# Stages within authentication.
_MEMBERS, _ADAPTERS, _ITEMS, _METHODS, _DUPLICATES, _BEARER, _OAUTH, _ANONYMOUS = range(8)
_SOURCES = {"operator_bearer": _BEARER, "oauth_jwt": _OAUTH, "anonymous_enabled": _ANONYMOUS}
# Within a table: keys too many, keys missing, then what the others hold.
_HELD = 2
_ORDERS: dict[str, tuple[str, ...]] = {
    "plugins": ("manifest_path", "module", "id", "enabled"),
    "adapters": ("id", "type", "enabled", "route"),
    "route": ("source", "scheme", "profile"),
    "server": ("address", "port"),
    "mcp": (
        "strict_protocol_version",
        "session_inactivity_timeout_seconds",
        "session_absolute_lifetime_seconds",
    ),
    "operator_bearer": ("verifier_path",),
    "oauth_jwt": ("issuer",),
}
_LAST = 2**16


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that is wrong: when it counts (`rank`, lower first), code, place, and `must`.

    `must` continues a sentence that begins with the place.
    """

    rank: Rank
    code: ConfigurationCode
    place: Place
    must: str

    def as_error(self) -> HostConfigurationError:
        """Return the finding as it is told."""
        return HostConfigurationError(self.code, self.must, self.place)


def finding_of(fault: Fault, tables: Mapping[str, object]) -> Finding:
    """Return what `fault` of a model means to the operator. `tables` is the whole document."""
    rank = _rank(fault.path, fault.kind)
    if fault.path == ("plugins",) and isinstance(tables["plugins"], list):
        rank = (*rank, _LAST)  # there are too many of them; what is wrong with one comes first
    place, must = _told(fault.path, fault.kind)
    return Finding(rank, "invalid_schema", place, must)


def misheld(place: Place) -> Finding:
    """Return the finding that what stands at `place` fits the model and is still not right."""
    return Finding(_rank(place, "invalid"), "invalid_schema", place, KEYS[name_of(place)].must)


def repeated(place: Place, code: ConfigurationCode, must: str) -> Finding:
    """Return the finding that what stands at `place`, below an item of an array, stood before."""
    if place[0] == "plugins":
        return Finding((_PLUGINS, int(place[1]), _LAST), code, place, must)
    position, is_route = int(place[2]), place[3] == "route"
    return Finding((_AUTHENTICATION, _DUPLICATES, position, is_route), code, place, must)


def too_many_adapters(must: str) -> Finding:
    """Return the finding that the array of adapters is too long."""
    place = ("authentication", "adapters")
    rank = (_AUTHENTICATION, _ADAPTERS)
    return Finding(rank, "authentication_adapter_limit_exceeded", place, must)


def methods_together(must: str) -> Finding:
    """Return the finding that two methods are declared that exclude each other."""
    place = ("authentication", "adapters")
    return Finding((_AUTHENTICATION, _METHODS), "invalid_schema", place, must)


def source_and_method(source: str, must: str) -> Finding:
    """Return the finding that table `source` stands there without its method, or the reverse."""
    rank = (_AUTHENTICATION, _SOURCES[source], _LAST)
    return Finding(rank, "invalid_schema", ("authentication", source), must)


def _rank(path: Place, kind: FaultKind) -> Rank:
    match path:
        case ("server", *names):
            return (_SERVER, *_within("server", names, kind))
        case ("authentication" | "mcp" as table,) if kind != "invalid":
            return (_PRESENCE, _TABLES.index(table))
        case ("plugins", position, *names):
            return (_PLUGINS, int(position), *_within("plugins", names, kind))
        case ("plugins",):
            return (_PLUGINS,)
        case ("authentication", *names):
            return (_AUTHENTICATION, *_rank_of_authentication(names, kind))
        case _:
            return (_MCP, *_within("mcp", list(path[1:]), kind))


def _rank_of_authentication(names: list[str], kind: FaultKind) -> Rank:
    match names:
        case []:
            return ()
        case [_] if kind != "invalid":
            return (_MEMBERS, kind == "missing")
        case ["adapters", position, *inner]:
            return (_ITEMS, int(position), *_within("adapters", inner, kind))
        case ["adapters"]:
            return (_ADAPTERS,)
        case [source, *inner]:
            return (_SOURCES[source], *_within(source, inner, kind))
    return ()


def _within(table: str, names: list[str], kind: FaultKind) -> Rank:
    """Return the rank of a fault at `names` below `table`; of the table itself, the first."""
    if not names:
        return ()
    if len(names) == 1 and kind != "invalid":
        return (int(kind == "missing"),)
    return (_HELD, _ORDERS[table].index(names[0]), *_within(names[0], names[1:], kind))


def _told(path: Place, kind: FaultKind) -> tuple[Place, str]:
    """Return which place is named, and what must hold there; a key that is not ours is neither."""
    if kind == "missing":
        return path, f"is missing; it {KEYS[name_of(path)].must}"
    if kind == "invalid":
        return path, KEYS[name_of(path)].must
    later = KEYS.get(name_of(path))
    if later is not None:
        return path, f"needs schema_version {later.since} or higher"
    above = path[:-1]
    return above, f"has a key that is not known there; it {KEYS[name_of(above)].must}"
