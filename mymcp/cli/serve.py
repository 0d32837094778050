"""`mymcp`: serve the tools of this machine to the clients of this machine."""

import gc
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from importlib import import_module
from typing import Final

from mymcp.cli.interrupts import ended_by_interrupt
from mymcp.cli.process import complete_streams, end_soon

OTHER_COMMANDS: Final[Mapping[str, str]] = {
    "check": "mymcp.cli.check",
    "doctor": "mymcp.cli.doctor",
    "client-config": "mymcp.cli.client_config",
    "plugin": "mymcp.cli.plugin",
    "credential": "mymcp.cli.credential",
}
"""Words after `mymcp` that do something else than serve, and the modules whose `main` does it."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Serve until a signal says stop, or do what the first word asks. Returns the exit code.

    Without `arguments` they are those of the process, which ends soon afterwards.
    """
    if arguments is not None:
        return _command(arguments)
    complete_streams()
    code = _command(sys.argv[1:])
    end_soon(code)
    return code


def _command(given: Sequence[str]) -> int:
    if given and given[0] in OTHER_COMMANDS:
        return _other(OTHER_COMMANDS[given[0]], given[1:])
    with ended_by_interrupt():
        with _uncollected():
            # Nearly all of the start; the rest of the program is loaded here and not before.
            from mymcp.cli.service import options_of, serve  # noqa: PLC0415

        options = options_of(given)
    return serve(options)


@contextmanager
def _uncollected() -> Iterator[None]:
    """Import much: looking for garbage among what stays anyway takes a fifth of the start."""
    gc.disable()
    try:
        yield
    finally:
        gc.freeze()
        gc.enable()


def _other(module: str, arguments: Sequence[str]) -> int:
    with ended_by_interrupt():
        return int(import_module(module).main(arguments))
