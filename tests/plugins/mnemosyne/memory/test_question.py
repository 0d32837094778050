from collections.abc import Callable, Iterable, Mapping

from mymcp.plugins.mnemosyne.memory.likeness import Vocabulary
from mymcp.plugins.mnemosyne.memory.question import DECIDING_MAX_WORDS, Count, ask, settled


def like(words: Iterable[str]) -> Callable[[str], frozenset[str]]:
    """Return what looks for likeness among `words`."""
    vocabulary = Vocabulary(words)
    return lambda word: vocabulary.like(word, lambda _: True)


def most(frequency: Mapping[str, int]) -> Count:
    """Return what counts as if the records of one key had all the others too."""
    return lambda keys: max((frequency.get(key, 0) for key in keys), default=0)


def deciding(query: str, frequency: Mapping[str, int], *languages: str) -> list[str]:
    known = settled(ask(query, languages or ["en"]), most(frequency), like(frequency))
    return [word.text for word in known]


def test_a_word_that_is_asked_twice_is_one() -> None:
    assert [word.text for word in ask("Tea tea TEA té", ["en"])] == ["tea", "té"]


def test_a_word_has_the_stems_of_every_language_there_is() -> None:
    (word,) = ask("Zeiten", ["de", "en"])
    assert word.keys == ("zeiten",)
    assert word.stems == {"~zeit", "zeit", "~zeiten"}


def test_words_that_hold_sentences_together_are_weak() -> None:
    words = ask("Which database should we use? Wann öffnet die Bäckerei?", ["en"])
    telling = [word.text for word in words if not word.is_weak]
    assert telling == ["database", "öffnet", "bäckerei"]


def test_telling_words_decide_the_rarest_first() -> None:
    assert deciding("we use tea with milk", {"tea": 4, "milk": 2, "use": 9}) == ["milk", "tea"]


def test_weak_words_decide_when_nothing_else_leads_anywhere() -> None:
    assert deciding("we use zanzibar", {"use": 9, "we": 3}) == ["we", "use"]
    assert deciding("we use zanzibar", {"use": 9, "zanzibra": 1}) == ["zanzibar"]


def test_a_known_word_is_not_misspelt_and_an_unknown_one_may_be() -> None:
    words = settled(ask("deploys postgers", ["en"]), most({"~deploy": 1}), like(["postgres"]))
    assert [(word.text, word.like) for word in words] == [
        ("postgers", {"postgres"}), ("deploys", frozenset()),
    ]  # fmt: skip


def test_a_compound_of_which_a_part_is_known_is_not_misspelt() -> None:
    assert deciding("config.toml", {"config": 1, "configtoms": 1}) == ["config"]


def test_of_many_words_the_rarest_decide() -> None:
    frequency = {f"word{chr(97 + n)}": 100 - n for n in range(26)} | {
        f"term{chr(97 + n)}": 50 - n for n in range(26)
    }
    found = deciding(" ".join(frequency), frequency)
    assert len(found) == DECIDING_MAX_WORDS
    assert found[0] == "termz"
