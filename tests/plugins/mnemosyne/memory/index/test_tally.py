from hypothesis import given
from hypothesis import strategies as st

from mymcp.plugins.mnemosyne.memory.index.bits import numbers_of
from mymcp.plugins.mnemosyne.memory.index.tally import Tally

MEMBERS = st.integers(0, (1 << 12) - 1)
ADDED = st.lists(st.tuples(MEMBERS, st.integers(0, 5_000)), max_size=8)


def tallied(added: list[tuple[int, int]]) -> tuple[Tally, list[int]]:
    """Return a tally, and the same numbers one by one."""
    tally, plain = Tally(), [0] * 12
    for members, weight in added:
        tally.add(members, weight)
        for number in numbers_of(members):
            plain[number] += weight
    return tally, plain


@given(ADDED, MEMBERS)
def test_the_highest_are_those_of_the_plain_numbers(
    added: list[tuple[int, int]], among: int
) -> None:
    tally, plain = tallied(added)
    asked = list(numbers_of(among))
    best = max((plain[number] for number in asked), default=0)
    assert list(numbers_of(tally.highest(among))) == [n for n in asked if plain[n] == best]


@given(ADDED, MEMBERS, st.integers(0, 20_000))
def test_those_above_a_bound_are_those_of_the_plain_numbers(
    added: list[tuple[int, int]], among: int, least: int
) -> None:
    tally, plain = tallied(added)
    found = list(numbers_of(tally.at_least(least, among)))
    assert found == [number for number in numbers_of(among) if plain[number] >= least]


@given(ADDED, ADDED, MEMBERS, st.integers(0, 12))
def test_a_tally_can_be_added_to_another(
    added: list[tuple[int, int]], more: list[tuple[int, int]], among: int, factor: int
) -> None:
    (tally, plain), (other, others) = tallied(added), tallied(more)
    tally.add_tally(other, among, factor)
    for number in numbers_of(among):
        plain[number] += others[number] * factor
    for number, exact in enumerate(plain):
        assert tally.at_least(exact, 1 << number)
        assert not tally.at_least(exact + 1, 1 << number)
