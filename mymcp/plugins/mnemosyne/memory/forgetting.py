"""Forgetting: one archived record is deleted for good."""

from dataclasses import dataclass

from mymcp.plugins.mnemosyne.memory.faults import NotArchived
from mymcp.plugins.mnemosyne.memory.places import Address
from mymcp.plugins.mnemosyne.memory.store import MemoryStore


@dataclass(frozen=True, slots=True)
class Forgetting:
    """The act of forgetting. No trace is kept: no tombstone, copy, hash or history."""

    store: MemoryStore

    def __call__(self, address: Address, revision: int) -> None:
        """Delete the record at `address`, which must be archived and at `revision`.

        Raises what `MemoryStore.changing` and `Change.delete` raise, and `NotArchived`.
        """
        with self.store.changing(address, revision) as change:
            if change.record.state != "archived":
                raise NotArchived
            change.delete()
