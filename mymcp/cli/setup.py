"""The checks of a set-up: what would start, and what is wrong with it, without serving.

Each check adds what it learned to a `SetUp`, for those after it, and yields lines. One that fails
does not keep the others from looking.
"""

import argparse
import logging
import os
import socket
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from mymcp._generated.registry import CAPABILITIES
from mymcp.app import build_router, build_runtime, load_settings
from mymcp.cli.address import (
    PortInUse,
    configuration_file,
    listen,
    loopback_address,
    port_number,
)
from mymcp.cli.exits import EXIT_CONFIGURATION, EXIT_OTHER
from mymcp.cli.screen import Line, visible
from mymcp.cli.service import MISTAKES
from mymcp.configuration.location import home_folder, location
from mymcp.configuration.loopback import bracketed
from mymcp.configuration.refusal import HostConfigurationError
from mymcp.configuration.settings import HostSettings
from mymcp.contract.capability import Capability
from mymcp.host.runtime import HostRuntime
from mymcp.plugins.mnemosyne.settings import (
    GATE_VARIABLES,
    Settings,
    SettingsError,
    resolve,
)
from mymcp.settings import PRODUCT_NAME

PROBE_SECONDS: Final = 2.0
"""How long whoever has the port may take to say who it is."""
PROBE_MAX_BYTES: Final = 4_096

_OURS: Final = f'"name":"{PRODUCT_NAME}"'.encode()


@dataclass(slots=True)
class SetUp:
    """What the checks learned so far; none where a check failed."""

    options: argparse.Namespace
    host: HostSettings | None = None
    memory: Settings | None = None
    runtime: HostRuntime | None = None


Check = Callable[[SetUp], Iterator[Line]]


def add_options(parser: argparse.ArgumentParser) -> None:
    """Let `parser` take what `mymcp` itself takes, so that the same server is looked at."""
    parser.add_argument(
        "--config",
        type=configuration_file,
        metavar="PATH",
        help="host configuration (default: mymcp/config.toml below $XDG_CONFIG_HOME or ~/.config)",
    )
    parser.add_argument("--address", type=loopback_address, help="as if mymcp were given this")
    parser.add_argument("--port", type=port_number, help="as if mymcp were given this")


def settings_of(options: argparse.Namespace) -> HostSettings:
    """Return the settings of the server that `options` mean. Raises `HostConfigurationError`."""
    _log_nothing()
    return load_settings(options.config).at(options.address, options.port)


def checked(setup: SetUp) -> Iterator[Line]:
    """Yield what each check finds, in order."""
    for check in CHECKS:
        yield from check(setup)


def url_of(settings: HostSettings) -> str:
    """Return where a server of `settings` is reached."""
    return f"{settings.origin}/mcp"


def mistake(error: Exception) -> Line:
    """Return the line of an operator's mistake: its code, the place and the remedy."""
    return Line("fault", visible(str(error)), EXIT_CONFIGURATION)


def configuration(setup: SetUp) -> Iterator[Line]:
    """Read the host configuration."""
    options = setup.options
    try:
        path = options.config or location(os.environ, home_folder())
        setup.host = settings_of(options)
    except HostConfigurationError as error:
        yield mistake(error)
        return
    settings, where = setup.host, visible(str(path))
    if path.exists():
        yield Line("ok", f"host configuration: format {settings.schema_version} in {where}")
    else:
        yield Line("ok", f"host configuration: built-in defaults, for there is no {where}")
    plugins, adapters = settings.enabled_plugins, settings.enabled_adapters
    yield Line("ok", f"external plugins: {_counted(len(plugins), len(settings.plugins))}")
    yield Line("ok", f"authentication adapters: {_counted(len(adapters), len(settings.adapters))}")
    if not (settings.anonymous_enabled or settings.enabled_adapters):
        yield Line(
            "note", "nobody may call the tools: anonymous access is off and no adapter is on"
        )


def address(setup: SetUp) -> Iterator[Line]:
    """See whether the port can be had; a server of ours that has it already is no fault."""
    if setup.host is None:
        return
    where, port = setup.host.usual_address, setup.host.port
    try:
        listen(where, port).close()
    except PortInUse as error:
        if _is_ours(where, port):
            yield Line("note", f"address: {PRODUCT_NAME} is being served at {url_of(setup.host)}")
        else:
            yield Line("fault", f"address: {error}", EXIT_OTHER)
    else:
        yield Line("ok", f"address: {url_of(setup.host)}")


def gates(setup: SetUp) -> Iterator[Line]:
    """Read what Mnemosyne's operator decided."""
    try:
        setup.memory = resolve(os.environ, home_folder() or Path())
    except SettingsError as error:
        yield mistake(error)
        return
    switches = (
        f"{gate} {'on' if gate in setup.memory.open_gates else 'off'}" for gate in GATE_VARIABLES
    )
    yield Line("ok", f"gates: {', '.join(switches)}")


def tools(setup: SetUp) -> Iterator[Line]:
    """Put everything together as a start would, and say what would be served."""
    if setup.host is None:
        return
    try:
        build_router(setup.host)
        setup.runtime = build_runtime(setup.host)
    except SettingsError as error:
        if setup.memory is not None:  # else it was told
            yield mistake(error)
        return
    except MISTAKES as error:
        yield mistake(error)
        return
    served = setup.runtime.tools
    yield Line("ok", f"tools: {len(served)} would be served")
    for name, tool in served.items():
        yield Line("ok", f"  {visible(name)}: {_manner(tool.capability)}")
    for capability in CAPABILITIES:
        if capability.name not in served:
            yield Line("ok", f"  {capability.name}: not served, gate {capability.gate} is off")


CHECKS: Final[tuple[Check, ...]] = (configuration, address, gates, tools)
"""All checks, in the order in which they are made."""


def _log_nothing() -> None:
    """Leave it to the lines: without any handler Python shows warnings on stderr too."""
    root = logging.getLogger()
    if not root.handlers:
        root.addHandler(logging.NullHandler())


def _is_ours(where: str, port: int) -> bool:
    """Ask whoever listens there. It may be anybody, and answer for ever."""
    end = time.monotonic() + PROBE_SECONDS
    asked = f"GET /version HTTP/1.1\r\nHost: {bracketed(where)}:{port}\r\nConnection: close\r\n\r\n"
    heard = b""
    try:
        with socket.create_connection((where, port), PROBE_SECONDS) as connection:
            connection.sendall(asked.encode())
            while _OURS not in heard and len(heard) < PROBE_MAX_BYTES:
                connection.settimeout(max(end - time.monotonic(), 0.001))
                part = connection.recv(PROBE_MAX_BYTES) if time.monotonic() < end else b""
                if not part:
                    break
                heard += part
    except OSError:
        return False
    return _OURS in heard


def _counted(enabled: int, declared: int) -> str:
    """Return how many are on, and how many the file names that are not."""
    off = f", {declared - enabled} declared and off" if declared > enabled else ""
    return f"{enabled or 'none'}{off}"


def _manner(capability: Capability) -> str:
    effects = capability.effects
    if effects.read_only:
        return "reads only"
    verb = "changes and deletes" if effects.destructive else "adds or changes"
    asks = ", ask the user before each call" if capability.consent == "per_call" else ""
    gate = f", gate {capability.gate}" if capability.gate else ""
    return f"{verb}{asks}{gate}"
