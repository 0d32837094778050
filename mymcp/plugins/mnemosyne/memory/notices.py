"""Telling the operator what cannot be served: once for each state of it, and nothing private."""

import logging
from collections.abc import Iterable
from dataclasses import dataclass

from mymcp.plugins.mnemosyne.memory.entries import Path, SkipReason, Stamp

NOTICES_MAX = 20
"""Lines that one call may write about what it skipped; the last one counts the rest."""
TOLD_MAX = 10_000
"""Remembered notices; beyond this they are forgotten and told anew."""

logger = logging.getLogger("mymcp.memory.store")


@dataclass(frozen=True, slots=True)
class Skip:
    """Something in a selection that cannot be served; a file was so at `stamp`."""

    path: Path
    reason: SkipReason
    stamp: Stamp | None = None


class Notices:
    """What one store has told. Threads may share it: a lost race tells something twice."""

    def __init__(self) -> None:
        self._told: set[Skip] = set()

    def tell(self, skips: Iterable[Skip]) -> None:
        """Log what was not told before, without path or content."""
        new = [skip for skip in dict.fromkeys(skips) if skip not in self._told]
        for skip in new[:NOTICES_MAX]:
            logger.warning("skipped scope=%s reason=%s", skip.path[0], skip.reason)
        if len(new) > NOTICES_MAX:
            logger.warning("skipped scope=%s more=%d", new[0].path[0], len(new) - NOTICES_MAX)
        if len(self._told) + len(new) > TOLD_MAX:
            self._told.clear()
        self._told.update(new[:TOLD_MAX])
