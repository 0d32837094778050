"""The rules of the handshake era for callers without a session.

Header values come here as the transport read them: each at most once, trimmed, not empty.
"""

from collections.abc import Mapping
from typing import Literal

from mymcp.mcp.messages import ClientResponse, Message
from mymcp.settings import HANDSHAKE_REVISIONS, NEGOTIABLE_REVISIONS, PROTOCOL_VERSION

OPENING = "initialize"

ContextFault = Literal["unknown_session", "missing_revision", "unknown_revision"]


def negotiated(params: object) -> str:
    """Return the revision that answers an `initialize` with `params`, whatever they are."""
    offered = params.get("protocolVersion") if isinstance(params, Mapping) else None
    if isinstance(offered, str) and offered in NEGOTIABLE_REVISIONS:
        return offered
    return PROTOCOL_VERSION


def needs_context(message: Message) -> bool:
    """Tell whether `message` comes after the handshake: all do but `initialize`."""
    return isinstance(message, ClientResponse) or message.method != OPENING


def context_fault(session: str | None, revision: str | None) -> ContextFault | None:
    """Return why a message after `initialize` has no valid context, or none if it has.

    A caller without credentials has no session, so any session id is unknown.
    """
    if session is not None:
        return "unknown_session"
    if revision is None:
        return "missing_revision"
    return None if revision in HANDSHAKE_REVISIONS else "unknown_revision"
