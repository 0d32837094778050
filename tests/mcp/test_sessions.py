from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from itertools import count
from random import Random
from secrets import token_urlsafe

import pytest

from mymcp.authentication.principal import Principal, anonymous, registered
from mymcp.mcp.sessions import (
    ID_BYTES,
    SESSIONS_MAX,
    SESSIONS_OF_ONE_MAX,
    SessionLimits,
    Sessions,
    SessionsFull,
    is_session_id,
)

REVISION = "2025-11-25"
LAPTOP, OTHER = registered("local", "laptop"), registered("local", "other")
EVERYBODY = [registered("local", f"s{n}") for n in range(SESSIONS_MAX)]


class Clock:
    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


def registry(clock: Clock, inactivity: float = 10, lifetime: float = 20) -> Sessions:
    numbers = count()
    return Sessions(SessionLimits(inactivity, lifetime), clock, lambda: f"{next(numbers):043d}")


def is_alive(sessions: Sessions, session_id: str, principal: Principal = LAPTOP) -> bool:
    """Use a session as a request does."""
    found = sessions.find(session_id, principal)
    if found is not None:
        sessions.use(found)
    return found is not None


def test_a_session_is_its_principals_alone(clock: Clock) -> None:
    sessions = registry(clock)
    session = sessions.open(LAPTOP, "2025-06-18")
    assert sessions.find(session.id, LAPTOP) is session
    assert session.revision == "2025-06-18"
    again = registered("local", "laptop")
    assert sessions.find(session.id, again) is session
    for stranger in (OTHER, registered("remote", "laptop"), anonymous()):
        assert sessions.find(session.id, stranger) is None
    assert sessions.find(session.id, LAPTOP) is session


def test_both_limits_are_kept_to_the_instant(clock: Clock) -> None:
    sessions = registry(clock)
    first = sessions.open(LAPTOP, REVISION).id
    clock.now = 10.0
    assert is_alive(sessions, first)
    clock.now = 19.9
    assert is_alive(sessions, first)
    clock.now = 20.0
    assert not is_alive(sessions, first)
    second = sessions.open(LAPTOP, REVISION).id
    clock.now = 30.0001
    assert not is_alive(sessions, second)


@pytest.mark.parametrize(
    ("inactivity", "lifetime", "idle_end", "busy_end"),
    [(10, 0, 11, None), (0, 20, 20, 20), (0, 0, None, None), (10, 20, 11, 20)],
)
def test_a_limit_of_zero_is_none(
    clock: Clock, inactivity: int, lifetime: int, idle_end: int | None, busy_end: int | None
) -> None:
    sessions = registry(clock, inactivity, lifetime)
    idle, busy = sessions.open(LAPTOP, REVISION).id, sessions.open(LAPTOP, REVISION).id
    ends: dict[str, int] = {}
    for second in range(1, 100):
        clock.now = float(second)
        looked_at = (busy, idle) if second in {idle_end, 99} else (busy,)
        for one in looked_at:
            if not is_alive(sessions, one):
                ends.setdefault(one, second)
    assert (ends.get(idle), ends.get(busy)) == (idle_end, busy_end)


def test_a_clock_that_goes_back_revives_nothing(clock: Clock) -> None:
    sessions = registry(clock)
    session = sessions.open(LAPTOP, REVISION).id
    clock.now = 15.0
    assert sessions.find("0" * 42 + "x", LAPTOP) is None
    sessions.open(OTHER, REVISION)
    clock.now = 0.0
    assert not is_alive(sessions, session)
    fresh = sessions.open(LAPTOP, REVISION).id
    assert is_alive(sessions, fresh)


def test_what_was_closed_is_gone_and_closing_again_does_nothing(clock: Clock) -> None:
    sessions = registry(clock)
    kept, closed = sessions.open(LAPTOP, REVISION), sessions.open(LAPTOP, REVISION)
    for _ in range(2):
        sessions.close(closed)
        assert (is_alive(sessions, closed.id), is_alive(sessions, kept.id)) == (False, True)
    assert len(sessions) == 1


def test_the_one_that_rested_longest_makes_room_and_only_its_own(clock: Clock) -> None:
    sessions = registry(clock, 1_000, 0)
    others = sessions.open(OTHER, REVISION).id
    own = [sessions.open(LAPTOP, REVISION).id for _ in range(SESSIONS_OF_ONE_MAX)]
    clock.now = 1.0
    for session_id in (*own[:3], *own[4:]):
        assert is_alive(sessions, session_id)
    newest = sessions.open(LAPTOP, REVISION).id
    assert [one for one in (*own, newest) if not is_alive(sessions, one)] == [own[3]]
    assert is_alive(sessions, others, OTHER)
    assert len(sessions) == SESSIONS_OF_ONE_MAX + 1


def test_sessions_with_open_streams_do_not_make_room(clock: Clock) -> None:
    sessions = registry(clock)
    own = [sessions.open(LAPTOP, REVISION) for _ in range(SESSIONS_OF_ONE_MAX)]
    for session in own:
        sessions.attach(session, list)
    with pytest.raises(SessionsFull):
        sessions.open(LAPTOP, REVISION)
    sessions.detach(own[5], list)
    sessions.open(LAPTOP, REVISION)
    assert [one for one in own if not is_alive(sessions, one.id)] == [own[5]]


def test_when_all_are_taken_there_is_no_more_and_nobody_loses_one(clock: Clock) -> None:
    sessions = registry(clock)
    held = [(sessions.open(one, REVISION).id, one) for one in EVERYBODY]
    with pytest.raises(SessionsFull):
        sessions.open(LAPTOP, REVISION)
    assert all(is_alive(sessions, session_id, one) for session_id, one in held)
    clock.now = 10.5
    assert len(sessions) == SESSIONS_MAX
    assert is_alive(sessions, sessions.open(LAPTOP, REVISION).id)
    assert len(sessions) == 1


