from unicodedata import is_normalized

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mymcp.contract.text import collapsed, lowered, trimmed

NORMALISERS = [trimmed, collapsed, lowered]


@pytest.mark.parametrize("normalise", NORMALISERS)
@given(st.text())
def test_normalising_twice_changes_nothing_more(normalise, text: str) -> None:
    once = normalise(text)
    assert normalise(once) == once


@given(st.text())
def test_trimmed_text_is_composed_and_has_no_carriage_return(text: str) -> None:
    found = trimmed(text)
    assert isinstance(found, str)
    assert is_normalized("NFC", found)
    assert "\r" not in found
    assert found == found.strip()


@given(st.text())
def test_collapsed_text_has_single_spaces_only(text: str) -> None:
    found = collapsed(text)
    assert isinstance(found, str)
    assert found.split() == [part for part in found.split(" ") if part]


@pytest.mark.parametrize("normalise", NORMALISERS)
@pytest.mark.parametrize("value", [None, True, 1, 1.5, ["a "], {"a": " b "}])
def test_a_value_that_is_no_text_passes_unchanged(normalise, value: object) -> None:
    assert normalise(value) is value


@pytest.mark.parametrize("space", ["\x1c", "\x1d", "\x1e", "\x1f", "\u00a0", "\u3000", "\u2028"])
def test_every_unicode_white_space_is_cut_off(space: str) -> None:
    assert trimmed(f"{space}a{space}") == "a"
    assert collapsed(f"{space}a{space}{space}b{space}") == "a b"


@pytest.mark.parametrize(
    ("normalise", "text", "expected"),
    [
        (trimmed, " a\r\nb\rc ", "a\nb\nc"),
        (trimmed, "e\u0301", "\u00e9"),
        (trimmed, "\u0958", "\u0915\u093c"),
        (trimmed, "\u200b", "\u200b"),
        (collapsed, "  a   b\tc\r\n", "a b c"),
        (lowered, " EN-us ", "en-us"),
        (lowered, "\u212a", "\u212a"),
    ],
)
def test_text_is_normalised_as_the_contract_says(normalise, text: str, expected: str) -> None:
    assert normalise(text) == expected
