"""What no model can say of a document: rules across declarations, and meanings of single texts.

Pure functions over the raw tables. They look only at what has the right type: for everything else
the model has a fault of its own.
"""

from collections.abc import Iterator, Mapping
from keyword import iskeyword
from sys import stdlib_module_names

from mymcp.configuration.evaluation import (
    Finding,
    methods_together,
    misheld,
    repeated,
    source_and_method,
    too_many_adapters,
)
from mymcp.configuration.issuer import is_public_name
from mymcp.configuration.keys import ADAPTERS_MAX
from mymcp.configuration.loopback import loopback
from mymcp.configuration.settings import OAUTH_JWT, OPERATOR_BEARER

Tables = Mapping[str, object]

_SOURCES = {"operator_bearer": (OPERATOR_BEARER, 4), "oauth_jwt": (OAUTH_JWT, 5)}
"""Table -> type of adapter that it belongs to, first format that has the table."""
_METHODS_EXCLUDE_EACH_OTHER_SINCE = 5


def broken_rules(tables: Tables, version: int) -> Iterator[Finding]:
    """Yield a finding for each rule that the document `tables` of format `version` breaks."""
    yield from _address(tables)
    yield from _plugins(tables)
    yield from _authentication(_table(tables, "authentication"), version)


def _address(tables: Tables) -> Iterator[Finding]:
    address = _table(tables, "server").get("address")
    if isinstance(address, str) and loopback(address) is None:
        yield misheld(("server", "address"))


def _plugins(tables: Tables) -> Iterator[Finding]:
    seen: set[str] = set()
    for position, plugin in _items(tables, "plugins"):
        place = ("plugins", str(position))
        module, name = plugin.get("module"), plugin.get("id")
        if isinstance(module, str) and not _is_free(module):
            yield misheld((*place, "module"))
        if isinstance(name, str):
            if name in seen:
                must = "stands twice; each plugin has an id of its own"
                yield repeated((*place, "id"), "duplicate_plugin", must)
            seen.add(name)


def _is_free(module: str) -> bool:
    """Tell whether a plugin's module can have this name: Python's own ones hide it."""
    parts = module.split(".")
    own = parts[0] in stdlib_module_names or parts[0] == "__main__"
    return not own and not any(iskeyword(part) for part in parts)


def _authentication(table: Tables, version: int) -> Iterator[Finding]:
    adapters = table.get("adapters")
    if isinstance(adapters, list) and len(adapters) > ADAPTERS_MAX:
        yield too_many_adapters(f"has too many adapters; {ADAPTERS_MAX} may be declared")
    declared = {
        kind
        for _, adapter in _items(table, "adapters")
        if isinstance(kind := adapter.get("type"), str)
    }
    if version >= _METHODS_EXCLUDE_EACH_OTHER_SINCE and {OPERATOR_BEARER, OAUTH_JWT} <= declared:
        yield methods_together(
            f"declares {OPERATOR_BEARER} and {OAUTH_JWT}; remove one, even if it is off"
        )
    yield from _repeated_adapters(table)
    for source, (kind, since) in _SOURCES.items():
        if version >= since:
            yield from _source(source, kind, source in table, kind in declared)
    issuer = _table(table, "oauth_jwt").get("issuer")
    if isinstance(issuer, str) and not is_public_name(issuer):
        yield misheld(("authentication", "oauth_jwt", "issuer"))


def _repeated_adapters(table: Tables) -> Iterator[Finding]:
    names: set[str] = set()
    routes: set[tuple[object, ...]] = set()
    for position, adapter in _items(table, "adapters"):
        place = ("authentication", "adapters", str(position))
        name, route = adapter.get("id"), _route(adapter)
        if isinstance(name, str):
            if name in names:
                must = "stands twice; each adapter has an id of its own"
                yield repeated((*place, "id"), "duplicate_authentication_adapter_id", must)
            names.add(name)
        if route is not None:
            if route in routes:
                must = "stands twice; adapters differ in source, scheme or profile"
                yield repeated((*place, "route"), "duplicate_authentication_adapter_route", must)
            routes.add(route)


def _route(adapter: Tables) -> tuple[object, ...] | None:
    """Return what makes a route another one; none where the model finds faults in it."""
    route = _table(adapter, "route")
    source, scheme, profile = (route.get(name) for name in ("source", "scheme", "profile"))
    if not isinstance(source, str) or not isinstance(scheme, str):
        return None
    return (source, scheme, profile) if profile is None or isinstance(profile, str) else None


def _source(source: str, kind: str, present: bool, declared: bool) -> Iterator[Finding]:
    if declared and not present:
        yield source_and_method(source, f"is missing; an adapter of type {kind} needs it")
    if present and not declared:
        yield source_and_method(
            source, f"needs an adapter of type {kind}; remove it or declare one"
        )


def _table(holder: Tables, name: str) -> Tables:
    value = holder.get(name)
    return value if isinstance(value, Mapping) else {}


def _items(holder: Tables, name: str) -> Iterator[tuple[int, Tables]]:
    """Yield the tables of an array with their positions."""
    value = holder.get(name)
    if isinstance(value, list):
        yield from ((at, item) for at, item in enumerate(value) if isinstance(item, Mapping))
