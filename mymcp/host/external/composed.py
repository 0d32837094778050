"""The external part of a server, once it is put together."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from mymcp.contract.tool import BoundTool

if TYPE_CHECKING:
    from mymcp.schema.publication import Loss


@dataclass(frozen=True, slots=True)
class ComposedTool:
    """One external tool, ready to be called, and what its published schema lost."""

    bound: BoundTool
    losses: "tuple[Loss, ...]"


@dataclass(frozen=True, slots=True)
class ComposedPlugins:
    """Tools in public order, and each plugin with its version."""

    tools: tuple[ComposedTool, ...] = ()
    inventory: tuple[tuple[str, str], ...] = ()
