import pytest

from mymcp.mcp.eras import context_fault, needs_context, negotiated
from mymcp.mcp.messages import ClientResponse, Message, Notification, Request


@pytest.mark.parametrize(
    ("session", "revision", "fault"),
    [
        (None, "2025-11-25", None),
        (None, "2025-06-18", None),
        (None, "2025-03-26", None),
        (None, "2024-11-05", "unknown_revision"),
        (None, "2026-07-28", "unknown_revision"),
        (None, None, "missing_revision"),
        ("any", None, "unknown_session"),
        ("any", "2025-11-25", "unknown_session"),
    ],
)
def test_a_context_is_one_known_revision_and_no_session(
    session: str | None, revision: str | None, fault: str | None
) -> None:
    assert context_fault(session, revision) == fault


@pytest.mark.parametrize(
    ("params", "answer"),
    [
        ({"protocolVersion": "2025-06-18"}, "2025-06-18"),
        ({"protocolVersion": "2025-03-26"}, "2025-11-25"),
        ({"protocolVersion": {}}, "2025-11-25"),
        ({}, "2025-11-25"),
        (None, "2025-11-25"),
    ],
)
def test_initialize_is_answered_with_a_revision_that_is_served(params: object, answer: str) -> None:
    assert negotiated(params) == answer


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
