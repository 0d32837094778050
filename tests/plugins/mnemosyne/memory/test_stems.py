from concurrent.futures import ThreadPoolExecutor
from itertools import product

import pytest

from mymcp.plugins.mnemosyne.memory.folding import plain
from mymcp.plugins.mnemosyne.memory.stems import asked_stem_keys, stem_keys, stemmed_language


@pytest.mark.parametrize(
    ("language", "forms"),
    [
        ("en", ["cached", "caching", "caches"]),
        ("en", ["serialized", "serialization", "serializing"]),
        ("de", ["häuser", "haus"]),
        ("de", ["verträge", "vertrag", "verträgen"]),
        ("fr", ["employés", "employé"]),
        ("fr", ["employés", "employe", "employes"]),
        ("es", ["facturas", "factura"]),
        ("sv", ["målas", "målar", "malar"]),
        ("ru", ["готовый", "готова"]),
        ("hi", ["किताबें", "किताब"]),
        ("el", ["πλοία", "πλοίο"]),
        ("ar", ["الكتاب", "كتاب"]),
    ],
)
def test_any_form_of_a_word_is_found_by_any_other(language: str, forms: list[str]) -> None:
    for asked, written in product(forms, forms):
        keys = stem_keys([written], language) | {plain(written)}
        assert keys & asked_stem_keys(asked, language)


def test_a_word_of_another_script_is_read_as_its_language() -> None:
    assert stem_keys(["готовый"], "en") & stem_keys(["готова"], "uk")
    assert stem_keys(["caching"], "ru") == stem_keys(["cached"], "en")
    assert stem_keys(["нове"], "sr") != stem_keys(["готова"], "sr")


@pytest.mark.parametrize(
    ("language", "read_as"),
    [("pt-br", "pt"), ("nb", "no"), ("en-gb", "en"), ("und", "en"), ("xx", "en"), ("", "en")],
)
def test_a_language_tag_leads_to_a_language_with_stems(language: str, read_as: str) -> None:
    assert stemmed_language(language) == read_as


@pytest.mark.parametrize("word", ["v2", "2026", "x" * 41])
def test_what_is_no_word_of_a_language_has_no_stem(word: str) -> None:
    assert stem_keys([word], "en") == set()


def test_a_word_that_is_its_own_stem_is_found_by_itself() -> None:
    assert stem_keys(["deploy", "deploys"], "en") == {"~deploy"}
    assert stem_keys(["deploy"], "en") == set()
    assert asked_stem_keys("deploy", "en") == {"deploy", "~deploy"}


def test_a_language_without_a_stemmer_keeps_its_words() -> None:
    assert asked_stem_keys("נרות", "en") == {"נרות", "~נרות"}


def test_threads_may_stem_at_once() -> None:
    words = [f"{stem}{ending}" for stem in ("cach", "deploy", "retri") for ending in ("ed", "ing")]
    with ThreadPoolExecutor(8) as pool:
        found = set(pool.map(lambda _: frozenset(stem_keys(words * 50, "en")), range(64)))
    assert found == {frozenset(stem_keys(words, "en"))}
