"""What each client has to be told: where the server is, and which tools it may call how.

Who may call what follows from contracts and manifests: whatever reads only may be called, whatever
changes something asks each time, and what is unknown is denied where the client can say that.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from mymcp.contract.capability import Capability
from mymcp.contract.strict_json import encode
from mymcp.host.external.preflight import DeclaredTool
from mymcp.settings import PRODUCT_NAME

Files = Mapping[str, dict[str, Any]]
"""Contents by file, as the client names it."""

Tool = Capability | DeclaredTool
"""A tool of ours, or one that the manifest of an external plugin declares."""

_FAMILIAR: Final = tuple(
    f"memory_{name}"
    for name in ("recall", "inspect", "list", "remember", "revise", "archive", "restore", "forget")
)
"""The order of 0.10.1, so that a copy of its file and a new one can be compared."""


@dataclass(frozen=True, slots=True)
class Client:
    """A client: what it is told, and what its user has to know besides."""

    files: Callable[[str, Sequence[Tool]], Files]
    advice: str


def files_for(client: str, url: str, tools: Sequence[Tool]) -> Files:
    """Return what `client`, a key of `CLIENTS`, is told of a server at `url`."""
    return CLIENTS[client].files(url, sorted(tools, key=_place))


def _opencode(url: str, tools: Sequence[Tool]) -> Files:
    # The last rule that matches counts.
    permission = {
        f"{PRODUCT_NAME}_*": "deny",
        **{_prefixed(one): "allow" for one in tools if _reads(one)},
        **{_prefixed(one): "ask" for one in tools if not _reads(one)},
    }
    return {
        "opencode.json": {
            "$schema": "https://opencode.ai/config.json",
            "permission": permission,
            "mcp": {PRODUCT_NAME: {"type": "remote", "url": url, "enabled": True}},
            "agent": {PRODUCT_NAME: {"permission": permission}},
        }
    }


def _claude_code(url: str, tools: Sequence[Tool]) -> Files:
    rules = [(_reads(one), f"mcp__{PRODUCT_NAME}__{one.name}") for one in tools]
    return {
        ".mcp.json": {"mcpServers": {PRODUCT_NAME: {"type": "http", "url": url}}},
        ".claude/settings.json": {
            "permissions": {
                "ask": [rule for reads, rule in rules if not reads],
                "allow": [rule for reads, rule in rules if reads],
            }
        },
    }


def _claude_desktop(url: str, _tools: Sequence[Tool]) -> Files:
    bridge = ["-y", "mcp-remote", url, "--allow-http", "--transport", "http-only"]
    return {
        "claude_desktop_config.json": {
            "mcpServers": {PRODUCT_NAME: {"command": "npx", "args": bridge}}
        }
    }


def _cursor(url: str, tools: Sequence[Tool]) -> Files:
    allow = [f"Mcp({PRODUCT_NAME}:{one.name})" for one in tools if _reads(one)]
    return {
        ".cursor/mcp.json": {"mcpServers": {PRODUCT_NAME: {"url": url}}},
        ".cursor/cli.json": {"permissions": {"allow": allow, "deny": []}},
    }


def _vscode(url: str, _tools: Sequence[Tool]) -> Files:
    return {".vscode/mcp.json": {"servers": {PRODUCT_NAME: {"type": "http", "url": url}}}}


def _llama_cpp(url: str, _tools: Sequence[Tool]) -> Files:
    server = {"id": PRODUCT_NAME, "enabled": True, "url": url, "useProxy": True}
    return {"webui.json": {"mcpServers": encode([server])}}  # its settings hold the list as text


CLIENTS: Final[Mapping[str, Client]] = {
    "opencode": Client(
        _opencode,
        "put it into opencode.json and restart OpenCode; choose `once` for each change, and never"
        " start it with --auto while a gate is on",
    ),
    "claude-code": Client(
        _claude_code,
        "each member is a file of the project; a denial would beat every other rule of Claude"
        " Code, so there is none, and it asks about tools that no rule names",
    ),
    "claude-desktop": Client(
        _claude_desktop,
        "merge it into claude_desktop_config.json and restart; the bridge needs Node.js. The app"
        " asks before each call: never choose to allow a changing tool always",
    ),
    "cursor": Client(
        _cursor,
        "each member is a file of the project, the second for its command line; Cursor asks about"
        " tools that are not allowed: keep automatic running off for them",
    ),
    "vscode": Client(
        _vscode,
        "put it into .vscode/mcp.json; VS Code runs what is marked as reading and asks for the"
        " rest: never approve a changing tool automatically",
    ),
    "llama.cpp": Client(
        _llama_cpp,
        "start llama-server with --webui-config-file FILE --webui-mcp-proxy; it has no rules for"
        " single tools, so leave the gates off unless it asks before each call",
    ),
}
"""All clients, by the word that names them."""


def _reads(tool: Tool) -> bool:
    return tool.effects.read_only and tool.consent == "none"


def _prefixed(tool: Tool) -> str:
    return f"{PRODUCT_NAME}_{tool.name}"


def _place(tool: Tool) -> int:
    """Return the place among others: the host's own first, then as of old, then the rest."""
    if tool.plugin == "host":
        return -1
    return _FAMILIAR.index(tool.name) if tool.name in _FAMILIAR else len(_FAMILIAR)
