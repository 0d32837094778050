import pytest
from hypothesis import given
from hypothesis import strategies as st

from mymcp.plugins.mnemosyne.memory.words import WORD_MAX_CHARACTERS, folded, tag_key, words


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("foo_bar-baz", {"foo", "bar", "baz"}),
        ("it's C++ v1.2", {"v1"}),
        ("Straße", {"strasse"}),
        ("STRASSE", {"strasse"}),
        ("at 東京 in café 東京 foo", {"at", "東京", "café", "foo"}),
        ("٤٢", {"٤٢"}),
        ("cafe\u0301", {"café"}),
        ("\ufb01ne \uff26\uff55\uff4c\uff4c", {"fine", "full"}),
        ("हिन्दी में", {"हिन्दी", "में"}),
        ("ไทยที่", {"ไทยที่"}),
        ("the user and why", set()),
        ("a b c", set()),
        ("", set()),
        ("x" * (WORD_MAX_CHARACTERS + 1), set()),
    ],
)
def test_text_falls_into_folded_words(text: str, expected: set[str]) -> None:
    assert words(text) == expected


@given(st.text(max_size=60))
def test_words_are_stable_under_folding(text: str) -> None:
    assert words(folded(text)) == words(text)


@given(st.text(max_size=60))
def test_every_word_is_found_in_the_folded_text(text: str) -> None:
    assert all(word in folded(text) for word in words(text))


@pytest.mark.parametrize(
    ("one", "other"),
    [("red  PANDA ", "Red Panda"), ("ß", "SS"), ("e\u0301", "É"), ("a\u3000b", "A B")],
)
def test_tags_are_equal_when_folded_and_collapsed(one: str, other: str) -> None:
    assert tag_key(one) == tag_key(other)


def test_a_part_of_a_tag_is_another_tag() -> None:
    assert tag_key("red") != tag_key("red panda")
