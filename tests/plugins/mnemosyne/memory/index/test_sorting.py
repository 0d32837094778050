from hypothesis import given
from hypothesis import strategies as st

from mymcp.plugins.mnemosyne.memory.index.sorting import SortedList

ITEMS = st.tuples(st.sampled_from("abc"), st.integers(0, 4))


@given(st.lists(st.tuples(st.booleans(), ITEMS)), st.booleans())
def test_a_list_holds_what_was_added_and_not_removed_in_order(
    steps: list[tuple[bool, tuple[str, int]]], loading: bool
) -> None:
    sorting, wanted = SortedList[tuple[str, int]](), set[tuple[str, int]]()
    for number, (is_added, item) in enumerate(steps):
        if loading and number == 3:
            sorting.load()
        if is_added and item not in wanted:
            sorting.add(item)
            wanted.add(item)
        elif not is_added and item in wanted:
            sorting.remove(item)
            wanted.remove(item)
    sorting.loaded()
    assert sorting.items == sorted(wanted)


def test_the_beginning_of_an_item_comes_before_it() -> None:
    sorting = SortedList[tuple[str, int]]()
    for item in (("b", 1), ("a", 2), ("b", 0)):
        sorting.add(item)
    assert [sorting.position(start) for start in (("a",), ("b",), ("b", 1), ("c",))] == [0, 1, 2, 3]
