"""Generated from contracts/tools/mnemosyne/memory_forget.json by nox -s codegen; do not edit."""

from __future__ import annotations

from typing import Literal

from mymcp.contract.model import ContractModel

from ...shared.reference import CanonicalReference
from ...shared.revision import Revision


class MemoryForgetRequest(ContractModel):
    reference: CanonicalReference
    expected_revision: Revision
    """Revision that was reviewed; the call fails if the record has another by now."""


class MemoryForgetResult(ContractModel):
    status: Literal["forgotten"]
    """What happened."""

    reference: CanonicalReference
