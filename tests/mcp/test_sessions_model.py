"""The registry of sessions against a model that knows only what happened, and when."""

from collections.abc import Callable
from dataclasses import dataclass
from itertools import count

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    Bundle,
    RuleBasedStateMachine,
    consumes,
    initialize,
    invariant,
    multiple,
    rule,
)

from mymcp.authentication.principal import Principal, anonymous, registered
from mymcp.mcp.sessions import Session, SessionLimits, Sessions, SessionsFull

REVISION = "2025-11-25"
OF_ONE, IN_ALL = 3, 7
CALLERS = [
    registered("local", "a"),
    registered("local", "b"),
    registered("remote", "a"),
    # One field apart from the first each; no method gives these.
    Principal("anonymous", "local", "a", CALLED := registered("local", "a").principal_id),
    Principal("registered", "local", "a", f"{CALLED}x"),
    anonymous(),
]


@dataclass(eq=False)
class Told:
    """What the model knows of one session."""

    session: Session
    owner: Principal
    opened: float
    used: float
    streams: int = 0
    is_over: bool = False


@dataclass(eq=False)
class Stream:
    """One stream, and whether it was told to end."""

    told: Told
    ended: int = 0

    def end(self) -> None:
        self.ended += 1


class Registry(RuleBasedStateMachine):
    """Callers open, use, close and watch sessions while a clock goes its way, sometimes back."""

    sessions_ = Bundle("sessions")
    streams = Bundle("streams")

    @initialize(rest=st.sampled_from([0, 5]), life=st.sampled_from([0, 12]))
    def start(self, rest: int, life: int) -> None:
        self.rest, self.life = rest, life
        self.clock = self.latest = 100.0
        self.told: list[Told] = []
        self.open_streams: list[Stream] = []
        numbers = count()
        self.registry = Sessions(
            SessionLimits(rest, life, OF_ONE, IN_ALL),
            lambda: self.clock,
            lambda: f"{next(numbers):043d}",
        )

    @rule(seconds=st.sampled_from([1.0, 5.0, 5.1, 12.0, -12.0, -50.0]))
    def pause(self, seconds: float) -> None:
        self.clock += seconds

    @rule(target=sessions_, caller=st.sampled_from(CALLERS))
    def open(self, caller: Principal) -> object:
        now = self.see_the_time()
        own = [one for one in self.alive() if one.owner == caller]
        resting = [one for one in own if not one.streams]
        has_room = bool(resting) if len(own) == OF_ONE else len(self.alive()) < IN_ALL
        try:
            session = self.registry.open(caller, REVISION)
        except SessionsFull:
            assert not has_room
            assert len(self.registry) == len(self.alive()), "somebody lost a session"
            return multiple()
        assert has_room
        if len(own) == OF_ONE:
            self.end(min(resting, key=lambda one: one.used))
        told = Told(session, caller, now, now)
        self.told.append(told)
        assert len(self.registry) == len(self.alive()), "sessions that ran out were kept"
        return told

    @rule(told=sessions_)
    def use(self, told: Told) -> None:
        self.try_to_use(told, told.owner)

    @rule(told=sessions_, caller=st.sampled_from(CALLERS))
    def try_to_use(self, told: Told, caller: Principal) -> None:
        now = self.see_the_time()
        found = self.registry.find(told.session.id, caller)
        assert found is (told.session if caller == told.owner and not told.is_over else None)
        if found is not None:
            self.registry.use(found)
            told.used = now

    @rule(told=sessions_)
    def close(self, told: Told) -> None:
        self.see_the_time()
        if self.registry.find(told.session.id, told.owner) is None:
            assert told.is_over
            return
        self.registry.close(told.session)
        self.end(told)

    @rule(target=streams, told=sessions_)
    def watch(self, told: Told) -> object:
        now = self.see_the_time()
        if self.registry.find(told.session.id, told.owner) is None:
            return multiple()
        stream = Stream(told)
        left = self.registry.attach(told.session, stream.end)
        assert left == (told.opened + self.life - now if self.life else None)
        told.streams += 1
        self.open_streams.append(stream)
        return stream

    @rule(stream=consumes(streams))
    def leave(self, stream: Stream) -> None:
        now = self.see_the_time()
        self.registry.detach(stream.told.session, stream.end)
        if not stream.told.is_over:
            stream.told.streams -= 1
            stream.told.used = now
        self.open_streams.remove(stream)

    @invariant()
    def nobody_has_more_than_allowed(self) -> None:
        alive = self.alive()
        assert len(alive) <= len(self.registry) <= IN_ALL
        for caller in CALLERS:
            assert sum(one.owner == caller for one in alive) <= OF_ONE

    @invariant()
    def streams_end_once_and_only_with_their_sessions(self) -> None:
        for stream in self.open_streams:
            assert stream.ended <= stream.told.is_over

    def teardown(self) -> None:
        """Whoever asks for what has ended finds nothing, and what watched it was told."""
        for told in getattr(self, "told", []):
            if told.is_over:
                assert self.registry.find(told.session.id, told.owner) is None
        for stream in getattr(self, "open_streams", []):
            assert stream.ended == stream.told.is_over

    def alive(self) -> list[Told]:
        return [one for one in self.told if not one.is_over]

    def end(self, told: Told) -> None:
        told.is_over, told.streams = True, 0

    def see_the_time(self) -> float:
        """Return the time as the registry sees it; what it has outlived is over for good."""
        self.latest = max(self.latest, self.clock)
        is_over: Callable[[Told], bool] = lambda one: bool(  # noqa: E731  a rule as one reads it
            (self.life and self.latest >= one.opened + self.life)
            or (self.rest and not one.streams and self.latest - one.used > self.rest)
        )
        for one in filter(is_over, self.alive()):
            self.end(one)
        return self.latest


TestRegistry = Registry.TestCase
TestRegistry.settings = settings(max_examples=200, stateful_step_count=40, deadline=None)
