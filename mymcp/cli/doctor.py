"""`mymcp doctor`: what `mymcp check` says, and the health of every file of the memory."""

import argparse
import sys
from collections.abc import Iterator, Sequence
from typing import Final

from mymcp.cli import memory_lines
from mymcp.cli.screen import Line, say, write
from mymcp.cli.setup import SetUp, add_options, checked
from mymcp.cli.usage import Parser

COMMAND: Final = "mymcp doctor"


def main(arguments: Sequence[str]) -> int:
    """Examine the set-up and the memory of this user. Returns the exit code."""
    code = say(_lines(SetUp(options_of(arguments))))
    write("ok: all is well\n" if not code else "not ok: see each fault\n", sys.stdout)
    return code


def options_of(arguments: Sequence[str]) -> argparse.Namespace:
    """Return the options of a command line; wrong usage ends the process with 2."""
    parser = Parser(
        prog=COMMAND,
        description="Say what mymcp check says, then look through every file of the memory: what"
        " cannot be served and why, who may change it, what should not be in it. Changes nothing,"
        " and may run beside a server.",
        epilog="Exit code: 0 nothing is wrong, 1 something is, 78 a mistake in the configuration.",
    )
    add_options(parser)
    return parser.options(arguments)


def _lines(setup: SetUp) -> Iterator[Line]:
    yield from checked(setup)
    if setup.memory is not None:
        yield from memory_lines.of_whole(setup.memory)
