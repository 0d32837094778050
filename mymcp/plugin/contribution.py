"""What an external plugin brings to the host: definitions of tools and functions behind them."""

from collections.abc import Callable, Iterable, Mapping
from copy import deepcopy
from typing import Any

from typing_extensions import override

from mymcp.contract.capability import Consent, Effects
from mymcp.plugin.definition import PluginDefinition, are_consistent
from mymcp.plugin.identity import CapabilityId, is_plugin_id, is_version
from mymcp.plugin.results import ToolResult

Handler = Callable[[Any], ToolResult]
"""Takes the arguments of one call, a dictionary valid under the tool's `inputSchema`.

It is called in a thread, several calls at a time.
"""


class ActivatedTool:
    """One tool, ready to be composed. Immutable.

    Args:
        capability: its identity, as the manifest declares it.
        tool: the MCP definition: `description`, `inputSchema` and what else MCP allows. It is
            copied on its way in and out; its `name` is ignored, for names are the host's matter.
        handler: the function behind it, synchronous.
        effects: what a successful call may do, as the manifest declares it.
        consent: whether a client should ask its user before each call, as the manifest declares it.

    Raises `ValueError` for a value of another type.
    """

    __slots__ = ("_tool", "capability", "consent", "effects", "handler")

    capability: CapabilityId
    handler: Handler
    effects: Effects
    consent: Consent

    def __init__(
        self,
        capability: CapabilityId,
        tool: Mapping[str, object],
        handler: Handler,
        effects: Effects,
        consent: Consent,
    ) -> None:
        if not isinstance(capability, CapabilityId):
            raise ValueError("capability must be a CapabilityId")
        if not isinstance(tool, Mapping):
            raise ValueError("tool must be a mapping")
        if not callable(handler):
            raise ValueError("handler must be callable")
        if not are_consistent(effects, consent):
            raise ValueError("effects and consent must be such, and agree")
        content = {"capability": capability, "handler": handler, "_tool": deepcopy(dict(tool))}
        for name, value in {**content, "effects": effects, "consent": consent}.items():
            object.__setattr__(self, name, value)

    @classmethod
    def declared(
        cls,
        definition: PluginDefinition,
        local_id: str,
        tool: Mapping[str, object],
        handler: Handler,
    ) -> "ActivatedTool":
        """Return the tool `local_id` with the effects and the consent that `definition` declares.

        Raises `ValueError` for an id that is not declared.
        """
        for one in definition.capabilities:
            if one.id == local_id:
                identity = CapabilityId(definition.id, local_id)
                return cls(identity, tool, handler, one.effects, one.consent)
        raise ValueError("the manifest declares no capability of this id")

    @property
    def tool(self) -> dict[str, object]:
        """A copy of the definition."""
        found: dict[str, object] = deepcopy(object.__getattribute__(self, "_tool"))
        return found

    @override
    def __setattr__(self, name: str, _value: object) -> None:
        raise AttributeError(f"{name} cannot be set: an activated tool is immutable")

    @override
    def __repr__(self) -> str:
        return f"ActivatedTool({self.capability.public_name})"


class PluginContribution:
    """The tools that a plugin offers, in the order of its manifest, all or some. Immutable.

    Raises `ValueError` for a value of another type.
    """

    __slots__ = ("plugin_id", "tools", "version")

    plugin_id: str
    version: str
    tools: tuple[ActivatedTool, ...]

    def __init__(self, plugin_id: str, version: str, tools: Iterable[ActivatedTool]) -> None:
        if not is_plugin_id(plugin_id):
            raise ValueError("plugin_id must be lower-case words joined by hyphens")
        if not is_version(version):
            raise ValueError("version must be a semantic version")
        found = tuple(tools)
        if not all(isinstance(one, ActivatedTool) for one in found):
            raise ValueError("tools must be activated tools")
        for name, value in (("plugin_id", plugin_id), ("version", version), ("tools", found)):
            object.__setattr__(self, name, value)

    @override
    def __setattr__(self, name: str, _value: object) -> None:
        raise AttributeError(f"{name} cannot be set: a contribution is immutable")
