"""The two readings of a text, both in ASCII."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mymcp.plugins.mnemosyne.memory.policy.reading import Reading, readings, readings_of


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("plain", ("plain",)),
        ("", ("",)),
        ("caf\u00e9 \u4e2d\u6587", ("caf? ??",)),
        ("a \u2014 b\u00b7c", ("a | b|c",)),
        ("4111\u00a01111", ("4111 1111",)),
        ("pass\u200bword", ("pass?word", "password")),
        ("\u200b", ("?", "")),
        ("\uff50\uff57\uff44\uff1d", ("????", "pwd=")),
        ("\u0661\u06f2\u096b", ("???", "125")),
        ("pa\u017fs", ("pa?s", "pass")),
        ("\U0001d429", ("?", "p")),
        ("\u2469", ("?", "10")),
        ("\ufdfa\ufb03", ("??",)),
        ("e\u0301", ("e|",)),
        ("\ud800", ("|",)),
        ("a\u2028b", ("a b",)),
    ],
)
def test_a_text_is_read_as_it_is_and_folded_where_that_can_differ(
    text: str, expected: tuple[str, ...]
) -> None:
    assert readings(text) == expected


@given(st.text())
def test_readings_are_ascii_and_at_most_twice_as_long(text: str) -> None:
    found = readings(text)
    assert 1 <= len(found) <= 2
    for reading in found:
        assert reading.isascii()
        assert len(reading) <= 2 * len(text)
        assert len(Reading(reading).lowered) == len(reading)


@pytest.mark.parametrize(
    ("text", "numeric"),
    [("4111 \ufb01", [False, True]), ("4111\uff11", [True, True]), ("41\u200b11", [True, True])],
)
def test_numbers_are_sought_twice_only_where_folding_changes_them(
    text: str, numeric: list[bool]
) -> None:
    assert [reading.numeric for reading in readings_of(text)] == numeric


@given(st.text(st.characters(max_codepoint=127)))
def test_ascii_is_read_once_and_as_it_is(text: str) -> None:
    assert readings(text) == (text,)


@given(st.text(min_size=1, max_size=40), st.integers(1, 40))
def test_a_text_is_folded_as_its_characters_are(text: str, times: int) -> None:
    """Few characters, many of them often, many of them once: each has a quick way of its own."""
    text = text.replace("\0", "") * times
    assert readings(text)[-1] == "".join(readings(character)[-1] for character in text)
