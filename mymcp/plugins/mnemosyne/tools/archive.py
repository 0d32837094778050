"""`memory_archive`. Contract: `contracts/tools/mnemosyne/memory_archive.json`."""

from dataclasses import dataclass, field

from mymcp._generated.tools.memory_archive import (
    MemoryArchiveError,
    MemoryArchiveRequest,
    MemoryArchiveResult,
)
from mymcp.plugins.mnemosyne.memory.editing import Editing
from mymcp.plugins.mnemosyne.memory.lifecycle import archived
from mymcp.plugins.mnemosyne.tools.changing import EDIT_CODES, lifecycle_of
from mymcp.plugins.mnemosyne.tools.reference import address_of


@dataclass(frozen=True, slots=True)
class Archive:
    """Handler of `memory_archive`. It refuses when not `enabled`, even if it was offered."""

    edit: Editing
    enabled: bool = field(kw_only=True)

    def __call__(self, request: MemoryArchiveRequest, /) -> MemoryArchiveResult:
        """Take the memory out of recall. Raises `MemoryArchiveError`."""
        if not self.enabled:
            raise MemoryArchiveError("mutation_disabled")
        try:
            edited = self.edit(address_of(request.reference), request.expected_revision, archived)
        except tuple(EDIT_CODES) as fault:
            raise MemoryArchiveError(EDIT_CODES[type(fault)]) from fault
        return MemoryArchiveResult(
            status="archived" if edited.was_written else "already_archived",
            reference=request.reference,
            lifecycle=lifecycle_of(edited.record),
        )