def test_one_caller_cannot_lock_out_another(clock: Clock) -> None:
    sessions = registry(clock, 0, 0)
    for _ in range(1_000):
        sessions.open(LAPTOP, REVISION)
    assert len(sessions) == SESSIONS_OF_ONE_MAX
    assert is_alive(sessions, sessions.open(OTHER, REVISION).id, OTHER)


def test_an_open_stream_keeps_its_session_and_ends_with_it(clock: Clock) -> None:
    sessions = registry(clock)
    session = sessions.open(LAPTOP, REVISION)
    ended: list[str] = []

    def end() -> None:
        ended.append("first")

    clock.now = 1.0
    assert sessions.attach(session, end) == 19.0
    clock.now = 15.0
    assert sessions.find(session.id, LAPTOP) is session
    sessions.detach(session, end)
    clock.now = 19.0
    assert is_alive(sessions, session.id)
    sessions.attach(session, end)
    sessions.close(session)
    assert ended == ["first"]
    sessions.detach(session, end)
    assert not is_alive(sessions, session.id)


def test_an_open_stream_does_not_outlive_the_lifetime(clock: Clock) -> None:
    sessions = registry(clock)
    session = sessions.open(LAPTOP, REVISION)
    ended: list[bool] = []
    sessions.attach(session, lambda: ended.append(True))
    clock.now = 20.0
    assert not is_alive(sessions, session.id)
    assert ended == [True]
    assert registry(clock, 10, 0).attach(session, list) is None


def test_an_id_that_is_taken_is_not_given_twice(clock: Clock) -> None:
    given_ids = iter(["a" * 43, "a" * 43, "b" * 43, *["a" * 43] * 8])
    sessions = Sessions(SessionLimits(), clock, lambda: next(given_ids))
    assert sessions.open(LAPTOP, REVISION).id == "a" * 43
    assert sessions.open(LAPTOP, REVISION).id == "b" * 43
    with pytest.raises(SessionsFull):
        sessions.open(LAPTOP, REVISION)
    assert len(sessions) == 2


def test_ids_have_the_form_that_is_asked_for_and_are_in_no_representation(clock: Clock) -> None:
    session_id = token_urlsafe(ID_BYTES)
    assert is_session_id(session_id)
    sessions = Sessions(SessionLimits(), clock, lambda: session_id)
    shown = repr(sessions.open(LAPTOP, REVISION))
    assert session_id not in shown
    assert "laptop" not in shown


def test_what_ends_a_stream_may_ask_the_registry(clock: Clock) -> None:
    sessions = registry(clock)
    session = sessions.open(LAPTOP, REVISION)
    ended: list[bool] = []

    def end() -> None:
        ended.append(sessions.find(session.id, LAPTOP) is None)
        sessions.detach(session, end)

    sessions.attach(session, end)
    sessions.close(session)
    assert ended == [True]


def test_a_stream_of_a_session_that_has_ended_ends_at_once(clock: Clock) -> None:
    sessions = registry(clock)
    session = sessions.open(LAPTOP, REVISION)
    sessions.close(session)
    ended: list[bool] = []
    sessions.attach(session, lambda: ended.append(True))
    assert ended == [True]
    assert len(sessions) == 0


def test_a_session_that_has_run_out_ends_its_streams_when_others_open(clock: Clock) -> None:
    sessions = registry(clock)
    ended: list[bool] = []
    sessions.attach(sessions.open(LAPTOP, REVISION), lambda: ended.append(True))
    clock.now = 20.0
    sessions.open(OTHER, REVISION)
    assert (ended, len(sessions)) == ([True], 1)


def test_ten_thousand_operations_at_once_leave_exact_counts() -> None:
    sessions = Sessions(SessionLimits(0, 0), lambda: 0.0, lambda: token_urlsafe(ID_BYTES))

    def work(number: int) -> int:
        caller = EVERYBODY[number]
        opened = [sessions.open(caller, REVISION) for _ in range(SESSIONS_OF_ONE_MAX // 2)]
        for _ in range(65):
            for session in opened:
                assert sessions.find(session.id, caller) is session
                sessions.use(session)
        for session in opened[1:]:
            sessions.close(session)
        return len(opened)

    with ThreadPoolExecutor(8) as threads:
        opened = list(threads.map(work, range(10)))
    assert (opened, len(sessions)) == ([8] * 10, 10)


def test_threads_that_race_for_room_get_no_more_than_there_is() -> None:
    sessions = Sessions(SessionLimits(0, 0), lambda: 0.0, lambda: token_urlsafe(ID_BYTES))
    callers = EVERYBODY[:12]

    def work(seed: int) -> list[tuple[Principal, str]]:
        """Open, close and look as chance has it; return what was opened."""
        chance, opened = Random(seed), []
        for _ in range(1_250):
            caller = chance.choice(callers)
            if opened and chance.random() < 0.5:
                owner, session_id = chance.choice(opened)
                found = sessions.find(session_id, caller)
                assert found is None or owner == caller
                if found is not None and chance.random() < 0.5:
                    sessions.close(found)
                continue
            with suppress(SessionsFull):
                opened.append((caller, sessions.open(caller, REVISION).id))
        return opened

    with ThreadPoolExecutor(8) as threads:
        opened = [one for some in threads.map(work, range(8)) for one in some]
    alive = Counter(owner for owner, id_ in opened if sessions.find(id_, owner) is not None)
    assert alive.total() == len(sessions) <= SESSIONS_MAX
    assert max(alive.values()) <= SESSIONS_OF_ONE_MAX
    assert len({id_ for _, id_ in opened}) == len(opened)
