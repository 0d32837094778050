"""Generated from contracts/shared/scope.json by nox -s codegen; do not edit."""

from __future__ import annotations

from typing import Literal

from typing_extensions import TypeAliasType

Scope = TypeAliasType(
    "Scope",
    Literal["self", "relationship", "preference", "practice", "project", "knowledge", "agent"],
)
