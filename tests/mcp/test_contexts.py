from itertools import count

import pytest

from mymcp.authentication.principal import Principal, anonymous, registered
from mymcp.mcp.contexts import CallContext, Contexts, NoContext
from mymcp.mcp.sessions import SessionLimits, Sessions

LAPTOP, OTHER = registered("local", "laptop"), registered("local", "other")
UNKNOWN = "u" * 43


def contexts(*, strict: bool = True) -> Contexts:
    numbers = count()
    sessions = Sessions(SessionLimits(), lambda: 0.0, lambda: f"{next(numbers):043d}")
    return Contexts(sessions, strict=strict)


def fault_of(judge: Contexts, caller: Principal, session: str | None, revision: str | None) -> str:
    try:
        judge.of(caller, session, revision)
    except NoContext as refused:
        return refused.fault
    return "none"


@pytest.mark.parametrize("strict", [True, False])
@pytest.mark.parametrize(
    ("session", "revision", "fault"),
    [
        (None, "2025-11-25", "none"),
        (None, "2025-06-18", "none"),
        (None, "2025-03-26", "none"),
        (None, "2024-11-05", "unknown_revision"),
        (None, "2026-07-28", "unknown_revision"),
        (None, None, "missing_revision"),
        ("any", None, "unknown_session"),
        ("any", "2025-11-25", "unknown_session"),
        (UNKNOWN, "1999", "unknown_session"),
    ],
)
def test_a_context_of_nobody_is_one_known_revision_and_no_session(
    session: str | None, revision: str | None, fault: str, *, strict: bool
) -> None:
    assert fault_of(contexts(strict=strict), anonymous(), session, revision) == fault


HELD = "held"
SESSION_ROWS = [
    # agreed on, session, revision, fault where strict, fault where not
    ("2025-11-25", HELD, "2025-11-25", "none", "none"),
    ("2025-11-25", HELD, "2025-06-18", "other_revision", "other_revision"),
    ("2025-11-25", HELD, "2025-03-26", "other_revision", "other_revision"),
    ("2025-11-25", HELD, "2024-11-05", "unknown_revision", "unknown_revision"),
    ("2025-11-25", HELD, "2026-07-28", "unknown_revision", "unknown_revision"),
    ("2025-11-25", HELD, None, "missing_revision", "none"),
    ("2025-06-18", HELD, "2025-06-18", "none", "none"),
    ("2025-06-18", HELD, "2025-11-25", "other_revision", "other_revision"),
    ("2025-06-18", HELD, None, "missing_revision", "none"),
    ("2025-03-26", HELD, None, "none", "none"),
    ("2025-03-26", HELD, "2025-03-26", "none", "none"),
    ("2025-03-26", HELD, "2025-11-25", "other_revision", "other_revision"),
    ("2025-11-25", None, "2025-11-25", "missing_session", "missing_session"),
    ("2025-11-25", None, None, "missing_session", "missing_session"),
    ("2025-11-25", None, "1999", "unknown_revision", "unknown_revision"),
    ("2025-11-25", UNKNOWN, "2025-11-25", "unknown_session", "unknown_session"),
    ("2025-11-25", UNKNOWN, "2025-03-26", "unknown_session", "unknown_session"),
    ("2025-11-25", UNKNOWN, None, "missing_revision", "unknown_session"),
    ("2025-11-25", "x", "2025-11-25", "malformed_session", "malformed_session"),
    ("2025-11-25", "x" * 42, "2025-11-25", "malformed_session", "malformed_session"),
    ("2025-11-25", "x" * 44, "2025-11-25", "malformed_session", "malformed_session"),
    ("2025-11-25", "+" * 43, "2025-11-25", "malformed_session", "malformed_session"),
    ("2025-11-25", f"{'x' * 42}=", "2025-11-25", "malformed_session", "malformed_session"),
    ("2025-11-25", "x", None, "missing_revision", "malformed_session"),
]


@pytest.mark.parametrize(("agreed", "session", "revision", "strict", "lax"), SESSION_ROWS)
def test_a_context_of_a_registered_caller_is_its_session_and_what_it_agreed_on(
    agreed: str, session: str | None, revision: str | None, strict: str, lax: str
) -> None:
    for is_strict, fault in ((True, strict), (False, lax)):
        judge = contexts(strict=is_strict)
        held = judge.sessions.open(LAPTOP, agreed)
        named = held.id if session == HELD else session
        assert fault_of(judge, LAPTOP, named, revision) == fault


def test_a_session_is_unknown_to_everybody_else_and_not_touched_by_them() -> None:
    judge = contexts()
    held = judge.sessions.open(LAPTOP, "2025-11-25")
    for caller in (OTHER, registered("remote", "laptop"), anonymous()):
        assert fault_of(judge, caller, held.id, "2025-11-25") == "unknown_session"
    assert judge.of(LAPTOP, held.id, "2025-11-25") == CallContext(LAPTOP, held)


def test_only_a_session_of_2025_03_26_takes_batches() -> None:
    judge = contexts()
    for revision in ("2025-11-25", "2025-06-18", "2025-03-26"):
        held = judge.sessions.open(LAPTOP, revision)
        context = judge.of(LAPTOP, held.id, revision)
        assert context.takes_batches is (revision == "2025-03-26")
    assert not CallContext(LAPTOP).takes_batches
    assert not judge.of(anonymous(), None, "2025-03-26").takes_batches
