from hypothesis import given
from hypothesis import strategies as st

from mymcp.plugins.mnemosyne.memory.index.bits import BitSet, bits_of, numbers_of

NUMBERS = st.sets(st.integers(0, 700), min_size=1)


def plain(numbers: set[int]) -> int:
    return sum(1 << number for number in numbers)


@given(NUMBERS)
def test_however_a_set_is_made_it_is_the_same_number(numbers: set[int]) -> None:
    one_by_one = BitSet()
    for number in numbers:
        one_by_one.add(number)
    ascending = sorted(numbers)
    assert one_by_one.bits == BitSet.of(ascending).bits == bits_of(ascending) == plain(numbers)


@given(NUMBERS)
def test_numbers_come_back_in_ascending_order(numbers: set[int]) -> None:
    assert list(numbers_of(plain(numbers))) == sorted(numbers)


@given(st.lists(st.tuples(st.booleans(), st.integers(0, 60))))
def test_a_changing_set_holds_what_was_put_in_and_not_taken_out(
    steps: list[tuple[bool, int]],
) -> None:
    changing, wanted = BitSet(), set[int]()
    for is_added, number in steps:
        (changing.add if is_added else changing.discard)(number)
        (wanted.add if is_added else wanted.discard)(number)
        assert changing.bits == plain(wanted)
        assert bool(changing) == bool(wanted)
    assert {number for number in range(70) if number in changing} == wanted
