"""`memory_restore`. Contract: `contracts/tools/mnemosyne/memory_restore.json`."""

from dataclasses import dataclass, field

from mymcp._generated.tools.memory_restore import (
    MemoryRestoreError,
    MemoryRestoreRequest,
    MemoryRestoreResult,
)
from mymcp.plugins.mnemosyne.memory.editing import Editing
from mymcp.plugins.mnemosyne.memory.lifecycle import restored
from mymcp.plugins.mnemosyne.tools.changing import EDIT_CODES, lifecycle_of
from mymcp.plugins.mnemosyne.tools.reference import address_of


@dataclass(frozen=True, slots=True)
class Restore:
    """Handler of `memory_restore`. It refuses when not `enabled`, even if it was offered."""

    edit: Editing
    enabled: bool = field(kw_only=True)

    def __call__(self, request: MemoryRestoreRequest, /) -> MemoryRestoreResult:
        """Bring the memory back to recall. Raises `MemoryRestoreError`."""
        if not self.enabled:
            raise MemoryRestoreError("mutation_disabled")
        try:
            edited = self.edit(address_of(request.reference), request.expected_revision, restored)
        except tuple(EDIT_CODES) as fault:
            raise MemoryRestoreError(EDIT_CODES[type(fault)]) from fault
        return MemoryRestoreResult(
            status="restored" if edited.was_written else "already_active",
            reference=request.reference,
            lifecycle=lifecycle_of(edited.record),
        )
