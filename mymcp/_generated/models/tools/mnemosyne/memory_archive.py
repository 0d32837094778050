"""Generated from contracts/tools/mnemosyne/memory_archive.json by nox -s codegen; do not edit."""

from __future__ import annotations

from typing import Literal

from mymcp.contract.model import ContractModel

from ...shared.lifecycle import Lifecycle
from ...shared.reference import CanonicalReference
from ...shared.revision import Revision


class MemoryArchiveRequest(ContractModel):
    reference: CanonicalReference
    expected_revision: Revision
    """Revision that was reviewed; the call fails if the record has another by now."""


class MemoryArchiveResult(ContractModel):
    status: Literal["archived", "already_archived"]
    """What happened."""

    reference: CanonicalReference
    lifecycle: Lifecycle
    """State and revision of the record."""
