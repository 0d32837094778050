import pytest
from hypothesis import given
from hypothesis import strategies as st

from mymcp.plugins.mnemosyne.memory.likeness import Vocabulary, allowed_changes, distance

LETTERS = st.text("abc", max_size=7)


def plain_distance(one: str, other: str) -> int:
    """Return the distance as it is defined: by the last characters, again and again."""
    if not one or not other:
        return len(one) + len(other)
    least = min(
        plain_distance(one[:-1], other) + 1,
        plain_distance(one, other[:-1]) + 1,
        plain_distance(one[:-1], other[:-1]) + (one[-1] != other[-1]),
    )
    if one[-2:] == other[-2:][::-1] and len(one) > 1:
        least = min(least, plain_distance(one[:-2], other[:-2]) + 1)
    return least


@given(st.text("ab", max_size=5), st.text("ab", max_size=5), st.integers(0, 5))
def test_distance_is_that_of_the_definition_up_to_the_limit(
    one: str, other: str, limit: int
) -> None:
    exact = plain_distance(one, other)
    found = distance(one, other, limit)
    assert found == exact if exact <= limit else found > limit


@given(LETTERS, LETTERS)
def test_distance_is_the_same_both_ways(one: str, other: str) -> None:
    assert distance(one, other, 9) == distance(other, one, 9)


@given(st.sets(st.text("abcdé", min_size=1, max_size=10), max_size=30), st.text("abcdé"))
def test_a_vocabulary_finds_what_a_plain_scan_finds(words: set[str], word: str) -> None:
    known = {other for other in words if len(other) >= 4}
    near = {other: distance(word, other, 9) for other in known}
    least = min(near.values(), default=9)
    wanted = {other for other, changes in near.items() if changes == least}
    if not 4 <= len(word) <= 40 or not 1 <= least <= allowed_changes(word):
        wanted = set()
    if least:
        assert Vocabulary(words).like(word, lambda _: True) == wanted


@pytest.mark.parametrize(
    ("word", "known", "found"),
    [
        ("postgers", ["postgres", "pastures"], {"postgres"}),
        ("parqeut", ["parquet"], {"parquet"}),
        ("elastcisaerch", ["elasticsearch"], {"elasticsearch"}),
        ("tea", ["ten"], set()),
        ("2024", ["2023"], set()),
        ("v2024", ["v2023"], set()),
        ("lamp", ["lump", "lamb"], {"lump", "lamb"}),
        ("deploy", ["~deploi"], set()),
        ("short", ["shirts"], set()),
    ],
)
def test_small_slips_lead_to_known_words(word: str, known: list[str], found: set[str]) -> None:
    assert Vocabulary(known).like(word, lambda _: True) == found


def test_words_that_are_not_meant_do_not_hide_others_further_away() -> None:
    known = Vocabulary(["migration", "migrating"])
    assert known.like("migratoin", lambda _: True) == {"migration"}
    assert known.like("migratoin", lambda word: word != "migration") == {"migrating"}


def test_a_word_that_is_forgotten_is_known_no_more() -> None:
    known = Vocabulary(["parquet"])
    known.discard("parquet")
    known.discard("parquets")
    assert known.like("parqeut", lambda _: True) == frozenset()
