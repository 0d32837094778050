"""In which context a message comes: from whom, and in which session. MCP over HTTP, section 3.

Header values come here as the transport read them: each at most once, trimmed, not empty.
"""

from dataclasses import dataclass
from typing import Literal

from mymcp.authentication.principal import Principal
from mymcp.mcp.sessions import Session, Sessions, is_session_id
from mymcp.settings import BATCH_REVISION, HANDSHAKE_REVISIONS, NEGOTIABLE_REVISIONS

ContextFault = Literal[
    "missing_session",
    "malformed_session",
    "unknown_session",
    "missing_revision",
    "unknown_revision",
    "other_revision",
]


class NoContext(Exception):
    """A message whose context is not valid."""

    def __init__(self, fault: ContextFault) -> None:
        super().__init__(fault)
        self.fault: ContextFault = fault


@dataclass(frozen=True, slots=True)
class CallContext:
    """From whom a message comes, and in which session; the first message comes in none."""

    caller: Principal
    session: Session | None = None

    @property
    def revisions(self) -> frozenset[str]:
        """What an `initialize` of this caller may agree on."""
        return HANDSHAKE_REVISIONS if self.caller.kind == "registered" else NEGOTIABLE_REVISIONS

    @property
    def takes_batches(self) -> bool:
        """Whether the revision that was agreed on has batches."""
        return self.session is not None and self.session.revision == BATCH_REVISION


class Contexts:
    """Judges the contexts of messages after `initialize`.

    `strict`: a message in a session has to say the revision, unless the session agreed on
    2025-03-26, which knows no such header.
    """

    def __init__(self, sessions: Sessions, *, strict: bool = True) -> None:
        self.sessions = sessions
        self._strict = strict

    def of(self, caller: Principal, session_id: str | None, revision: str | None) -> CallContext:
        """Return the context of a message from `caller` with these two headers.

        Using a session keeps it from running out. Raises `NoContext`.
        """
        if caller.kind == "anonymous":
            _check_anonymous(session_id, revision)
            return CallContext(caller)
        session = self._session(caller, session_id, revision)
        self.sessions.use(session)
        return CallContext(caller, session)

    def _session(self, caller: Principal, session_id: str | None, revision: str | None) -> Session:
        if revision is not None and revision not in HANDSHAKE_REVISIONS:
            raise NoContext("unknown_revision")
        if session_id is None:
            raise NoContext("missing_session")
        found = self.sessions.find(session_id, caller) if is_session_id(session_id) else None
        if revision is None and self._strict and not CallContext(caller, found).takes_batches:
            raise NoContext("missing_revision")
        if not is_session_id(session_id):
            raise NoContext("malformed_session")
        if found is None:
            raise NoContext("unknown_session")
        if revision not in {None, found.revision}:
            raise NoContext("other_revision")
        return found


def _check_anonymous(session_id: str | None, revision: str | None) -> None:
    """A caller without credentials has no session, so any session id is unknown."""
    if session_id is not None:
        raise NoContext("unknown_session")
    if revision is None:
        raise NoContext("missing_revision")
    if revision not in HANDSHAKE_REVISIONS:
        raise NoContext("unknown_revision")
