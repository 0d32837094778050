"""`memory_forget`. Contract: `contracts/tools/mnemosyne/memory_forget.json`."""

from dataclasses import dataclass, field

from mymcp._generated.tools.memory_forget import (
    MemoryForgetCode,
    MemoryForgetError,
    MemoryForgetRequest,
    MemoryForgetResult,
)
from mymcp.plugins.mnemosyne.memory import faults
from mymcp.plugins.mnemosyne.memory.forgetting import Forgetting
from mymcp.plugins.mnemosyne.tools.changing import CHANGE_CODES
from mymcp.plugins.mnemosyne.tools.reference import address_of

_CODES: dict[type[faults.MemoryFault], MemoryForgetCode] = {
    **CHANGE_CODES,
    faults.NotArchived: "not_archived",
    faults.DeletionUncertain: "deletion_outcome_uncertain",
}


@dataclass(frozen=True, slots=True)
class Forget:
    """Handler of `memory_forget`. It refuses when not `enabled`, even if it was offered."""

    forget: Forgetting
    enabled: bool = field(kw_only=True)

    def __call__(self, request: MemoryForgetRequest, /) -> MemoryForgetResult:
        """Delete the archived memory. Raises `MemoryForgetError`."""
        if not self.enabled:
            raise MemoryForgetError("mutation_disabled")
        try:
            self.forget(address_of(request.reference), request.expected_revision)
        except tuple(_CODES) as fault:
            raise MemoryForgetError(_CODES[type(fault)]) from fault
        return MemoryForgetResult(status="forgotten", reference=request.reference)
