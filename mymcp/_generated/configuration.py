"""Generated from contracts/config by nox -s codegen; do not edit.

One function a format, so that only the models of the formats in use are imported.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from mymcp.contract.reader import Reader

if TYPE_CHECKING:
    from .models.config.mnemosyne import MnemosyneConfig


def mnemosyne() -> Reader[MnemosyneConfig]:
    """Settings of Mnemosyne. Contract: contracts/config/mnemosyne.json."""
    from .models.config.mnemosyne import MnemosyneConfig

    return Reader(MnemosyneConfig)
