"""`mymcp`: serve the tools of this machine to the clients of this machine."""

import sys
from collections.abc import Sequence

from mymcp.cli.interrupts import ended_by_interrupt


def main(arguments: Sequence[str] | None = None) -> int:
    """Serve until a signal says stop, or do what `plugin` asks. Returns the exit code."""
    given = sys.argv[1:] if arguments is None else arguments
    if given[:1] == ["plugin"]:
        return _plugin(given[1:])
    with ended_by_interrupt():
        # Nearly all of the start; the rest of the program is loaded here and not before.
        from mymcp.cli.service import options_of, serve  # noqa: PLC0415

        options = options_of(arguments)
    return serve(options)


def _plugin(arguments: Sequence[str]) -> int:
    with ended_by_interrupt():
        from mymcp.cli.plugin import main as plugin  # noqa: PLC0415  a server needs none of it

        return plugin(arguments)
