"""What `mymcp` does: listen, build the runtime, serve."""

import argparse
import logging
import os
import signal
from collections.abc import Sequence
from contextlib import closing, suppress
from logging.config import dictConfig
from pathlib import Path

import uvicorn

from mymcp.app import create_app
from mymcp.cli.address import (
    DEFAULT_ADDRESS,
    DEFAULT_PORT,
    PortInUse,
    allowed_at,
    bracketed,
    listen,
    loopback_address,
    port_number,
)
from mymcp.cli.console import (
    LOG_CONFIGURATION,
    complain,
    end_by_signal,
    leave_out_unused_log_fields,
)
from mymcp.cli.interrupts import EXIT_INTERRUPTED, ended_by_interrupt
from mymcp.host.production import build_production_runtime
from mymcp.host.runtime import CompositionError
from mymcp.plugins.mnemosyne.settings import SettingsError
from mymcp.settings import PRODUCT_NAME, PRODUCT_VERSION
from mymcp.transport.server import configured

_logger = logging.getLogger("mymcp.cli.serve")

EXIT_OTHER = 1
EXIT_CONFIGURATION = 78
"""EX_CONFIG of sysexits.h: a supervisor should not try again."""


def options_of(arguments: Sequence[str] | None) -> argparse.Namespace:
    """Return the options of a command line; wrong usage ends the process with 2."""
    parser = argparse.ArgumentParser(
        prog=PRODUCT_NAME,
        description="Serve MCP tools at http://127.0.0.1:8000/mcp.",
        epilog="mymcp plugin --help: write a plugin of your own, and check it.",
    )
    parser.add_argument(
        "--address",
        type=loopback_address,
        default=DEFAULT_ADDRESS,
        help="loopback address to listen at (default: %(default)s)",
    )
    parser.add_argument(
        "--port", type=port_number, default=DEFAULT_PORT, help="port (default: %(default)s)"
    )
    parser.add_argument("--version", action="version", version=f"{PRODUCT_NAME} {PRODUCT_VERSION}")
    return parser.parse_args(arguments)


def serve(options: argparse.Namespace) -> int:
    """Serve until a signal says stop. Returns the exit code."""
    dictConfig(LOG_CONFIGURATION)
    leave_out_unused_log_fields()
    signal.signal(signal.SIGTERM, end_by_signal)
    try:
        with closing(listen(options.address, options.port)) as listener:
            server = _server(options)
            with suppress(KeyboardInterrupt):  # of a server that has stopped as it should
                server.run([listener])
    except PortInUse as error:
        complain(PRODUCT_NAME, str(error))
        return EXIT_OTHER
    except (SettingsError, CompositionError) as error:
        complain(PRODUCT_NAME, str(error))
        return EXIT_CONFIGURATION
    except KeyboardInterrupt:
        return EXIT_INTERRUPTED
    return 0


def _server(options: argparse.Namespace) -> uvicorn.Server:
    with ended_by_interrupt():  # else a plugin that is being imported would be blamed for Ctrl-C
        runtime = build_production_runtime(os.environ, Path.home())
    app = create_app(runtime, allow=allowed_at(options.address))
    server = uvicorn.Server(configured(app, log_config=None))
    _logger.info("serving url=http://%s:%d/mcp", bracketed(options.address), options.port)
    return server
