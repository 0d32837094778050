"""Names of `_meta` members. MCP 2025-11-25, basic protocol."""

from re import compile as pattern
from typing import Final

_label: Final = r"[A-Za-z](?:[A-Za-z0-9-]*[A-Za-z0-9])?"
_key: Final = pattern(
    rf"(?:{_label}(?:\.{_label})*/)?[A-Za-z0-9](?:[A-Za-z0-9_.-]*[A-Za-z0-9])?"
).fullmatch
_RESERVED: Final = frozenset({"mcp", "modelcontextprotocol"})


def is_meta_key(name: str) -> bool:
    """Tell whether `name` is well-formed and of no prefix that MCP keeps to itself."""
    prefix, slash, _rest = name.partition("/")
    labels = prefix.split(".") if slash else []
    return _key(name) is not None and (len(labels) < 2 or labels[1] not in _RESERVED)
