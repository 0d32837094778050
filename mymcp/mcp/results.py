"""The result of `tools/call` as JSON text. MCP 2025-11-25, CallToolResult."""

from typing import Final

from mymcp.contract.strict_json import encode
from mymcp.contract.tool import ToolOutcome

CORRELATION_KEY: Final = "local.mymcp/correlation"
"""Where `_meta` carries the id that a contained failure also has in the log.

A reverse domain name that nobody can own; its second label is not one that MCP reserves.
"""


def tool_result(outcome: ToolOutcome) -> str:
    """Return the result of one call, members in fixed order.

    `structured`, `content` and `meta` are spliced in as they are: encoded once, by their makers.
    """
    content = outcome.content
    if content is None:
        content = f'[{{"type":"text","text":{encode(outcome.text)}}}]'
    parts = [f'{{"content":{content}']
    if outcome.structured is not None:
        parts.append(f',"structuredContent":{outcome.structured}')
    if outcome.is_error:
        parts.append(',"isError":true')
    if outcome.correlation is not None:
        parts.append(f',"_meta":{encode({CORRELATION_KEY: outcome.correlation})}')
    elif outcome.meta is not None:
        parts.append(f',"_meta":{outcome.meta}')
    parts.append("}")
    return "".join(parts)
