"""The host's own tool: which server this is and what it offers."""

from collections.abc import Sequence

from mymcp._generated.tools.list_tools import LIST_TOOLS, ListToolsRequest, ListToolsResult
from mymcp.contract.tool import BoundTool, bind
from mymcp.settings import PRODUCT_NAME, PRODUCT_VERSION


def listing(names: Sequence[str]) -> BoundTool:
    """Return `list_tools` of a server that offers `names`, itself first."""
    offered = [LIST_TOOLS.capability.name, *names]
    result = ListToolsResult.model_validate(
        {"server": {"name": PRODUCT_NAME, "version": PRODUCT_VERSION}, "tools": offered}
    )
    sentence = f"Server: {PRODUCT_NAME} {PRODUCT_VERSION}. Available tools: {', '.join(offered)}"

    def list_tools(_request: ListToolsRequest) -> ListToolsResult:
        return result

    return bind(LIST_TOOLS, list_tools, inline=True, render=lambda _result: sentence)
