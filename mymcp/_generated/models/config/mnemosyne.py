"""Generated from contracts/config/mnemosyne.json by nox -s codegen; do not edit."""

from __future__ import annotations

from pydantic import MISSING, StrictBool

from mymcp.contract.model import ContractModel


class MemorySwitches(ContractModel):
    """Which tools that change the memory are offered."""

    remember_enabled: StrictBool | MISSING = MISSING
    """Offer memory_remember."""

    archive_restore_enabled: StrictBool | MISSING = MISSING
    """Offer memory_archive and memory_restore."""

    forget_enabled: StrictBool | MISSING = MISSING
    """Offer memory_forget."""

    revise_enabled: StrictBool | MISSING = MISSING
    """Offer memory_revise."""


class MnemosyneConfig(ContractModel):
    memory: MemorySwitches | MISSING = MISSING
