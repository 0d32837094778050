from concurrent.futures import ThreadPoolExecutor

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mymcp.plugins.mnemosyne.memory.pieces import (
    COUNTED_EVERY,
    PIECE_MAX_CHARACTERS,
    Pieces,
)
from mymcp.plugins.mnemosyne.memory.stems import stem_keys
from mymcp.plugins.mnemosyne.memory.words import keys_of
from tests.plugins.mnemosyne.memory.texts import mixed

SHARED = Pieces()
CRAMPED = Pieces(most=10)
languages = st.sampled_from(["en", "de", "fr", "ru", "sr", "hi", "el", "ar", "tr"])


def made(text: str, language: str) -> set[str]:
    """Return the keys of a text as a whole, nothing remembered."""
    keys, words = keys_of(text)
    return keys | stem_keys(words, language)


@given(mixed, languages)
def test_keys_are_those_of_the_whole_text_whatever_was_read_before(
    text: str, language: str
) -> None:
    expected = made(text, language)
    assert set(SHARED.keys_in(text, language)) == expected
    assert set(SHARED.keys_in(text, language)) == expected
    assert set(CRAMPED.keys_in(text, language)) == expected


@given(mixed, languages)
def test_what_was_forgotten_is_made_again(text: str, language: str) -> None:
    pieces = Pieces()
    before = set(pieces.keys_in(text, language))
    pieces.forget()
    assert len(pieces) == 0
    assert set(pieces.keys_in(text, language)) == before


def test_a_language_does_not_see_the_stems_of_another() -> None:
    pieces = Pieces()
    german, english = (set(pieces.keys_in("häuser", language)) for language in ("de", "en"))
    assert german == made("häuser", "de") != made("häuser", "en") == english


def test_equal_keys_are_one_object() -> None:
    pieces = Pieces(most=1)
    texts = ("Deploys, parse_config", "deploys! (parse_config)", "設定を変更")
    found = [key for text in texts * 2 for key in pieces.keys_in(text, "en")]
    assert len({id(key) for key in found}) == len(set(found))


def test_pieces_are_remembered_up_to_a_bound() -> None:
    pieces = Pieces(most=500)
    held = []
    for number in range(3_000):
        list(pieces.keys_in(f"word{number}", ("en", "de", "fr")[number % 3]))
        held.append(len(pieces))
    assert 500 <= max(held) <= 500 + 3 * COUNTED_EVERY
    assert min(held[500:]) < 500


@pytest.mark.parametrize(
    "text",
    [
        "x" * (PIECE_MAX_CHARACTERS + 1),
        "設定を変更した後の" * 2,
        "caching_serializing_migrating_retries_deploys",
    ],
)
def test_what_hardly_comes_again_is_not_remembered(text: str) -> None:
    pieces = Pieces()
    assert set(pieces.keys_in(text, "en")) == made(text, "en")
    assert len(pieces) == 0


def test_threads_may_share_what_is_remembered() -> None:
    pieces = Pieces(most=50)
    texts = [f"caching größer решение number{n} 設定{n} parse_config{n}" for n in range(200)]
    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(lambda text: set(pieces.keys_in(text, "en")), texts * 4))
    assert found == [made(text, "en") for text in texts] * 4
