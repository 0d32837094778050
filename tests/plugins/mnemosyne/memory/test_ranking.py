from collections.abc import Mapping

import pytest

from mymcp.plugins.mnemosyne.memory.question import Count, ask
from mymcp.plugins.mnemosyne.memory.ranking import How, Score, question_of, rarity, score
from mymcp.plugins.mnemosyne.memory.terms import CONTENT, LABEL, TITLE


def most(frequency: Mapping[str, int]) -> Count:
    """Return what counts as if the records of one key had all the others too."""
    return lambda keys: max((frequency.get(key, 0) for key in keys), default=0)


def scored(
    query: str,
    places: Mapping[str, int],
    *,
    frequency: Mapping[str, int] | None = None,
    tags: int = 0,
) -> Score | None:
    asked = ask(query, ["en"])
    counts = dict.fromkeys(places, 1) if frequency is None else frequency
    question = question_of(asked, asked, frozenset({"asked"}), most(counts), 100)
    return score(places, tags, question)


def points(query: str, places: Mapping[str, int], *, tags: int = 0, common: int = 1) -> int:
    found = scored(query, places, tags=tags, frequency=dict.fromkeys(places, common))
    return 0 if found is None else found.points


def test_places_outweigh_each_other_and_add_up() -> None:
    assert (
        points("tea", {}, tags=1)
        > points("tea", {"tea": TITLE})
        > points("tea", {"tea": LABEL})
        > points("tea", {"tea": CONTENT})
        > 0
    )
    assert points("tea", {"tea": TITLE | LABEL | CONTENT}) == 6 * points("tea", {"tea": CONTENT})


def test_an_asked_tag_outweighs_the_rarest_title() -> None:
    assert points("tea", {}, tags=1, common=99) > points("tea", {"tea": TITLE, "~tea": TITLE})


def test_exact_outweighs_stemmed_outweighs_likeness() -> None:
    exact = points("caching", {"caching": CONTENT, "~cach": CONTENT})
    stemmed = points("caching", {"~cach": CONTENT})
    assert exact > stemmed > 0


def test_rare_outweighs_common() -> None:
    counts = [1, 2, 10, 50, 99, 100]
    worths = [rarity(count, 100) for count in counts]
    assert worths == sorted(worths, reverse=True)
    assert len(set(worths[:-1])) == len(worths) - 1
    assert min(worths) >= 1
    assert rarity(5, 0) >= 1


@pytest.mark.parametrize(
    ("query", "places", "how"),
    [
        ("tea", {"tea": CONTENT}, "exact"),
        ("caching", {"~cach": TITLE}, "stemmed"),
        ("caching tea", {"~cach": TITLE, "tea": CONTENT}, "exact"),
        ("tea zanzibar", {"tea": TITLE}, "fuzzy"),
        ("tea milk zanzibar", {"tea": TITLE, "milk": TITLE}, "exact"),
        ("部署流程", {"部署": CONTENT, "署流": CONTENT, "流程": CONTENT}, "exact"),
        ("部署流程", {"部署": CONTENT, "流程": CONTENT}, "stemmed"),
        ("部署前验证迁移", {"部署": CONTENT}, "fuzzy"),
        ("parse_config", {"parseconfig": CONTENT}, "exact"),
        ("we", {"we": CONTENT}, "fuzzy"),
    ],
)
def test_a_record_tells_how_it_matches(query: str, places: dict[str, int], how: How) -> None:
    found = scored(query, places)
    assert found is not None
    assert found.how == how


def test_a_tag_is_an_exact_match() -> None:
    found = scored("zanzibar", {}, tags=1)
    assert found is not None
    assert (found.how, found.words) == ("exact", ())


def test_what_has_nothing_of_the_question_does_not_match() -> None:
    assert scored("tea", {}) is None


def test_a_whole_run_outweighs_its_parts() -> None:
    whole = points("部署流程", {"部署": CONTENT, "署流": CONTENT, "流程": CONTENT})
    assert whole > points("部署流程", {"部署": CONTENT, "流程": CONTENT}) > 0
