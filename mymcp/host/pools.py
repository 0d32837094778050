"""The threads of one server, apart so that no kind of work keeps another waiting."""

from dataclasses import dataclass, field

from mymcp.contract.capability import Effects
from mymcp.host.workers import Workers

CHANGING_THREADS = 4
PARSING_THREADS = 1


@dataclass(frozen=True, slots=True)
class Pools:
    """One pool for each kind of work.

    `reading` is for tools that only read, `changing` for every other: writers wait for each other,
    and while they do a reader must find a thread. `parsing` takes long bodies one after another,
    for a parsed one may need several times its length.
    """

    reading: Workers = field(default_factory=Workers)
    changing: Workers = field(default_factory=lambda: Workers(CHANGING_THREADS))
    parsing: Workers = field(default_factory=lambda: Workers(PARSING_THREADS))

    def of(self, effects: Effects) -> Workers:
        """Return where a tool with these effects runs."""
        return self.reading if effects.read_only else self.changing

    def stop(self) -> None:
        """Let idle threads end; busy ones end after their call, or with the process."""
        for pool in (self.reading, self.changing, self.parsing):
            pool.stop()
