"""Ctrl-C where Python would answer it with a traceback."""

import signal
from collections.abc import Iterator
from contextlib import contextmanager

EXIT_INTERRUPTED = 130
"""What a shell reports of a program that SIGINT ended."""


@contextmanager
def ended_by_interrupt() -> Iterator[None]:
    """Let Ctrl-C end the process at once and without a word while the block runs.

    For imports: not even a guard round them would catch every interrupt, as Python wraps some in
    other errors. A parent that ignores the signal for us is obeyed.
    """
    before = signal.getsignal(signal.SIGINT)
    if before is signal.default_int_handler:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
