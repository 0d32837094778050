"""`mymcp-dev`: serve, and start anew whenever the source changes."""

import argparse
import os
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

import uvicorn
from uvicorn.supervisors import ChangeReload

from mymcp.cli.address import DEFAULT_ADDRESS, DEFAULT_PORT, PortInUse, listen, port_number
from mymcp.cli.console import LOG_CONFIGURATION, complain
from mymcp.cli.serve import EXIT_CONFIGURATION, EXIT_OTHER
from mymcp.host.production import build_production_runtime
from mymcp.host.runtime import CompositionError
from mymcp.plugins.mnemosyne.settings import SettingsError
from mymcp.transport.server import configured

COMMAND = "mymcp-dev"
_PACKAGE = Path(__file__).parents[1]


def main(arguments: Sequence[str] | None = None) -> int:
    """Serve and reload until a signal says stop. Returns the exit code."""
    parser = argparse.ArgumentParser(
        prog=COMMAND, description="Serve at http://127.0.0.1:8000/mcp, reloading on change."
    )
    parser.add_argument(
        "--port", type=port_number, default=DEFAULT_PORT, help="port (default: %(default)s)"
    )
    port = parser.parse_args(arguments).port
    try:
        build_production_runtime(os.environ, Path.home())  # each worker builds its own; say no here
    except (SettingsError, CompositionError) as error:
        complain(COMMAND, str(error))
        return EXIT_CONFIGURATION
    try:
        listener = listen(DEFAULT_ADDRESS, port)
    except PortInUse as error:
        complain(COMMAND, str(error))
        return EXIT_OTHER
    config = configured(
        "mymcp.app:create_production_app",
        factory=True,
        reload=True,
        reload_dirs=[str(_PACKAGE)],
        log_config=LOG_CONFIGURATION,
    )
    with suppress(KeyboardInterrupt):
        ChangeReload(config, target=uvicorn.Server(config).run, sockets=[listener]).run()
    return 0
