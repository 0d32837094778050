"""`mymcp check`: what would start, and what is wrong, without serving."""

import argparse
import sys
from collections.abc import Iterator, Sequence
from typing import Final

from mymcp.cli import memory_lines
from mymcp.cli.screen import Line, say, write
from mymcp.cli.setup import SetUp, add_options, checked
from mymcp.cli.usage import Parser

COMMAND: Final = "mymcp check"


def main(arguments: Sequence[str]) -> int:
    """Check the set-up of this user. Returns the exit code."""
    code = say(_lines(SetUp(options_of(arguments))))
    write("ok: this would start\n" if not code else "not ok: see each fault\n", sys.stdout)
    return code


def options_of(arguments: Sequence[str]) -> argparse.Namespace:
    """Return the options of a command line; wrong usage ends the process with 2."""
    parser = Parser(
        prog=COMMAND,
        description="Say what mymcp would serve and what is wrong, without serving. Changes"
        " nothing.",
        epilog="Exit code: 0 nothing is wrong, 1 something is, 78 a mistake in the configuration.",
    )
    add_options(parser)
    return parser.options(arguments)


def _lines(setup: SetUp) -> Iterator[Line]:
    yield from checked(setup)
    if setup.memory is not None:
        yield from memory_lines.of_root(setup.memory)
