from hypothesis import given
from hypothesis import strategies as st

from mymcp.authentication.failures import (
    FAILURES_A_MINUTE,
    SLOW_SECONDS,
    SOURCES_MAX,
    Failures,
)


class Clock:
    now = 1_000.0

    def __call__(self) -> float:
        return self.now


def several(failures: Failures, count: int, source: str = "127.0.0.1") -> list[float]:
    return [failures.seconds_after(source) for _ in range(count)]


def test_the_eleventh_failure_in_a_minute_is_slow_and_so_is_every_further_one() -> None:
    waits = several(Failures(Clock()), FAILURES_A_MINUTE + 5)
    assert waits == [0.0] * FAILURES_A_MINUTE + [SLOW_SECONDS] * 5


def test_after_a_minute_without_failures_the_answer_is_quick_again() -> None:
    clock = Clock()
    failures = Failures(clock)
    several(failures, FAILURES_A_MINUTE)
    clock.now += 59.9
    assert failures.seconds_after("127.0.0.1") == SLOW_SECONDS
    clock.now += 60.0
    assert several(failures, FAILURES_A_MINUTE) == [0.0] * FAILURES_A_MINUTE


def test_ten_failures_in_any_minute_count_not_only_in_those_of_the_clock() -> None:
    clock = Clock()
    failures = Failures(clock)
    waits = []
    for _ in range(40):
        waits.append(failures.seconds_after("127.0.0.1"))
        clock.now += 5.0
    assert waits == [0.0] * FAILURES_A_MINUTE + [SLOW_SECONDS] * 30


def test_addresses_do_not_slow_each_other() -> None:
    failures = Failures(Clock())
    several(failures, 50, "127.0.0.1")
    assert failures.seconds_after("127.0.0.2") == 0.0
    assert failures.seconds_after("::1") == 0.0


def test_a_caller_that_changes_its_address_is_slowed_all_the_same() -> None:
    failures = Failures(Clock())
    waits = [failures.seconds_after(f"127.0.{n >> 8}.{n & 255}") for n in range(5_000)]
    assert waits[: SOURCES_MAX + FAILURES_A_MINUTE] == [0.0] * (SOURCES_MAX + FAILURES_A_MINUTE)
    assert set(waits[SOURCES_MAX + FAILURES_A_MINUTE :]) == {SLOW_SECONDS}


def test_addresses_of_the_last_minute_make_room() -> None:
    clock = Clock()
    failures = Failures(clock)
    for n in range(SOURCES_MAX):
        failures.seconds_after(f"old-{n}")
    clock.now += 60.0
    waits = several(failures, FAILURES_A_MINUTE + 1, "new")
    assert waits == [0.0] * FAILURES_A_MINUTE + [SLOW_SECONDS]
    assert failures.seconds_after("newer") == 0.0


@given(st.lists(st.tuples(st.text(max_size=4), st.floats(0, 1000)), max_size=400))
def test_memory_is_bounded_whatever_comes(events: list[tuple[str, float]]) -> None:
    clock = Clock()
    failures = Failures(clock)
    for source, pause in events:
        clock.now += pause
        assert failures.seconds_after(source) in {0.0, SLOW_SECONDS}
    assert len(failures._times) <= SOURCES_MAX + 1
