"""`mymcp-dev`: serve, and start anew whenever the source changes."""

from collections.abc import Sequence

from mymcp.cli.interrupts import ended_by_interrupt
from mymcp.cli.process import complete_streams


def main(arguments: Sequence[str] | None = None) -> int:
    """Serve and reload until a signal says stop. Returns the exit code."""
    complete_streams()
    with ended_by_interrupt():
        from mymcp.cli.reloading import options_of, serve_and_reload  # noqa: PLC0415  as `serve`

        options = options_of(arguments)
    return serve_and_reload(options)
