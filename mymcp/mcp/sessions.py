"""Sessions of registered principals in the handshake era: who holds one, and until when.

They live in the memory of one server and end with it. A session grants nothing: it says which
revision was agreed on with which caller. Any credential of the same principal may go on with it.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from re import compile as pattern
from threading import Lock
from typing import Final

from mymcp.authentication.principal import Principal

SESSIONS_MAX: Final = 128
SESSIONS_OF_ONE_MAX: Final = 16
ID_BYTES: Final = 32
"""Random bytes of an id, written as 43 characters of base64url."""

_ATTEMPTS: Final = 8

is_session_id = pattern(r"[A-Za-z0-9_-]{43}").fullmatch


class SessionsFull(Exception):
    """There is no room for another session; nothing was changed."""


@dataclass(frozen=True, slots=True)
class SessionLimits:
    """How long a session may rest and how long it may last, in seconds; 0 means for ever."""

    inactivity_seconds: float = 1_800
    lifetime_seconds: float = 28_800


@dataclass(slots=True, eq=False)
class Session:
    """One session. `revision` is what was agreed on; the rest is the registry's matter."""

    id: str = field(repr=False)
    principal: Principal = field(repr=False)
    revision: str
    opened_at: float
    used_at: float
    streams: list[Callable[[], None]] = field(default_factory=list, repr=False)
    """What ends each event stream that is open in it."""


class Sessions:
    """The sessions of one server. Safe to use from any thread.

    Args:
        limits: how long they may live.
        clock: seconds; whenever it goes back, time stands still.
        new_id: gives unguessable ids of the form of `is_session_id`.
    """

    def __init__(
        self, limits: SessionLimits, clock: Callable[[], float], new_id: Callable[[], str]
    ) -> None:
        self._limits = limits
        self._clock = clock
        self._new_id = new_id
        self._now = clock()
        self._held: dict[str, Session] = {}
        self._lock = Lock()

    def __len__(self) -> int:
        """Return how many are held, those included that have run out and were not asked for."""
        return len(self._held)

    def open(self, principal: Principal, revision: str) -> Session:
        """Return a new session. Raises `SessionsFull`.

        Who has as many as one may have loses the one that rested longest and has no open stream.
        """
        with self._lock:
            now = self._time()
            for session in list(self._held.values()):
                if self._has_run_out(session, now):
                    self._end(session)
            self._make_room(principal)
            session = Session(self._free_id(), principal, revision, now, now)
            self._held[session.id] = session
            return session

    def find(self, session_id: str, principal: Principal) -> Session | None:
        """Return the session of this id if it is `principal`'s and has not run out."""
        with self._lock:
            session = self._held.get(session_id)
            if session is None or session.principal != principal:
                return None
            if self._has_run_out(session, self._time()):
                self._end(session)
                return None
            return session

    def use(self, session: Session) -> None:
        """Note that `session` was used now."""
        with self._lock:
            session.used_at = self._time()

    def close(self, session: Session) -> None:
        """End `session`, and every stream that is open in it."""
        with self._lock:
            self._end(session)

    def attach(self, session: Session, end: Callable[[], None]) -> float | None:
        """Keep `session` from resting until `detach`; `end` is called if it ends before.

        Returns the seconds until its lifetime is over, when the caller has to detach; none if it
        may last for ever.
        """
        with self._lock:
            session.streams.append(end)
            lifetime = self._limits.lifetime_seconds
            return session.opened_at + lifetime - self._time() if lifetime else None

    def detach(self, session: Session, end: Callable[[], None]) -> None:
        """Undo `attach`; the session rests from now on."""
        with self._lock:
            if end in session.streams:
                session.streams.remove(end)
            session.used_at = self._time()

    def _time(self) -> float:
        self._now = max(self._now, self._clock())
        return self._now

    def _has_run_out(self, session: Session, now: float) -> bool:
        rest, life = self._limits.inactivity_seconds, self._limits.lifetime_seconds
        if life and now >= session.opened_at + life:
            return True
        return bool(rest) and not session.streams and now - session.used_at > rest

    def _make_room(self, principal: Principal) -> None:
        own = [session for session in self._held.values() if session.principal == principal]
        if len(own) >= SESSIONS_OF_ONE_MAX:
            resting = [session for session in own if not session.streams]
            if not resting:
                raise SessionsFull
            self._end(min(resting, key=lambda session: session.used_at))
        if len(self._held) >= SESSIONS_MAX:
            raise SessionsFull

    def _free_id(self) -> str:
        for _ in range(_ATTEMPTS):
            session_id = self._new_id()
            if session_id not in self._held:
                return session_id
        raise SessionsFull

    def _end(self, session: Session) -> None:
        self._held.pop(session.id, None)
        streams, session.streams = session.streams, []
        for end in streams:
            end()
