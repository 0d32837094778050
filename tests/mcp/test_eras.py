import pytest

from mymcp.mcp.eras import needs_context, negotiated
from mymcp.mcp.messages import ClientResponse, Message, Notification, Request
from mymcp.settings import HANDSHAKE_REVISIONS, NEGOTIABLE_REVISIONS


@pytest.mark.parametrize(
    ("params", "anonymous", "registered"),
    [
        ({"protocolVersion": "2025-11-25"}, "2025-11-25", "2025-11-25"),
        ({"protocolVersion": "2025-06-18"}, "2025-06-18", "2025-06-18"),
        ({"protocolVersion": "2025-03-26"}, "2025-11-25", "2025-03-26"),
        ({"protocolVersion": "2024-11-05"}, "2025-11-25", "2025-11-25"),
        ({"protocolVersion": {}}, "2025-11-25", "2025-11-25"),
        ({}, "2025-11-25", "2025-11-25"),
        (None, "2025-11-25", "2025-11-25"),
    ],
)
def test_initialize_is_answered_with_a_revision_that_is_served(
    params: object, anonymous: str, registered: str
) -> None:
    assert negotiated(params, NEGOTIABLE_REVISIONS) == anonymous
    assert negotiated(params, HANDSHAKE_REVISIONS) == registered


@pytest.mark.parametrize(
    ("message", "needed"),
    [
        (Request(1, "initialize", {}), False),
        (Notification("initialize"), False),
        (Request(1, "ping", {}), True),
        (Notification("notifications/initialized"), True),
        (ClientResponse(), True),
    ],
)
def test_only_the_opening_needs_no_context(message: Message, *, needed: bool) -> None:
    assert needs_context(message) is needed
