"""`mymcp client-config`: what a client has to be told of this server."""

import argparse
import json
import sys
from collections.abc import Sequence
from typing import Final

from mymcp._generated.registry import CAPABILITIES
from mymcp.app import tools_of_plugins
from mymcp.cli.console import complain
from mymcp.cli.exits import EXIT_CONFIGURATION, EXIT_USAGE
from mymcp.cli.screen import write
from mymcp.cli.setup import add_options, settings_of, url_of
from mymcp.cli.snippets import CLIENTS, Files, Tool, files_for
from mymcp.cli.usage import Parser
from mymcp.configuration.refusal import HostConfigurationError
from mymcp.host.runtime import CompositionError
from mymcp.settings import PRODUCT_NAME

COMMAND: Final = f"{PRODUCT_NAME} client-config"


def main(arguments: Sequence[str]) -> int:
    """Print JSON for one client on stdout, and advice on stderr. Returns the exit code."""
    options = options_of(arguments)
    try:
        settings = settings_of(options)
        tools: list[Tool] = [*CAPABILITIES, *tools_of_plugins(settings)]
    except (HostConfigurationError, CompositionError) as error:
        complain(COMMAND, str(error))
        return EXIT_CONFIGURATION
    files = files_for(options.client, url_of(settings), tools)
    if options.file is not None and options.file not in files:
        complain(COMMAND, f"{options.client} has no such file; it has {', '.join(files)}")
        return EXIT_USAGE
    write(text_of(files, options.file), sys.stdout)
    write(f"{options.client}: {CLIENTS[options.client].advice}\n", sys.stderr)
    return 0


def options_of(arguments: Sequence[str]) -> argparse.Namespace:
    """Return the options of a command line; wrong usage ends the process with 2."""
    parser = Parser(
        prog=COMMAND,
        description="Print what a client has to be told of this server, as JSON: the content of"
        " its file, or of each of its files by name. Changes nothing.",
    )
    parser.add_argument("client", choices=CLIENTS, help="which client")
    parser.add_argument("--file", metavar="NAME", help="the content of this one of its files")
    add_options(parser)
    return parser.options(arguments)


def text_of(files: Files, name: str | None = None) -> str:
    """Return the file called `name`, else the only one, else all of them by name; as JSON text."""
    if name is None and len(files) == 1:
        (name,) = files
    return json.dumps(files if name is None else files[name], indent=2, ensure_ascii=False) + "\n"
