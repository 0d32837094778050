"""Ranking: how well the terms of one record answer a question.

Points of a word: its rarity, times the places where it stands (title 3, ids and tags 2, content
1), times how it matched (exactly 10, by stem 6, by likeness 3). An asked tag that the record has
counts more than the rarest word could in a title. Everything is a whole number, so that equal
matches have equal scores, in whatever order they are added up.

These are functions of the terms of one record and of how many records have a key: where terms and
counts come from, a plain loop or an index, is no matter.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import isqrt, log1p
from typing import Literal

from mymcp.plugins.mnemosyne.memory.question import Asked
from mymcp.plugins.mnemosyne.memory.terms import CONTENT, LABEL, TITLE

How = Literal["exact", "stemmed", "fuzzy"]

TITLE_WEIGHT, LABEL_WEIGHT, CONTENT_WEIGHT, TAG_WEIGHT = 3, 2, 1, 4
HOW_WEIGHTS: dict[How, int] = {"exact": 10, "stemmed": 6, "fuzzy": 3}
RARITY_SCALE = 100
PART_SHARE = 0.4
"""From this share of its pairs on, a run without spaces counts as there in another form."""
COVERED_SHARE = 0.5
"""A record that has less of what the query is worth matches only loosely."""

_PLACES = tuple(
    TITLE_WEIGHT * bool(places & TITLE)
    + LABEL_WEIGHT * bool(places & LABEL)
    + CONTENT_WEIGHT * bool(places & CONTENT)
    for places in range((TITLE | LABEL | CONTENT) + 1)
)


@dataclass(frozen=True, slots=True)
class Weighed:
    """One word, all its keys, the rarity of the word or of each of its pairs, and its worth."""

    asked: Asked
    keys: frozenset[str]
    rarities: tuple[int, ...]
    worth: int


@dataclass(frozen=True, slots=True)
class Question:
    """The deciding words of a query, the asked tags and what a tag counts.

    `worth` is that of the whole query, of its unknown words too.
    """

    words: tuple[Weighed, ...]
    tags: frozenset[str]
    tag_points: int
    worth: int


@dataclass(frozen=True, slots=True)
class Score:
    """Points of a record, how the words that it has matched, and how it matched as a whole."""

    points: int
    words: tuple[tuple[str, How], ...]
    how: How


def rarity(frequency: int, total: int) -> int:
    """Return what a word is worth that `frequency` of `total` records have: 1 at least."""
    frequency = min(frequency, total)
    return max(1, round(RARITY_SCALE * log1p((total - frequency + 0.5) / (frequency + 0.5))))


def question_of(
    asked: Sequence[Asked],
    deciding: Sequence[Asked],
    tags: frozenset[str],
    frequency: Mapping[str, int],
    total: int,
) -> Question:
    """Return what the `deciding` ones of the `asked` words, and the tags, are worth.

    `frequency` tells how many of the `total` records have a key. A word is as frequent as its
    most frequent form, so that its forms differ only by how they match.
    """
    telling = [_weighed(word, frequency, total) for word in asked if not word.is_weak]
    return Question(
        words=tuple(_weighed(word, frequency, total) for word in deciding),
        tags=tags,
        tag_points=TAG_WEIGHT * rarity(1, total) * HOW_WEIGHTS["exact"],
        worth=_worth_by_group((word.asked.group, word.worth) for word in telling),
    )


def score(places: Mapping[str, int], tags: int, question: Question) -> Score | None:
    """Return how well a record answers `question`; none if it does not at all.

    `places` are those of `Terms`, of the keys in question at least; `tags` is how many of the
    asked tags the record has.
    """
    matched = [(word, found) for word in question.words if (found := _match(places, word))]
    if not matched and not tags:
        return None
    words = tuple((word.asked.text, found.how) for word, found in matched)
    covered = _worth_by_group(
        (word.asked.group, found.worth) for word, found in matched if found.how != "fuzzy"
    )
    how: How = "exact"
    if not tags:
        is_part = covered < COVERED_SHARE * question.worth
        how = "fuzzy" if is_part else min((how for _, how in words), key=list(HOW_WEIGHTS).index)
    points = question.tag_points * tags + sum(found.points for _, found in matched)
    return Score(points, words, how)


@dataclass(frozen=True, slots=True)
class _Found:
    how: How
    points: int
    worth: int


def _weighed(word: Asked, frequency: Mapping[str, int], total: int) -> Weighed:
    keys = word.all_keys
    if len(word.keys) > 1:
        # Some pairs lie across two words, so a pair that no record has is nothing rare.
        counts = [max(1, frequency.get(key, 0)) for key in word.keys]
    else:
        counts = [max(frequency.get(key, 0) for key in keys)]
    rarities = tuple(rarity(count, total) for count in counts)
    return Weighed(word, keys, rarities, _worth(rarities, len(rarities)))


def _match(places: Mapping[str, int], word: Weighed) -> _Found | None:
    if word.keys.isdisjoint(places):
        return None
    if len(word.rarities) > 1:
        return _match_run(places, word)
    asked = word.asked
    exact = places.get(asked.keys[0], 0)
    stemmed = _anywhere(places, asked.stems) & ~exact
    like = _anywhere(places, asked.like) & ~exact & ~stemmed
    weight = (
        HOW_WEIGHTS["exact"] * _PLACES[exact]
        + HOW_WEIGHTS["stemmed"] * _PLACES[stemmed]
        + HOW_WEIGHTS["fuzzy"] * _PLACES[like]
    )
    how: How = "exact" if exact else "stemmed" if stemmed else "fuzzy"
    return _Found("fuzzy" if asked.is_weak else how, word.rarities[0] * weight, word.worth)


def _match_run(places: Mapping[str, int], word: Weighed) -> _Found:
    pairs = zip(word.asked.keys, word.rarities, strict=True)
    there = [(rarity, places[key]) for key, rarity in pairs if key in places]
    count = len(word.rarities)
    is_part = len(there) >= PART_SHARE * count
    how: How = "exact" if len(there) == count else "stemmed" if is_part else "fuzzy"
    points = _worth([rarity * _PLACES[where] for rarity, where in there], count)
    return _Found(how, points * HOW_WEIGHTS[how], _worth([rarity for rarity, _ in there], count))


def _worth(rarities: Sequence[int], count: int) -> int:
    """Return the worth of pairs out of `count`: that of a run grows with the root of its length."""
    return sum(rarities) if count == 1 else sum(rarities) * 10 // isqrt(100 * count)


def _worth_by_group(worths: Iterable[tuple[int, int]]) -> int:
    """Return the sum of the best of each group: a compound and its parts are asked for once."""
    best: dict[int, int] = {}
    for group, worth in worths:
        best[group] = max(worth, best.get(group, 0))
    return sum(best.values())


def _anywhere(places: Mapping[str, int], keys: frozenset[str]) -> int:
    where = 0
    for key in keys:
        where |= places.get(key, 0)
    return where
