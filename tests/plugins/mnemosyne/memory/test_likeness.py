from functools import cache

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mymcp.plugins.mnemosyne.memory.likeness import Vocabulary, allowed_changes


@cache
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


@given(st.sets(st.text("abcé", min_size=1, max_size=9), max_size=12), st.text("abcé", max_size=9))
def test_a_vocabulary_finds_what_a_plain_scan_finds(words: set[str], word: str) -> None:
    near = {other: plain_distance(word, other) for other in words if len(other) >= 4}
    least = min(near.values(), default=9)
    wanted = {other for other, changes in near.items() if changes == least}
    if len(word) < 4 or least > allowed_changes(word):
        wanted = set()
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
