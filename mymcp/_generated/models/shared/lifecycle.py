"""Generated from contracts/shared/lifecycle.json by nox -s codegen; do not edit."""

from __future__ import annotations

from typing import Literal

from typing_extensions import TypeAliasType

from mymcp.contract.model import ContractModel

from .revision import Revision

LifecycleState = TypeAliasType("LifecycleState", Literal["active", "archived"])


class Lifecycle(ContractModel):
    """State and revision."""

    state: LifecycleState
    revision: Revision
