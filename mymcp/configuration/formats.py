"""The formats of the host configuration: how each is read, and how each becomes `HostSettings`.

Every format says something more than the one before; what it cannot say is a default of
`HostSettings`. Only the models of the format in use are imported.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Generic, TypeVar

from pydantic import MISSING

from mymcp._generated import configuration as contracts
from mymcp.configuration.settings import DeclaredAdapter, DeclaredPlugin, HostSettings, Route
from mymcp.contract.model import ContractModel
from mymcp.contract.reader import Reader

if TYPE_CHECKING:
    from mymcp._generated.models.config.host_v1 import HostConfigV1
    from mymcp._generated.models.config.host_v2 import HostConfigV2
    from mymcp._generated.models.config.host_v3 import HostConfigV3
    from mymcp._generated.models.config.host_v4 import HostConfigV4
    from mymcp._generated.models.config.host_v5 import HostConfigV5
    from mymcp._generated.models.config.host_v6 import HostConfigV6
    from mymcp._generated.models.config.host_v7 import HostConfigV7
    from mymcp._generated.models.shared.host import Adapter, Server

    Since6 = HostConfigV6 | HostConfigV7
    Since5 = HostConfigV5 | Since6
    Since4 = HostConfigV4 | Since5
    Since3 = HostConfigV3 | Since4
    Since2 = HostConfigV2 | Since3

M = TypeVar("M", bound=ContractModel)


@dataclass(frozen=True, slots=True)
class Format(Generic[M]):
    """One format: `reader` imports its models, `settings` takes what they read."""

    reader: Callable[[], Reader[M]]
    settings: Callable[[M], HostSettings]

    def read(self, tables: Mapping[str, object]) -> HostSettings:
        """Return what `tables` say. Raises `mymcp.contract.reader.Unreadable` with all faults."""
        return self.settings(self.reader().read(tables))


def _of_v1(config: HostConfigV1) -> HostSettings:
    named = [] if config.plugins is MISSING else config.plugins
    plugins = tuple(DeclaredPlugin(plugin.id, plugin.enabled) for plugin in named)
    return _listening(HostSettings(config.schema_version, plugins=plugins), config.server)


def _of_v2(config: Since2) -> HostSettings:
    declared = [] if config.plugins is MISSING else config.plugins
    plugins = tuple(
        DeclaredPlugin(plugin.id, plugin.enabled, Path(plugin.manifest_path), plugin.module)
        for plugin in declared
    )
    return _listening(HostSettings(config.schema_version, plugins=plugins), config.server)


def _of_v3(config: Since3) -> HostSettings:
    adapters = config.authentication.adapters
    return replace(
        _of_v2(config),
        anonymous_enabled=config.authentication.anonymous_enabled,
        adapters=() if adapters is MISSING else tuple(map(_adapter, adapters)),
    )


def _of_v4(config: Since4) -> HostSettings:
    source = config.authentication.operator_bearer
    path = None if source is MISSING else Path(source.verifier_path)
    return replace(_of_v3(config), verifier_path=path)


def _of_v5(config: Since5) -> HostSettings:
    source = config.authentication.oauth_jwt
    return replace(_of_v4(config), issuer=None if source is MISSING else source.issuer)


def _of_v6(config: Since6) -> HostSettings:
    return replace(_of_v5(config), strict_protocol_version=config.mcp.strict_protocol_version)


def _of_v7(config: HostConfigV7) -> HostSettings:
    return replace(
        _of_v6(config),
        session_inactivity_timeout_seconds=config.mcp.session_inactivity_timeout_seconds,
        session_absolute_lifetime_seconds=config.mcp.session_absolute_lifetime_seconds,
    )


FORMATS: Final[Mapping[int, Format[Any]]] = {
    1: Format(contracts.host_v1, _of_v1),
    2: Format(contracts.host_v2, _of_v2),
    3: Format(contracts.host_v3, _of_v3),
    4: Format(contracts.host_v4, _of_v4),
    5: Format(contracts.host_v5, _of_v5),
    6: Format(contracts.host_v6, _of_v6),
    7: Format(contracts.host_v7, _of_v7),
}


def _listening(settings: HostSettings, server: Server | MISSING) -> HostSettings:
    if server is MISSING:
        return settings
    return settings.at(
        None if server.address is MISSING else server.address,
        None if server.port is MISSING else server.port,
    )


def _adapter(adapter: Adapter) -> DeclaredAdapter:
    route = adapter.route
    profile = None if route.profile is MISSING else route.profile
    return DeclaredAdapter(
        adapter.id, adapter.type, adapter.enabled, Route(route.source, route.scheme, profile)
    )
