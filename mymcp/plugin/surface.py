"""From contributions to the tools that clients see: one name for each, or a refusal."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from re import compile as pattern
from typing import Final

from mymcp.plugin.contribution import ActivatedTool, PluginContribution
from mymcp.plugin.errors import PluginContractError, SurfaceCode
from mymcp.plugin.identity import CapabilityId

HOST_TOOL: Final = "list_tools"
HOST_PREFIX: Final = "mymcp_"

_public_name = pattern(r"[A-Za-z0-9_-]{1,64}").fullmatch


@dataclass(frozen=True, slots=True)
class ToolBinding:
    """The public name that the host gives to a capability. Raises `ValueError` for other types."""

    capability: CapabilityId
    public_name: str

    def __post_init__(self) -> None:
        if not isinstance(self.capability, CapabilityId):
            raise ValueError("capability must be a CapabilityId")
        if not _is_text(self.public_name):
            raise ValueError("public_name must be a text")


@dataclass(frozen=True, slots=True)
class SurfacedTool:
    """One tool and its public name."""

    name: str
    tool: ActivatedTool


def bindings_of(contributions: Iterable[PluginContribution]) -> tuple[ToolBinding, ...]:
    """Return the names of external tools: `<plugin-id>__<tool-id>`, in the order given."""
    return tuple(
        ToolBinding(tool.capability, tool.capability.public_name)
        for contribution in contributions
        for tool in contribution.tools
    )


def compose_tool_surface(
    contributions: Sequence[PluginContribution],
    bindings: Sequence[ToolBinding],
    *,
    taken: Collection[str] = (),
) -> tuple[SurfacedTool, ...]:
    """Return the tools of `contributions` under the names that `bindings` give them, in order.

    `taken` are the names of the other tools of the server. Nothing is ever overwritten, renamed or
    left out. Raises `PluginContractError` with a `SurfaceCode`.
    """
    _check_objects(contributions, bindings)
    _check_contributions(contributions)
    names = _names(contributions, bindings, taken)
    return tuple(
        SurfacedTool(names[tool.capability], tool)
        for contribution in contributions
        for tool in contribution.tools
    )


def _check_objects(contributions: Sequence[object], bindings: Sequence[object]) -> None:
    if not all(isinstance(one, PluginContribution) for one in contributions):
        raise PluginContractError("foreign_object")
    if not all(isinstance(one, ToolBinding) for one in bindings):
        raise PluginContractError("foreign_object")


def _check_contributions(contributions: Sequence[PluginContribution]) -> None:
    _differ([one.plugin_id for one in contributions], "duplicate_plugin")
    for contribution in contributions:
        for tool in contribution.tools:
            if tool.capability.plugin_id != contribution.plugin_id:
                raise PluginContractError("foreign_capability")
        _differ([tool.capability for tool in contribution.tools], "duplicate_capability")


def _names(
    contributions: Sequence[PluginContribution],
    bindings: Sequence[ToolBinding],
    taken: Collection[str],
) -> dict[CapabilityId, str]:
    ids = {tool.capability for one in contributions for tool in one.tools}
    _differ([one.capability for one in bindings], "duplicate_binding")
    if any(one.capability not in ids for one in bindings):
        raise PluginContractError("unknown_binding")
    public = [one.public_name for one in bindings]
    for name in public:
        if name == HOST_TOOL or name.startswith(HOST_PREFIX):
            raise PluginContractError("reserved_tool_name")
        if not _public_name(name):
            raise PluginContractError("invalid_tool_name")
    _differ([*taken, *public], "duplicate_tool_name")
    names = {one.capability: one.public_name for one in bindings}
    if ids - names.keys():
        raise PluginContractError("missing_binding")
    return names


def _differ(values: Sequence[object], code: SurfaceCode) -> None:
    if len(set(values)) != len(values):
        raise PluginContractError(code)


def _is_text(value: object) -> bool:
    return isinstance(value, str) and value != ""
