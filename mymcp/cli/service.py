"""What `mymcp` does: read the configuration, listen, build the application, serve."""

import argparse
import logging
import signal
from collections.abc import Sequence
from contextlib import ExitStack, closing, suppress
from typing import Final, get_args

import uvicorn

from mymcp.app import create_production_app, load_settings
from mymcp.cli.address import (
    PortInUse,
    configuration_file,
    listen,
    loopback_address,
    port_number,
)
from mymcp.cli.console import (
    complain,
    end_by_signal,
    leave_out_unused_log_fields,
    log_of_a_start,
    report_strays,
)
from mymcp.cli.exits import EXIT_CONFIGURATION, EXIT_OTHER
from mymcp.cli.interrupts import EXIT_INTERRUPTED, ended_by_interrupt
from mymcp.cli.rendering import LogFormat
from mymcp.cli.usage import Parser
from mymcp.configuration.refusal import HostConfigurationError
from mymcp.configuration.settings import DEFAULT_ADDRESS, DEFAULT_PORT, HostSettings
from mymcp.host.runtime import CompositionError
from mymcp.plugins.mnemosyne.settings import SettingsError
from mymcp.settings import PRODUCT_NAME, PRODUCT_VERSION
from mymcp.transport.server import configured

_logger = logging.getLogger("mymcp.cli.serve")


MISTAKES: Final = (HostConfigurationError, SettingsError, CompositionError)
"""What an operator can put right; the message of each is one line."""


def options_of(arguments: Sequence[str] | None) -> argparse.Namespace:
    """Return the options of a command line; wrong usage ends the process with 2."""
    parser = Parser(
        prog=PRODUCT_NAME,
        description=f"Serve MCP tools at http://{DEFAULT_ADDRESS}:{DEFAULT_PORT}/mcp, or where the"
        " host configuration says. An option wins for one run.",
        epilog="mymcp check: what would be served. mymcp doctor: the health of the memory. mymcp"
        " client-config: what a client has to be told. mymcp credential: issue, list and revoke"
        " what callers prove themselves with. mymcp plugin: write a plugin, and check it. Each has"
        " its own --help.",
    )
    parser.add_argument(
        "--config",
        type=configuration_file,
        metavar="PATH",
        help="host configuration (default: mymcp/config.toml below $XDG_CONFIG_HOME or ~/.config)",
    )
    parser.add_argument(
        "--address", type=loopback_address, help="loopback address to listen at, instead"
    )
    parser.add_argument("--port", type=port_number, help="port to listen at, instead")
    parser.add_argument(
        "--log-format",
        choices=get_args(LogFormat),
        default="text",
        help="one line an event for people, or one JSON object a line (default: %(default)s)",
    )
    parser.add_argument("--version", action="version", version=f"{PRODUCT_NAME} {PRODUCT_VERSION}")
    return parser.options(arguments)


def serve(options: argparse.Namespace) -> int:
    """Serve until a signal says stop. Returns the exit code."""
    leave_out_unused_log_fields()
    report_strays(options.log_format)
    signal.signal(signal.SIGTERM, end_by_signal)
    try:
        with ExitStack() as stack:
            with log_of_a_start(options.log_format):
                settings = load_settings(options.config).at(options.address, options.port)
                listener = listen(settings.usual_address, settings.port)
                stack.enter_context(closing(listener))
                server = _server(settings)
            with suppress(KeyboardInterrupt):  # of a server that has stopped as it should
                server.run([listener])
    except PortInUse as error:
        complain(PRODUCT_NAME, str(error), options.log_format)
        return EXIT_OTHER
    except MISTAKES as error:
        complain(PRODUCT_NAME, str(error), options.log_format, code=error.code)
        return EXIT_CONFIGURATION
    except KeyboardInterrupt:
        return EXIT_INTERRUPTED
    return 0


def _server(settings: HostSettings) -> uvicorn.Server:
    with ended_by_interrupt():  # else a plugin that is being imported would be blamed for Ctrl-C
        app = create_production_app(settings)
    server = uvicorn.Server(configured(app, log_config=None))
    _logger.info("serving url=%s/mcp", settings.origin)
    return server
