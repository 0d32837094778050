"""What one plugin brings to the host."""

from dataclasses import dataclass

from mymcp.contract.tool import BoundTool


@dataclass(frozen=True, slots=True)
class PluginContribution:
    """The tools of one plugin, ready to be called, in their public order.

    A tool whose gate is closed is left out; the host never sees it. `version` is the plugin's own.
    """

    plugin_id: str
    version: str
    tools: tuple[BoundTool, ...]
