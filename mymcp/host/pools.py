"""The threads of one server, apart so that no kind of work keeps another waiting."""

from dataclasses import dataclass, field

from mymcp.contract.tool import BoundTool
from mymcp.host.workers import Workers

CHANGING_THREADS = 4
PARSING_THREADS = 1
PLUGIN_THREADS = 4
"""What each external plugin has for itself."""


@dataclass(frozen=True, slots=True)
class Pools:
    """One pool for each kind of work.

    `reading` is for tools that only read, `changing` for every other: writers wait for each other,
    and while they do a reader must find a thread. `parsing` takes long bodies one after another,
    for a parsed one may need several times its length. `apart` has the pool of each external plugin
    by its id, so that a slow one fills no other's threads.
    """

    reading: Workers = field(default_factory=Workers)
    changing: Workers = field(default_factory=lambda: Workers(CHANGING_THREADS))
    parsing: Workers = field(default_factory=lambda: Workers(PARSING_THREADS))
    apart: dict[str, Workers] = field(default_factory=dict)

    def of(self, tool: BoundTool) -> Workers:
        """Return where `tool` runs."""
        if tool.apart:
            plugin = tool.capability.plugin
            if plugin not in self.apart:
                self.apart[plugin] = Workers(PLUGIN_THREADS)
            return self.apart[plugin]
        return self.reading if tool.capability.effects.read_only else self.changing

    def stop(self) -> None:
        """Let idle threads end; busy ones end after their call, or with the process."""
        for pool in (self.reading, self.changing, self.parsing, *self.apart.values()):
            pool.stop()
