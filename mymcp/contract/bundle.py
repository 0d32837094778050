"""What a bundled plugin brings to the host: tools that their generated contracts bound already."""

from dataclasses import dataclass

from mymcp.contract.tool import BoundTool


@dataclass(frozen=True, slots=True)
class BundledContribution:
    """The tools of one bundled plugin, ready to be called, in their public order.

    A tool whose gate is closed is left out; the host never sees it. `version` is the plugin's own.
    """

    plugin_id: str
    version: str
    tools: tuple[BoundTool, ...]
