"""Recall: which active memories of one scope match a query, best first.

Equal scores: the record changed last comes first, then path order.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from heapq import nlargest

from mymcp.plugins.mnemosyne.memory.folding import tag_key
from mymcp.plugins.mnemosyne.memory.places import recalled_namespace, scope_container
from mymcp.plugins.mnemosyne.memory.question import Asked, ask, keys_of, settled
from mymcp.plugins.mnemosyne.memory.ranking import How, Question, Score, question_of, score
from mymcp.plugins.mnemosyne.memory.readings import Entry
from mymcp.plugins.mnemosyne.memory.records import CanonicalRecord, LegacyRecord
from mymcp.plugins.mnemosyne.memory.store import MemoryStore, Survey

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
    survey = store.survey(container)
    active, archived = _searched(survey, namespace_id)
    asked = ask(query, {entry.terms.language for entry in survey.entries})
    look = _Look(active, keys_of(asked))
    frequency = look.frequency()
    deciding = settled(
        asked, frequency, lambda: survey.vocabulary(with_legacy=namespace_id is None)
    )
    if any(word.like for word in deciding):
        look = _Look(active, keys_of(deciding))
        frequency |= look.frequency()
    asked_tags = frozenset(tag_key(tag) for tag in tags)
    question = question_of(asked, deciding, asked_tags, frequency, len(active))
    found = look.matching(question)
    return Recollection(
        matches=tuple(_match(entry, scored, question) for entry, scored in _best(found)),
        total_matches=len(found),
        archived_matches=_count_archived(archived, asked, asked_tags),
        skipped_count=survey.skipped_count,
    )


def _searched(survey: Survey, namespace_id: str | None) -> tuple[list[Entry], list[Entry]]:
    """Return the active and the archived records that are asked."""
    active: list[Entry] = []
    archived: list[Entry] = []
    for entry in survey.entries:
        record = entry.record
        if isinstance(record, LegacyRecord):
            if namespace_id is None:
                active.append(entry)
        else:
            (active if record.state == "active" else archived).append(entry)
    return active, archived


def _count_archived(archived: list[Entry], asked: Sequence[Asked], tags: frozenset[str]) -> int:
    """Return how many records match by telling words as they are or in another form, or by tags."""
    telling = [word for word in asked if not word.is_weak]
    question = question_of(asked, telling, tags, {}, len(archived))
    return len(_Look(archived, keys_of(telling)).matching(question))


class _Look:
    """Where each of some keys stands in each of some records."""

    def __init__(self, entries: list[Entry], keys: frozenset[str]) -> None:
        self._entries = entries
        self._order = tuple(keys)
        self._rows = [tuple(map(entry.terms.places.get, self._order)) for entry in entries]

    def frequency(self) -> dict[str, int]:
        """Return how many of the records have each key."""
        frequency = dict.fromkeys(self._order, 0)
        for row, count in Counter(self._rows).items():
            for key, place in zip(self._order, row, strict=True):
                if place:
                    frequency[key] += count
        return frequency

    def matching(self, question: Question) -> list[tuple[Entry, Score]]:
        """Return the records that match.

        Those that have the same keys in the same places and as many of the tags have the same
        score, so it is made once.
        """
        scores: dict[tuple[tuple[int | None, ...], int], Score | None] = {}
        found = []
        for entry, row in zip(self._entries, self._rows, strict=True):
            kind = (row, len(question.tags & entry.terms.tags) if question.tags else 0)
            if kind not in scores:
                places = {key: place for key, place in zip(self._order, row, strict=True) if place}
                scores[kind] = score(places, kind[1], question)
            scored = scores[kind]
            if scored is not None:
                found.append((entry, scored))
        return found


def _best(found: list[tuple[Entry, Score]]) -> list[tuple[Entry, Score]]:
    """Return the first `RESULTS_MAX` of the order; only what can be among them is put in order."""
    highest = nlargest(RESULTS_MAX, (scored.points for _, scored in found))
    best = [one for one in found if one[1].points >= highest[-1]]
    best.sort(key=lambda one: one[0].location)
    best.sort(key=lambda one: (one[1].points, _changed_at(one[0])), reverse=True)
    return best[:RESULTS_MAX]


def _match(entry: Entry, scored: Score, question: Question) -> Match:
    return Match(
        entry=entry,
        words=tuple(sorted({word for word, _ in scored.words})),
        fuzzy=tuple(sorted({word for word, how in scored.words if how == "fuzzy"})),
        tags=tuple(sorted(question.tags & entry.terms.tags)),
        how=scored.how,
        points=scored.points,
    )


def _changed_at(entry: Entry) -> str:
    """Return when the record last changed; version 1 does not know and comes last."""
    record = entry.record
    return record.updated_at if isinstance(record, CanonicalRecord) else ""
