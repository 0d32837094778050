"""What can go wrong in the memory domain. Tools turn each of these into a declared code."""

from mymcp.plugins.mnemosyne.memory.places import Address


class MemoryFault(Exception):
    """Base of everything that the memory domain raises on purpose."""


class SourceUnavailable(MemoryFault):
    """What the caller selected is there but cannot be trusted or read as a whole."""


class CandidateLimitExceeded(MemoryFault):
    """More record files lie in the selection than the store serves, or one more would."""


class NotFound(MemoryFault):
    """No record has this address."""


class AmbiguousReference(MemoryFault):
    """Several version-1 records share this id."""


class InvalidCursor(MemoryFault):
    """A cursor that this process never gave for this selection."""


class StaleCursor(MemoryFault):
    """A cursor of an older state of the selection, or of another process."""


class RevisionConflict(MemoryFault):
    """The record has another revision than the one that was reviewed."""


class NotArchived(MemoryFault):
    """Only an archived record may be forgotten."""


class NoCollection(MemoryFault):
    """A label for the collection of a record that has none."""


class WriteConflict(MemoryFault):
    """The record's file was taken, changed or gone meanwhile; nothing was written."""


class CreationUncertain(MemoryFault):
    """The record at `address` became visible, but the disk did not confirm it."""

    def __init__(self, address: Address) -> None:
        super().__init__("the disk did not confirm a new record")
        self.address = address


class ReplacementUncertain(MemoryFault):
    """The new state of a record became visible, but the disk did not confirm it."""


class DeletionUncertain(MemoryFault):
    """The record is gone from its folder, but the disk did not confirm it."""
