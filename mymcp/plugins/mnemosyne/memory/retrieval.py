"""Recall: which active memories of one scope match a query, best first.

Equal scores: the record changed last comes first, then path order.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import reduce
from operator import or_

from mymcp.plugins.mnemosyne.memory.entries import Entry
from mymcp.plugins.mnemosyne.memory.folding import tag_key
from mymcp.plugins.mnemosyne.memory.places import recalled_namespace, scope_container
from mymcp.plugins.mnemosyne.memory.question import Asked, ask, keys_of, settled
from mymcp.plugins.mnemosyne.memory.ranking import How, Question, question_of, score
from mymcp.plugins.mnemosyne.memory.shortlist import Shortlist, shortlist
from mymcp.plugins.mnemosyne.memory.store import MemoryStore
from mymcp.plugins.mnemosyne.memory.view import Search

RESULTS_MAX = 5


@dataclass(frozen=True, slots=True)
class Match:
    """One recalled memory and why: the query words and asked tags that it has, sorted.

    `fuzzy` are those of `words` that match by likeness only; `how` tells how the record matches
    as a whole.
    """

    entry: Entry
    words: tuple[str, ...]
    fuzzy: tuple[str, ...]
    tags: tuple[str, ...]
    how: How
    points: int


@dataclass(frozen=True, slots=True)
class Recollection:
    """The best matches; how many active records match in all, and how many archived ones.

    `skipped_count` is how much of the selection could not be searched.
    """

    matches: tuple[Match, ...]
    total_matches: int
    archived_matches: int
    skipped_count: int


def recall(
    store: MemoryStore,
    *,
    query: str,
    scope: str,
    namespace_id: str | None = None,
    tags: Sequence[str] = (),
) -> Recollection:
    """Return the best matches, at most `RESULTS_MAX`, for `query` and `tags`.

    A namespace narrows the search before ranking and leaves version-1 records out. Raises
    `SourceUnavailable`, `CandidateLimitExceeded`: a partial answer would read as "nothing known".
    """
    if namespace_id is None:
        container = scope_container(scope)
    else:
        container = recalled_namespace(scope, namespace_id)
    wanted_tags = frozenset(tag_key(tag) for tag in tags)
    with store.viewing(container) as view:
        search, archive = view.search(), view.search(archived=True)
        asked = ask(query, search.languages | archive.languages)
        question = _question(search, asked, wanted_tags)
        found = shortlist(question, search.places, search.tagged)
        return Recollection(
            matches=tuple(_match(search, number, question) for number in _best(search, found)),
            total_matches=found.matched.bit_count(),
            archived_matches=_count_archived(archive, asked, wanted_tags),
            skipped_count=view.census.skipped_count,
        )


def _question(search: Search, asked: tuple[Asked, ...], tags: frozenset[str]) -> Question:
    deciding = settled(asked, search.count_any, search.like)
    return question_of(asked, deciding, tags, search.count_any, search.count)


def _best(search: Search, found: Shortlist) -> list[int]:
    """Return the first `RESULTS_MAX` records of the order."""
    best: list[int] = []
    left = found.matched
    while left and len(best) < RESULTS_MAX:
        equal = found.points.highest(left)
        best += search.latest(equal, RESULTS_MAX - len(best))
        left ^= equal
    return best


def _match(search: Search, number: int, question: Question) -> Match:
    """Return record `number` with the reasons why it matches, as scoring it alone tells them."""
    keys = frozenset[str]().union(*(word.keys for word in question.words))
    tags = search.tags_of(number, question.tags)
    scored = score(search.places_of(number, keys), len(tags), question)
    if scored is None:
        raise AssertionError("the shortlist holds a record that does not match")
    return Match(
        entry=search.entry(number),
        words=tuple(sorted({word for word, _ in scored.words})),
        fuzzy=tuple(sorted({word for word, how in scored.words if how == "fuzzy"})),
        tags=tuple(sorted(tags)),
        how=scored.how,
        points=scored.points,
    )


def _count_archived(archive: Search, asked: Sequence[Asked], tags: frozenset[str]) -> int:
    """Return how many records match by telling words as they are or in another form, or by tags."""
    keys = keys_of(word for word in asked if not word.is_weak)
    matched = reduce(or_, map(archive.anywhere, keys), 0)
    return reduce(or_, map(archive.tagged, tags), matched).bit_count()
