from collections import defaultdict

from hypothesis import given
from hypothesis import strategies as st

from mymcp.plugins.mnemosyne.memory.index.postings import FEW_MAX, Postings

KEYS = st.sets(st.sampled_from("abc"))
RECORDS = st.dictionaries(st.integers(0, 90), KEYS, max_size=60)


def bits_of(numbers: set[int]) -> int:
    return sum(1 << number for number in numbers)


def assert_holds(postings: Postings, records: dict[int, set[str]]) -> None:
    by_key: dict[str, set[int]] = defaultdict(set)
    for number, keys in records.items():
        for key in keys:
            by_key[key].add(number)
    for key in "abc":
        assert postings.bits(key) == bits_of(by_key[key])
        assert (key in postings) == bool(by_key[key])
        assert {n for n in range(99) if postings.has(key, n)} == by_key[key]


@given(RECORDS, st.sets(st.integers(0, 90)))
def test_postings_hold_what_was_added_and_not_removed(
    records: dict[int, set[str]], removed: set[int]
) -> None:
    postings = Postings()
    for number, keys in records.items():
        postings.add(keys, number)
    for number in removed & set(records):
        postings.remove(records.pop(number), number)
    assert_holds(postings, records)


@given(RECORDS, RECORDS)
def test_loading_many_is_the_same_as_adding_each(
    before: dict[int, set[str]], more: dict[int, set[str]]
) -> None:
    postings = Postings()
    for number, keys in before.items():
        postings.add(keys, number)
    postings.load()
    for number in sorted(more):
        postings.add(more[number], number + 100)
    postings.loaded()
    for key in "abc":
        wanted = {n for n, keys in before.items() if key in keys}
        wanted |= {n + 100 for n, keys in more.items() if key in keys}
        assert postings.bits(key) == bits_of(wanted)


def test_keys_that_are_new_or_gone_are_told() -> None:
    postings = Postings()
    assert sorted(postings.add({"a", "b"}, 1)) == ["a", "b"]
    assert postings.add({"a"}, 2) == []
    assert postings.remove({"a", "b"}, 1) == ["b"]
    assert postings.remove({"a"}, 2) == ["a"]


def test_a_key_that_many_had_can_go_back_to_none() -> None:
    postings = Postings()
    for number in range(4 * FEW_MAX):
        postings.add("a", number)
    for number in range(4 * FEW_MAX):
        assert postings.has("a", number)
        postings.remove("a", number)
        assert not postings.has("a", number)
    assert "a" not in postings
