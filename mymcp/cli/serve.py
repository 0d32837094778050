"""`mymcp`: serve the tools of this machine to the clients of this machine."""

from collections.abc import Sequence

from mymcp.cli.interrupts import ended_by_interrupt


def main(arguments: Sequence[str] | None = None) -> int:
    """Serve until a signal says stop. Returns the exit code."""
    with ended_by_interrupt():
        # Nearly all of the start; the rest of the program is loaded here and not before.
        from mymcp.cli.service import options_of, serve  # noqa: PLC0415

        options = options_of(arguments)
    return serve(options)
