"""Sessions of registered principals in the handshake era: who holds one, and until when.

They live in the memory of one server and end with it. A session grants nothing: it says which
revision was agreed on with which caller. Any credential of the same principal may go on with it.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from re import compile as pattern
from threading import Lock
from typing import Final

from mymcp.authentication.principal import Principal
from mymcp.configuration.settings import SESSION_INACTIVITY_SECONDS, SESSION_LIFETIME_SECONDS
from mymcp.settings import BATCH_REVISION

SESSIONS_MAX: Final = 128
SESSIONS_OF_ONE_MAX: Final = 16
ID_BYTES: Final = 32
"""Random bytes of an id, written as 43 characters of base64url."""

_ATTEMPTS: Final = 8

End = Callable[[], None]

is_session_id = pattern(r"[A-Za-z0-9_-]{43}").fullmatch


class SessionsFull(Exception):
    """There is no room for another session; nobody lost one."""


@dataclass(frozen=True, slots=True)
class SessionLimits:
    """How long a session may rest and how long it may last, in seconds; 0 means for ever.

    `of_one` is how many a principal may have, `in_all` how many there may be.
    """

    inactivity_seconds: float = SESSION_INACTIVITY_SECONDS
    lifetime_seconds: float = SESSION_LIFETIME_SECONDS
    of_one: int = SESSIONS_OF_ONE_MAX
    in_all: int = SESSIONS_MAX


@dataclass(slots=True, eq=False)
class Session:
    """One session. `revision` is what was agreed on; the rest is the registry's matter."""

    id: str = field(repr=False)
    principal: Principal = field(repr=False)
    revision: str
    opened_at: float
    used_at: float
    streams: list[End] = field(default_factory=list, repr=False)
    """What ends each event stream that is open in it."""

    @property
    def takes_batches(self) -> bool:
        """Whether the revision that was agreed on has batches."""
        return self.revision == BATCH_REVISION


class Sessions:
    """The sessions of one server. Safe to use from any thread.

    Args:
        limits: how long they may live, and how many there may be.
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
        streams: list[End] = []
        try:
            with self._lock:
                now = self._time()
                for session in [one for one in self._held.values() if self._has_run_out(one, now)]:
                    streams += self._forget(session)
                opened = Session(self._free_id(), principal, revision, now, now)
                self._make_room(principal)
                self._held[opened.id] = opened
                return opened
        finally:
            _end(streams)

    def find(self, session_id: str, principal: Principal) -> Session | None:
        """Return the session of this id if it is `principal`'s and has not run out."""
        with self._lock:
            now = self._time()
            session = self._held.get(session_id)
            if session is None or session.principal != principal:
                return None
            if not self._has_run_out(session, now):
                return session
            streams = self._forget(session)
        _end(streams)
        return None

    def use(self, session: Session) -> None:
        """Note that `session` was used now."""
        with self._lock:
            session.used_at = self._time()

    def close(self, session: Session) -> None:
        """End `session`, and every stream that is open in it. One that has ended stays so."""
        with self._lock:
            streams = self._forget(session)
        _end(streams)

    def attach(self, session: Session, end: End) -> float | None:
        """Keep `session` from resting until `detach`; `end` is called when it ends before.

        If it has ended, that is at once. `end` is called in the thread that ends the session.
        Returns the seconds until its lifetime is over, when the caller has to detach; none if it
        may last for ever.
        """
        with self._lock:
            is_held = self._held.get(session.id) is session
            if is_held:
                session.streams.append(end)
            lifetime = self._limits.lifetime_seconds
            left = session.opened_at + lifetime - self._time() if lifetime else None
        if not is_held:
            end()
        return left

    def detach(self, session: Session, end: End) -> None:
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
        """See that one more of `principal` has room. Raises `SessionsFull`.

        Never more than one of its own ends, and that one makes the room that is missing.
        """
        own = [session for session in self._held.values() if session.principal == principal]
        if len(own) >= self._limits.of_one:
            resting = [session for session in own if not session.streams]
            if not resting:
                raise SessionsFull
            self._forget(min(resting, key=lambda session: session.used_at))
        elif len(self._held) >= self._limits.in_all:
            raise SessionsFull

    def _free_id(self) -> str:
        for _ in range(_ATTEMPTS):
            session_id = self._new_id()
            if session_id not in self._held:
                return session_id
        raise SessionsFull

    def _forget(self, session: Session) -> list[End]:
        """Drop `session`; return what ends its streams, to be called without the lock."""
        self._held.pop(session.id, None)
        streams, session.streams = session.streams, []
        return streams


def _end(streams: Iterable[End]) -> None:
    for end in streams:
        end()
