"""`mymcp plugin`: start a plugin of your own, and check one."""

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Final, get_args

from mymcp.cli.console import complain
from mymcp.cli.exits import EXIT_CONFIGURATION, EXIT_OTHER
from mymcp.cli.inspection import NotFound, check, explanation, found_at, report
from mymcp.cli.scaffold import Unmakeable, make
from mymcp.cli.screen import write
from mymcp.cli.usage import Parser
from mymcp.host.external.failure import ExternalPluginLoadError
from mymcp.host.external.reference import UnsafeSchemas

COMMAND: Final = "mymcp plugin"


def options_of(arguments: Sequence[str]) -> argparse.Namespace:
    """Return the options of a command line; wrong usage ends the process with 2."""
    parser = Parser(prog=COMMAND, description="Write and check plugins.")
    commands = parser.add_subparsers(dest="command", required=True)
    new = commands.add_parser("new", help="write a small working plugin into a new folder")
    new.add_argument("id", help="lower-case words joined by hyphens")
    checking = commands.add_parser(
        "check", help="import a plugin and run every check of a start on it, without serving"
    )
    checking.add_argument("path", type=Path, help="its project, its package or its manifest")
    checking.add_argument("--module", help="its module (default: the package of the manifest)")
    checking.add_argument(
        "--unsafe-schemas",
        choices=get_args(UnsafeSchemas),
        default="rewrite",
        help="what to do with schemas that break some clients (default: %(default)s)",
    )
    return parser.options(arguments)


def main(arguments: Sequence[str]) -> int:
    """Run one command. Returns the exit code."""
    options = options_of(arguments)
    if options.command == "new":
        return _new(options.id)
    return _check(options.path, options.module, options.unsafe_schemas)


def _new(plugin_id: str) -> int:
    try:
        made = make(plugin_id, Path())
    except Unmakeable as error:
        complain(f"{COMMAND} new", str(error))
        return EXIT_OTHER
    _say(
        f"Made {plugin_id}/. Check it, install it where mymcp is installed:",
        "",
        f"    mymcp plugin check {plugin_id}",
        f"    python -m pip install ./{plugin_id}",
        "",
        "Then declare it in the host's configuration and restart mymcp:",
        "",
        "    [[plugins]]",
        f'    id = "{plugin_id}"',
        "    enabled = true",
        f"    manifest_path = {_quoted(str(made.manifest))}",
        f'    module = "{made.module}"',
    )
    return 0


def _check(path: Path, module: str | None, unsafe_schemas: UnsafeSchemas) -> int:
    try:
        plugins = check(found_at(path, module), unsafe_schemas)
    except NotFound as error:
        complain(f"{COMMAND} check", str(error))
        return EXIT_OTHER
    except ExternalPluginLoadError as error:
        complain(f"{COMMAND} check", explanation(error))
        return EXIT_CONFIGURATION
    _say(*report(plugins))
    return 0


def _quoted(text: str) -> str:
    """Return `text` as a TOML string."""
    signs = {'"': '\\"', "\\": "\\\\"}
    shown = "".join(
        signs.get(one, one if one.isprintable() else f"\\u{ord(one):04X}") for one in text
    )
    return f'"{shown}"'


def _say(*lines: str) -> None:
    write("".join(f"{line}\n" for line in lines), sys.stdout)
