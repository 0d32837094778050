"""The opening of the handshake era: `initialize`, and which revision it agrees on."""

from collections.abc import Collection, Mapping

from mymcp.mcp.messages import ClientResponse, Message
from mymcp.settings import PROTOCOL_VERSION

OPENING = "initialize"


def negotiated(params: object, revisions: Collection[str]) -> str:
    """Return which of `revisions` answers an `initialize` with `params`, whatever they are."""
    offered = params.get("protocolVersion") if isinstance(params, Mapping) else None
    if isinstance(offered, str) and offered in revisions:
        return offered
    return PROTOCOL_VERSION


def needs_context(message: Message) -> bool:
    """Tell whether `message` comes after the handshake: all do but `initialize`."""
    return isinstance(message, ClientResponse) or message.method != OPENING
