"""What `mymcp-dev` does: a parent that watches the source, and a worker that serves."""

import argparse
import os
import signal
import socket
from collections.abc import Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path

import uvicorn
from uvicorn.supervisors import ChangeReload

from mymcp.cli.address import DEFAULT_ADDRESS, DEFAULT_PORT, PortInUse, listen, port_number
from mymcp.cli.console import LOG_CONFIGURATION, complain, end_by_signal
from mymcp.cli.interrupts import EXIT_INTERRUPTED
from mymcp.cli.service import EXIT_CONFIGURATION, EXIT_OTHER
from mymcp.host.production import build_production_runtime
from mymcp.host.runtime import CompositionError
from mymcp.plugins.mnemosyne.settings import SettingsError
from mymcp.transport.server import configured

COMMAND = "mymcp-dev"
_PACKAGE = Path(__file__).parents[1]


def options_of(arguments: Sequence[str] | None) -> argparse.Namespace:
    """Return the options of a command line; wrong usage ends the process with 2."""
    parser = argparse.ArgumentParser(
        prog=COMMAND, description="Serve at http://127.0.0.1:8000/mcp, reloading on change."
    )
    parser.add_argument(
        "--port", type=port_number, default=DEFAULT_PORT, help="port (default: %(default)s)"
    )
    return parser.parse_args(arguments)


def serve_and_reload(options: argparse.Namespace) -> int:
    """Serve and reload until a signal says stop. Returns the exit code."""
    try:
        build_production_runtime(os.environ, Path.home())  # each worker builds its own; say no here
        listener = listen(DEFAULT_ADDRESS, options.port)
    except (SettingsError, CompositionError) as error:
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
        log_config=LOG_CONFIGURATION,
    )
    with suppress(KeyboardInterrupt):
        ChangeReload(config, target=partial(_work, config), sockets=[listener]).run()
    return 0


def _work(config: uvicorn.Config, sockets: list[socket.socket] | None = None) -> None:
    signal.signal(signal.SIGTERM, end_by_signal)
    uvicorn.Server(config).run(sockets)
