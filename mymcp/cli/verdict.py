"""Commands that look at the set-up, say what they find, and end with a verdict."""

import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from mymcp.cli.screen import Line, say, write
from mymcp.cli.setup import SetUp, add_options, checked
from mymcp.cli.usage import Parser
from mymcp.plugins.mnemosyne.settings import Settings


@dataclass(frozen=True, slots=True)
class Inspection:
    """One such command: what its help says, what it says when all is well, how it sees a memory."""

    command: str
    description: str
    all_well: str
    memory: Callable[[Settings], Iterator[Line]]

    def run(self, arguments: Sequence[str]) -> int:
        """Say what is found; return the exit code. Wrong usage ends the process with 2."""
        parser = Parser(
            prog=self.command,
            description=self.description,
            epilog="Exit code: 0 nothing is wrong, 1 something is, 78 a mistake in the"
            " configuration.",
        )
        add_options(parser)
        code = say(self._lines(SetUp(parser.options(arguments))))
        write(f"ok: {self.all_well}\n" if not code else "not ok: see each fault\n", sys.stdout)
        return code

    def _lines(self, setup: SetUp) -> Iterator[Line]:
        yield from checked(setup)
        if setup.memory is not None:
            yield from self.memory(setup.memory)
