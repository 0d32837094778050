from unicodedata import is_normalized, normalize

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mymcp.contract.text import collapsed, composed, lowered, trimmed

NORMALISERS = [trimmed, collapsed, lowered]


@pytest.mark.parametrize("normalise", NORMALISERS)
@given(st.text())
def test_normalising_twice_changes_nothing_more(normalise, text: str) -> None:
    once = normalise(text)
    assert normalise(once) == once


@given(st.text(st.sampled_from("ab \t\r\n\x1c\u00a0\u3000\u0301e\u0958")))
def test_shortcuts_change_no_text(text: str) -> None:
    lines = text.replace("\r\n", "\n").replace("\r", "\n")
    assert trimmed(text) == normalize("NFC", lines).strip()
    assert collapsed(text) == " ".join(normalize("NFC", text).split())


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


marked = st.text(
    st.sampled_from(
        "ae\u0301\u0316\u0323\u0345\u1fbf\uac00\u1100\u1161\u11a8\u0958\u2126 \u00e9\ufb01"
    )
)


@pytest.mark.parametrize("form", ["NFC", "NFKC"])
@given(marked, st.integers(0, 80), st.text(max_size=8))
def test_composing_in_linear_time_gives_what_unicode_says(
    form, text: str, marks: int, tail: str
) -> None:
    long_run = text + "\u0301" * marks + "\u0316\u0345" * marks + tail
    assert composed(long_run, form) == normalize(form, long_run)


def test_a_text_of_marks_costs_time_in_proportion_to_its_length() -> None:
    marks = "a" + "\u0301" * 1_000_000 + "\u0316" * 1_000_000
    for normalise in NORMALISERS:
        assert normalise(marks) == marks
    composed(marks[:1_000_001] + "\u0316" * 100_000, "NFKC")  # hours, were it quadratic


def test_a_text_that_is_too_long_even_when_composed_stays_too_long() -> None:
    raw = "e\u0301" * 8_001
    found = trimmed(raw)
    assert isinstance(found, str)
    assert len(found) > 4_000
