"""The meaning of a host configuration: from the tables of its file to `HostSettings`."""

from collections.abc import Collection, Iterable, Mapping

from mymcp.configuration.evaluation import Finding, finding_of
from mymcp.configuration.formats import FORMATS
from mymcp.configuration.keys import KEYS
from mymcp.configuration.refusal import HostConfigurationError
from mymcp.configuration.rules import broken_rules
from mymcp.configuration.settings import HostSettings
from mymcp.contract.reader import Unreadable

VERSION = "schema_version"
TOP_LEVEL = (VERSION, "server", "plugins", "authentication", "mcp")
"""Keys that some format knows; every other is refused before the format's number is looked at."""


def settings_in(tables: Mapping[str, object]) -> HostSettings:
    """Return what the document `tables` says.

    Raises `HostConfigurationError` for the fault that comes first: keys at the root that no format
    knows, the format's number, then as `mymcp/configuration/evaluation.py` ranks them. Its codes
    are `invalid_schema`, `unsupported_schema_version`, `duplicate_plugin`,
    `duplicate_authentication_adapter_id`, `duplicate_authentication_adapter_route` and
    `authentication_adapter_limit_exceeded`.
    """
    if not tables.keys() <= set(TOP_LEVEL):
        must = f"has a key that no format knows; at its top level may stand {', '.join(TOP_LEVEL)}"
        raise HostConfigurationError("invalid_schema", must)
    version = _version(tables)
    broken = list(broken_rules(tables, version))
    try:
        settings = FORMATS[version].read(tables)
    except Unreadable as error:
        faults = [finding_of(fault, tables) for fault in error.faults]
        raise _first([*broken, *faults]) from None
    if broken:
        raise _first(broken)
    return settings


def checked(settings: HostSettings, bundled: Collection[str]) -> HostSettings:
    """Return `settings` if plugins may be declared as they are; `bundled` are ids of our own.

    Raises `HostConfigurationError`: `bundled_plugin_conflict` for a plugin, enabled or not, that
    has such an id, `enabled_plugin_unsupported` for one that format 1 enables.
    """
    for position, plugin in enumerate(settings.plugins):
        if plugin.id in bundled:
            place = ("plugins", str(position), "id")
            must = f"must be none of {', '.join(sorted(bundled))}; MyMCP brings those itself"
            raise HostConfigurationError("bundled_plugin_conflict", must, place)
    for position, plugin in enumerate(settings.plugins):
        if plugin.enabled and plugin.manifest_path is None:
            place = ("plugins", str(position), "enabled")
            must = f"must be false under {VERSION} 1; use 2 or higher, which says where a plugin is"
            raise HostConfigurationError("enabled_plugin_unsupported", must, place)
    return settings


def _first(found: Iterable[Finding]) -> HostConfigurationError:
    return min(found, key=lambda finding: finding.rank).as_error()


def _version(tables: Mapping[str, object]) -> int:
    if VERSION not in tables:
        must = f"is missing; it {KEYS[VERSION].must}"
        raise HostConfigurationError("invalid_schema", must, (VERSION,))
    version = tables[VERSION]
    if type(version) is not int:
        raise HostConfigurationError("invalid_schema", KEYS[VERSION].must, (VERSION,))
    if version not in FORMATS:
        raise HostConfigurationError("unsupported_schema_version", KEYS[VERSION].must, (VERSION,))
    return version
