"""Editing: one record becomes its next revision, or stays because nothing differs."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime

from mymcp.plugins.mnemosyne.memory.instants import instant_of
from mymcp.plugins.mnemosyne.memory.places import Address
from mymcp.plugins.mnemosyne.memory.records import CanonicalRecord
from mymcp.plugins.mnemosyne.memory.store import MemoryStore
from mymcp.plugins.mnemosyne.memory.temporaries import TOKEN_BYTES

Edit = Callable[[CanonicalRecord], CanonicalRecord]
"""What is wanted of a record; it may change state, labels, title, content and tags."""


@dataclass(frozen=True, slots=True)
class Edited:
    """The record as it is now, and whether this edit made it so."""

    record: CanonicalRecord
    was_written: bool


@dataclass(frozen=True, slots=True)
class Editing:
    """The act of editing. `clock` tells the time, `randomness` gives that many bytes."""

    store: MemoryStore
    clock: Callable[[], datetime]
    randomness: Callable[[int], bytes]

    def __call__(self, address: Address, revision: int, edit: Edit) -> Edited:
        """Apply `edit` to the record at `address`, which must be at `revision`.

        A stale revision conflicts even if nothing would differ. What is current already is not
        written again. Raises what `MemoryStore.changing`, `edit` and `Change.replace` raise.
        """
        with self.store.changing(address, revision) as change:
            desired = edit(change.record)
            if desired == change.record:
                return Edited(change.record, was_written=False)
            instant, token = instant_of(self.clock()), self.randomness(TOKEN_BYTES).hex()
            return Edited(change.replace(desired, instant=instant, token=token), was_written=True)
