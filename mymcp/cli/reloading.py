"""What `mymcp-dev` does: a parent that watches the source, and a worker that serves."""

import argparse
import signal
import socket
import sys
from collections.abc import Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path

import uvicorn
from uvicorn.supervisors import ChangeReload

from mymcp.app import create_production_app, load_settings
from mymcp.cli.address import PortInUse, listen, port_number
from mymcp.cli.console import complain, end_by_signal, log_configuration, log_of_a_start
from mymcp.cli.exits import EXIT_CONFIGURATION, EXIT_OTHER
from mymcp.cli.interrupts import EXIT_INTERRUPTED
from mymcp.cli.service import MISTAKES
from mymcp.cli.usage import Parser
from mymcp.transport.server import configured

COMMAND = "mymcp-dev"
_PACKAGE = Path(__file__).parents[1]


def options_of(arguments: Sequence[str] | None) -> argparse.Namespace:
    """Return the options of a command line; wrong usage ends the process with 2."""
    parser = Parser(
        prog=COMMAND, description="Serve where the host configuration says, reloading on change."
    )
    parser.add_argument("--port", type=port_number, help="port to listen at, instead")
    return parser.options(arguments)


def serve_and_reload(options: argparse.Namespace) -> int:
    """Serve and reload until a signal says stop. Returns the exit code."""
    try:
        with log_of_a_start():
            settings = load_settings().at(None, options.port)
            create_production_app(settings)  # each worker builds its own; say no here
            listener = listen(settings.usual_address, settings.port)
    except MISTAKES as error:
        complain(COMMAND, str(error))
        return EXIT_CONFIGURATION
    except PortInUse as error:
        complain(COMMAND, str(error))
        return EXIT_OTHER
    except KeyboardInterrupt:
        return EXIT_INTERRUPTED
    config = configured(
        "mymcp.app:create_production_app",
        factory=True,
        reload=True,
        reload_dirs=[str(_PACKAGE)],
        log_config=log_configuration(),
    )
    with suppress(KeyboardInterrupt):
        ChangeReload(config, target=partial(_work, config), sockets=[listener]).run()
    return 0


def _work(config: uvicorn.Config, sockets: list[socket.socket] | None = None) -> None:
    signal.signal(signal.SIGTERM, end_by_signal)
    try:
        uvicorn.Server(config).run(sockets)
    except MISTAKES as error:  # made since the parent looked
        complain(COMMAND, str(error))
        sys.exit(EXIT_CONFIGURATION)
