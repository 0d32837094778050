"""What a handler returns: an MCP tool result. MCP 2025-11-25, CallToolResult."""

from collections.abc import Mapping

from mymcp.contract.strict_json import encode

ToolResult = Mapping[str, object]
"""`content`, a list of content items, and if you like `structuredContent` and `isError`."""


def text_result(text: str) -> ToolResult:
    """Return a success that is one text."""
    return {"content": [{"type": "text", "text": text}]}


def structured_result(value: Mapping[str, object]) -> ToolResult:
    """Return a success that is `value`, valid under the tool's `outputSchema`.

    Clients that do not read `structuredContent` get the same as JSON text. Raises `ValueError` or
    `TypeError` for what JSON cannot say.
    """
    return {**text_result(encode(dict(value))), "structuredContent": dict(value)}


def error_result(code: str, message: str, **members: object) -> ToolResult:
    """Return a failure that a model can mend: a stable code, and what to do about it.

    `members` join the error object, for example `field="path"`.
    """
    body = encode({"code": code, **members, "message": message})
    return {**text_result(body), "isError": True}
