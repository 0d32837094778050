import pytest
from hypothesis import given
from hypothesis import strategies as st

from mymcp.mcp.journal import LOGGED_MAX_CHARACTERS, escaped


@pytest.mark.parametrize(
    ("value", "word"),
    [
        (7, "7"),
        (-(2**63), "-9223372036854775808"),
        ("tools/call", "tools/call"),
        ("a b=c", "a\\u{20}b\\u{3d}c"),
        ("x\n", "x\\u{a}"),
        ("é", "\\u{e9}"),
        ("\\", "\\u{5c}"),
        ("", ""),
        ("m" * 64, "m" * 64),
        ("m" * 65, "m" * 61 + "..."),
    ],
)
def test_a_word_says_what_it_stands_for(value: int | str, word: str) -> None:
    assert escaped(value) == word


@given(st.text() | st.integers())
def test_any_value_is_one_short_printable_word(value: int | str) -> None:
    word = escaped(value)
    assert len(word) <= LOGGED_MAX_CHARACTERS
    assert word.isascii()
    assert word.isprintable()
    assert " " not in word
    assert "=" not in word
