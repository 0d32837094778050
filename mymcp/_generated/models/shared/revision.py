"""Generated from contracts/shared/revision.json by nox -s codegen; do not edit."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field, StrictInt
from typing_extensions import TypeAliasType

Revision = TypeAliasType("Revision", Annotated[StrictInt, Field(ge=1)])
