from unicodedata import category

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mymcp.plugins.mnemosyne.memory.words import WORD_MAX_CHARACTERS, keys_of, words_of
from tests.plugins.mnemosyne.memory.texts import mixed


def asked(text: str) -> set[str]:
    return {word.text for word in words_of(text)}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("it's tea, isn't it", {"tea", "isn"}),
        ("Straße", {"strasse"}),
        ("at 東京 in café 東京 foo", {"at", "東京", "café", "foo"}),
        ("٤٢", {"٤٢"}),
        ("cafe\u0301", {"café"}),
        ("\ufb01ne \uff26\uff55\uff4c\uff4c", {"fine", "full"}),
        ("हिन्दी में", {"हिन्दी", "में"}),
        ("ไทยที่", {"ไทยที่"}),
        ("the user and why", set()),
        ("a b c", set()),
        ("", set()),
        ("??? ... -- \u0301", set()),
        ("\u0640\u0640", set()),
        ("x" * (WORD_MAX_CHARACTERS + 1), set()),
        ("Dockerで構築", {"docker", "構築"}),
        ("成語しりとり", {"成語", "しりとり"}),
        ("お茶", {"お茶"}),
        ("食べ物", {"食べ", "べ物"}),
        ("茶", {"茶"}),
    ],
)
def test_text_falls_into_folded_words(text: str, expected: set[str]) -> None:
    assert asked(text) == expected


@pytest.mark.parametrize(
    ("text", "keys"),
    [
        ("parse_config", {"parse", "config", "parseconfig"}),
        ("parseConfig", {"parseconfig", "parse", "config"}),
        ("ParseConfig2", {"parseconfig2", "parse", "config"}),
        ("HTTPServer", {"httpserver", "http", "server"}),
        ("x-request-id", {"request", "id", "xrequestid"}),
        ("src/app/main.py", {"src", "app", "main", "py", "srcappmainpy"}),
        ("Depot::shortest_path", {"depot", "shortest", "path", "depotshortestpath"}),
        ("v2.3.1", {"v2", "v2.3.1"}),
        ("4.2.7", {"4.2.7"}),
        ("427", {"427"}),
        ("CVE-2024-3094", {"cve", "2024", "3094", "cve2024.3094"}),
        ("ATLAS_DB", {"atlas", "db", "atlasdb"}),
        ("grüßeAlle", {"grusseallë".replace("ë", "e"), "grusse", "alle"}),
    ],
)
def test_identifiers_are_split_and_whole(text: str, keys: set[str]) -> None:
    assert keys_of(text)[0] == keys
    assert {key for word in words_of(text) for key in word.keys} == keys
    assert len({word.group for word in words_of(text)}) == 1


def test_compounds_have_no_stems_and_their_parts_do() -> None:
    assert keys_of("cached-responses of 茶道")[1] == {"cached", "responses"}


@pytest.mark.parametrize("text", ["今日は成語しりとりをした", "จัดส่งสินค้า", "훈민정음을", "部署之前"])
def test_pairs_of_neighbours_are_kept_in_scripts_without_spaces(text: str) -> None:
    keys, words = keys_of(text)
    assert words == set()
    starts = [at for at, character in enumerate(text) if category(character)[0] != "M"]
    for start in starts[:-1]:
        assert {key for word in words_of(text[start:]) for key in word.keys} <= keys


@given(st.text(max_size=60))
def test_what_a_text_has_is_found_by_the_same_text(text: str) -> None:
    assert {key for word in words_of(text) for key in word.keys} <= keys_of(text)[0]


@given(st.text(max_size=60), st.text(max_size=60))
def test_words_do_not_depend_on_what_stands_beside_them(one: str, other: str) -> None:
    keys = {key for word in words_of(f"{one} {other}") for key in word.keys}
    assert keys == {key for text in (one, other) for word in words_of(text) for key in word.keys}


@given(st.text(st.characters(codec="ascii"), max_size=60))
def test_ascii_is_read_as_other_text_is(text: str) -> None:
    keys, words = keys_of(text)
    beside = keys_of(text + " é")
    assert beside == (keys, words)


@given(mixed)
def test_common_characters_are_read_as_others_are(text: str) -> None:
    assert keys_of(text + " é") == keys_of(text)


@pytest.mark.parametrize(
    ("first", "last"), [(0x3041, 0x30FF), (0x3005, 0x3005), (0x4E00, 0x9FFF), (0xAC00, 0xD7A3)]
)
def test_every_common_character_is_its_own_plain_form(first: int, last: int) -> None:
    text = "".join(map(chr, range(first, last + 1))) * 2
    assert keys_of(text) == keys_of(text + " é")


@pytest.mark.parametrize("text", ["A" * 4_000 + "a", "a-" * 2_000, "aB" * 2_000, "あ漢" * 2_000])
def test_long_texts_are_read(text: str) -> None:
    assert all(len(word.text) <= WORD_MAX_CHARACTERS for word in words_of(text))
    keys_of(text)
