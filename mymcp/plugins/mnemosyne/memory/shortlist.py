"""The shortlist: which records match a question and which score best, without looking at each.

The points of `ranking.score` are sums over words and places, so they are added up for whole sets
of records at once. What comes out is exactly what scoring every record would give.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import reduce
from operator import and_, or_

from mymcp.plugins.mnemosyne.memory.index.tally import Tally
from mymcp.plugins.mnemosyne.memory.index.terms_index import Places
from mymcp.plugins.mnemosyne.memory.ranking import (
    HOW_WEIGHTS,
    PLACE_WEIGHTS,
    Question,
    Weighed,
    part_of,
)
from mymcp.plugins.mnemosyne.memory.terms import PLACES

_WEIGHTS = tuple(PLACE_WEIGHTS[place] for place in PLACES)
_EXACT, _STEMMED, _FUZZY = HOW_WEIGHTS["exact"], HOW_WEIGHTS["stemmed"], HOW_WEIGHTS["fuzzy"]


@dataclass(frozen=True, slots=True)
class Shortlist:
    """The records that match, as a set, and the points of each."""

    matched: int
    points: Tally


def shortlist(
    question: Question, places: Callable[[str], Places], tagged: Callable[[str], int]
) -> Shortlist:
    """Return which records match `question`, and their points.

    `places` gives the records that have a key, place by place, `tagged` those that have a tag;
    both know nothing of records that are not searched.
    """
    matched, points = 0, Tally()
    for word in question.words:
        add = _add_run if word.is_run else _add_word
        matched |= add(points, word, places)
    for tag in question.tags:
        members = tagged(tag)
        points.add(members, question.tag_points)
        matched |= members
    return Shortlist(matched, points)


def _add_word(points: Tally, word: Weighed, places: Callable[[str], Places]) -> int:
    """Add the points of one word, and return the records that have it in any form."""
    exact = places(word.asked.keys[0])
    stemmed = _any_of(map(places, word.asked.stems))
    like = _any_of(map(places, word.asked.like))
    matched = 0
    for weight, as_is, other, near in zip(_WEIGHTS, exact, stemmed, like, strict=True):
        worth = word.worth * weight
        both = as_is | other
        points.add(as_is, _EXACT * worth)
        points.add(both ^ as_is, _STEMMED * worth)
        points.add(near & ~both if near else 0, _FUZZY * worth)
        matched |= both | near
    return matched


def _add_run(points: Tally, word: Weighed, places: Callable[[str], Places]) -> int:
    """Add the points of one run, by how many of its pairs a record has."""
    pairs, counted, there = Tally(), Tally(), []
    for key, rarity in zip(word.asked.keys, word.rarities, strict=True):
        where = places(key)
        there.append(reduce(or_, where))
        counted.add(there[-1], 1)
        for weight, members in zip(_WEIGHTS, where, strict=True):
            pairs.add(members, rarity * weight)
    matched = reduce(or_, there)
    exact = reduce(and_, there)
    part = counted.at_least(part_of(len(there)), matched)
    points.add_tally(pairs, exact, _EXACT)
    points.add_tally(pairs, part & ~exact, _STEMMED)
    points.add_tally(pairs, matched & ~part, _FUZZY)
    return matched


def _any_of(found: Iterable[Places]) -> Places:
    """Return the records that have any of some keys, place by place."""
    together = [0] * len(PLACES)
    for places in found:
        for at, members in enumerate(places):
            together[at] |= members
    return tuple(together)
