"""Recall: which active memories of one scope match a query, best first.

A query word counts 3 in the title, 2 in the ids and tags, 1 in the content; an asked tag that
the record has counts 4. Equal scores: the record changed last comes first, then path order.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from heapq import nlargest

from mymcp.plugins.mnemosyne.memory.places import recalled_namespace, scope_container
from mymcp.plugins.mnemosyne.memory.readings import Entry
from mymcp.plugins.mnemosyne.memory.records import CanonicalRecord, LegacyRecord
from mymcp.plugins.mnemosyne.memory.store import MemoryStore
from mymcp.plugins.mnemosyne.memory.terms import Terms
from mymcp.plugins.mnemosyne.memory.words import tag_key, words

RESULTS_MAX = 5
TITLE_WEIGHT = 3
LABEL_WEIGHT = 2
CONTENT_WEIGHT = 1
TAG_WEIGHT = 4


@dataclass(frozen=True, slots=True)
class Match:
    """One recalled memory and why: the query words and asked tags that it has, sorted."""

    entry: Entry
    words: tuple[str, ...]
    tags: tuple[str, ...]
    score: int


def recall(
    store: MemoryStore,
    *,
    query: str,
    scope: str,
    namespace_id: str | None = None,
    tags: Sequence[str] = (),
) -> list[Match]:
    """Return the best matches, at most `RESULTS_MAX`, for `query` and `tags`.

    A namespace narrows the search before ranking and leaves version-1 records out. Raises
    `SourceUnavailable`, `CandidateLimitExceeded`: a partial answer would read as "nothing known".
    """
    if namespace_id is None:
        container = scope_container(scope)
    else:
        container = recalled_namespace(scope, namespace_id)
    asked, asked_tags = words(query), frozenset(tag_key(tag) for tag in tags)
    scored = [
        (score, entry)
        for entry in store.survey(container).entries
        if _is_searched(entry, namespace_id) and (score := _score(entry.terms, asked, asked_tags))
    ]
    return [_match(entry, score, asked, asked_tags) for score, entry in _best(scored)]


def _best(scored: list[tuple[int, Entry]]) -> list[tuple[int, Entry]]:
    """Return the first `RESULTS_MAX` of the order; only what can be among them is put in order."""
    highest = nlargest(RESULTS_MAX, (score for score, _ in scored))
    found = [one for one in scored if one[0] >= highest[-1]]
    found.sort(key=lambda one: one[1].location)
    found.sort(key=lambda one: (one[0], _changed_at(one[1])), reverse=True)
    return found[:RESULTS_MAX]


def _is_searched(entry: Entry, namespace_id: str | None) -> bool:
    record = entry.record
    if isinstance(record, LegacyRecord):
        return namespace_id is None
    return record.state == "active"


def _score(terms: Terms, asked: frozenset[str], asked_tags: frozenset[str]) -> int:
    return (
        TITLE_WEIGHT * len(asked & terms.title)
        + LABEL_WEIGHT * len(asked & terms.labels)
        + CONTENT_WEIGHT * len(asked & terms.content)
        + TAG_WEIGHT * len(asked_tags & terms.tags)
    )


def _match(entry: Entry, score: int, asked: frozenset[str], asked_tags: frozenset[str]) -> Match:
    terms = entry.terms
    told = asked & (terms.title | terms.labels | terms.content)
    return Match(entry, tuple(sorted(told)), tuple(sorted(asked_tags & terms.tags)), score)


def _changed_at(entry: Entry) -> str:
    """Return when the record last changed; version 1 does not know and comes last."""
    record = entry.record
    return record.updated_at if isinstance(record, CanonicalRecord) else ""
