import pytest
from hypothesis import given
from hypothesis import strategies as st

from mymcp.plugins.mnemosyne.memory.folding import SHAPES, folded, plain, tag_key


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("CAF\u00c9", "cafe"),
        ("cafe\u0301", "cafe"),
        ("Straße", "strasse"),
        ("İzmir", "izmir"),
        ("ILIK ılık", "ilik ilik"),
        ("Łódź", "lodz"),
        ("Ærø", "aero"),
        ("Πλοία", "πλοια"),
        ("ёлка", "елка"),
        ("שָׁלוֹם", "שלום"),
        ("مُحَمَّد", "محمد"),
        ("Tết", "tet"),
        ("\uff21\uff22", "ab"),
    ],
)
def test_letter_case_width_and_accents_do_not_count(text: str, expected: str) -> None:
    assert plain(folded(text)) == expected


@pytest.mark.parametrize(
    ("one", "other"), [("か", "が"), ("ハ", "パ"), ("की", "का"), ("ที่", "ที"), ("각", "가")]
)
def test_marks_that_make_another_letter_stay(one: str, other: str) -> None:
    assert plain(folded(one)) != plain(folded(other))


@given(st.text(max_size=60))
def test_folding_twice_changes_nothing(text: str) -> None:
    once = plain(folded(text))
    assert plain(folded(once)) == once


@given(st.text(max_size=60))
def test_a_shape_is_as_long_as_its_text(text: str) -> None:
    assert len(text.translate(SHAPES)) == len(text)


@pytest.mark.parametrize(
    ("one", "other"),
    [("red  PANDA ", "Red Panda"), ("ß", "SS"), ("e\u0301", "É"), ("a\u3000b", "A B"),
     ("Größe", "grosse")],
)  # fmt: skip
def test_tags_are_equal_when_folded_and_collapsed(one: str, other: str) -> None:
    assert tag_key(one) == tag_key(other)


def test_a_part_of_a_tag_is_another_tag() -> None:
    assert tag_key("red") != tag_key("red panda")


def test_characters_are_forgotten_when_there_are_too_many() -> None:
    text = "".join(map(chr, range(0x20000, 0x20000 + 2 * SHAPES.MAX_CHARACTERS)))  # type: ignore[attr-defined]
    assert set(text.translate(SHAPES)) == {"H"}
    assert len(SHAPES) <= SHAPES.MAX_CHARACTERS  # type: ignore[attr-defined]
