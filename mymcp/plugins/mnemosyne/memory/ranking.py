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

from mymcp.plugins.mnemosyne.memory.question import Asked, Count
from mymcp.plugins.mnemosyne.memory.terms import CONTENT, LABEL, TITLE

How = Literal["exact", "stemmed", "fuzzy"]

TITLE_WEIGHT, LABEL_WEIGHT, CONTENT_WEIGHT, TAG_WEIGHT = 3, 2, 1, 4
HOW_WEIGHTS: dict[How, int] = {"exact": 10, "stemmed": 6, "fuzzy": 3}
RARITY_SCALE = 100
PART_PERCENT = 40
"""From so many of its pairs on, a run without spaces counts as there in another form."""
COVERED_SHARE = 0.5
"""A record that has less of what the query is worth matches only loosely."""

PLACE_WEIGHTS = {TITLE: TITLE_WEIGHT, LABEL: LABEL_WEIGHT, CONTENT: CONTENT_WEIGHT}
_PLACES = tuple(
    sum(weight for place, weight in PLACE_WEIGHTS.items() if places & place)
    for places in range(sum(PLACE_WEIGHTS) + 1)
)


@dataclass(frozen=True, slots=True)
class Weighed:
    """One word, all its keys, and what the word or each of its pairs is worth."""

    asked: Asked
    keys: frozenset[str]
    rarities: tuple[int, ...]

    @property
    def worth(self) -> int:
        """What all of it is worth."""
        return sum(self.rarities)

    @property
    def is_run(self) -> bool:
        """Whether it is cut into pairs, of which a record may have some."""
        return len(self.rarities) > 1


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


def part_of(pairs: int) -> int:
    """Return how many of the `pairs` of a run make it count as there in another form."""
    return -(-pairs * PART_PERCENT // 100)


def question_of(
    asked: Sequence[Asked],
    deciding: Sequence[Asked],
    tags: frozenset[str],
    count: Count,
    total: int,
) -> Question:
    """Return what the `deciding` ones of the `asked` words, and the tags, are worth.

    `count` tells how many of the `total` records have any of some keys. A word is as frequent as
    all its forms together, so that they differ only by how they match.
    """
    telling = [_weighed(word, count, total) for word in asked if not word.is_weak]
    return Question(
        words=tuple(_weighed(word, count, total) for word in deciding),
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


def _weighed(word: Asked, count: Count, total: int) -> Weighed:
    keys, pairs = word.all_keys, len(word.keys)
    if pairs == 1:
        return Weighed(word, keys, (rarity(count(keys), total),))
    # Some pairs lie across two words, so a pair that no record has is nothing rare. The worth of
    # a run grows with the root of its length.
    rarities = (rarity(max(1, count((key,))), total) for key in word.keys)
    return Weighed(word, keys, tuple(max(1, each * 10 // isqrt(100 * pairs)) for each in rarities))


def _match(places: Mapping[str, int], word: Weighed) -> _Found | None:
    if word.keys.isdisjoint(places):
        return None
    if word.is_run:
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
    how: How = "fuzzy"
    if len(there) == count:
        how = "exact"
    elif len(there) >= part_of(count):
        how = "stemmed"
    points = sum(rarity * _PLACES[where] for rarity, where in there)
    return _Found(how, points * HOW_WEIGHTS[how], sum(rarity for rarity, _ in there))


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
