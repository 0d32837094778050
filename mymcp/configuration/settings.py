"""The host's settings as one immutable value, whatever the format of the file was."""

from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Final

from mymcp.configuration.loopback import bracketed, loopback

DEFAULT_ADDRESS: Final = "127.0.0.1"
DEFAULT_PORT: Final = 8000
SESSION_INACTIVITY_SECONDS: Final = 1_800
SESSION_LIFETIME_SECONDS: Final = 28_800

OPERATOR_BEARER: Final = "operator-bearer-v1"
OAUTH_JWT: Final = "oauth-jwt-jwks-v1"


@dataclass(frozen=True, slots=True)
class DeclaredPlugin:
    """One external plugin of the operator; format 1 says neither manifest nor module."""

    id: str
    enabled: bool
    manifest_path: Path | None = field(default=None, repr=False)
    module: str | None = None


@dataclass(frozen=True, slots=True)
class Route:
    """Which evidence an adapter judges; two adapters never have the same route."""

    source: str
    scheme: str
    profile: str | None = None


@dataclass(frozen=True, slots=True)
class DeclaredAdapter:
    """One way to prove who is calling. Nobody says that its `type` exists."""

    id: str
    type: str
    enabled: bool
    route: Route


@dataclass(frozen=True, slots=True)
class HostSettings:
    """What the operator decided; without a file, the values here.

    `address` is a literal loopback address as it was written, `port` one from 1 to 65535. Plugins
    and adapters are in the order of the file, with those that are off. `verifier_path` is the
    source of operator-bearer-v1, `issuer` that of oauth-jwt-jwks-v1. Of the two limits of a
    session, 0 means none.
    """

    schema_version: int = 1
    address: str = DEFAULT_ADDRESS
    port: int = DEFAULT_PORT
    plugins: tuple[DeclaredPlugin, ...] = ()
    anonymous_enabled: bool = True
    adapters: tuple[DeclaredAdapter, ...] = ()
    verifier_path: Path | None = field(default=None, repr=False)
    issuer: str | None = field(default=None, repr=False)
    strict_protocol_version: bool = True
    session_inactivity_timeout_seconds: int = SESSION_INACTIVITY_SECONDS
    session_absolute_lifetime_seconds: int = SESSION_LIFETIME_SECONDS

    @property
    def usual_address(self) -> str:
        """The address in its usual form, whatever form was written."""
        return loopback(self.address) or self.address

    @property
    def origin(self) -> str:
        """Where the server is, as a URL without a path. No request has a say in it."""
        return f"http://{bracketed(self.usual_address)}:{self.port}"

    @property
    def enabled_plugins(self) -> tuple[DeclaredPlugin, ...]:
        """The plugins to load, in order."""
        return tuple(plugin for plugin in self.plugins if plugin.enabled)

    @property
    def enabled_adapters(self) -> tuple[DeclaredAdapter, ...]:
        """The adapters to use, in order."""
        return tuple(adapter for adapter in self.adapters if adapter.enabled)

    def at(self, address: str | None, port: int | None) -> "HostSettings":
        """Return these settings at another address or port, where one is given."""
        return replace(
            self,
            address=self.address if address is None else address,
            port=self.port if port is None else port,
        )
