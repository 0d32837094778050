"""The fast selection against a plain scorer that looks at every record."""

import json
from collections.abc import Iterable, Sequence
from typing import Any

from hypothesis import example, given
from hypothesis import strategies as st

from mymcp.plugins.mnemosyne.memory.entries import Entry, reading_of
from mymcp.plugins.mnemosyne.memory.folding import tag_key
from mymcp.plugins.mnemosyne.memory.index.bits import numbers_of
from mymcp.plugins.mnemosyne.memory.index.tally import Tally
from mymcp.plugins.mnemosyne.memory.likeness import Vocabulary
from mymcp.plugins.mnemosyne.memory.places import Container, recalled_namespace, scope_container
from mymcp.plugins.mnemosyne.memory.question import ask, keys_of, settled
from mymcp.plugins.mnemosyne.memory.ranking import Question, Score, question_of, score
from mymcp.plugins.mnemosyne.memory.records import CanonicalRecord
from mymcp.plugins.mnemosyne.memory.retrieval import RESULTS_MAX, recall
from mymcp.plugins.mnemosyne.memory.shortlist import shortlist
from mymcp.plugins.mnemosyne.memory.terms import Terms, terms_of
from tests.plugins.mnemosyne.in_memory import DictionaryStorage, MemoryStore
from tests.plugins.mnemosyne.stores import KEY
from tests.plugins.mnemosyne.tree import canonical, legacy

WORDS = [
    "deploy",
    "deploys",
    "deployed",
    "deployment",
    "tea",
    "Tee",
    "café",
    "cafes",
    "migration",
    "migrating",
    "parseConfig",
    "parse_config",
    "x-request-id",
    "config",
    "2024",
    "東京都庁",
    "東京",
    "京都庁",
    "しりとり",
    "привет",
    "приветы",
    "the",
    "of",
    "and",
]
TEXTS = st.lists(st.sampled_from(WORDS), max_size=5).map(" ".join)


@st.composite
def memories(draw: st.DrawFn) -> list[dict[str, Any]]:
    """Return records of one scope, some of version 1, some archived."""
    found = []
    for number in range(1, draw(st.integers(1, 14))):
        if draw(st.integers(0, 5)) == 0:
            content = draw(TEXTS) or "tea"
            found.append(legacy(f"old-{number}", content=content))
            continue
        record = canonical(
            number,
            namespace=draw(st.sampled_from(["tea", "nn"])),
            state=draw(st.sampled_from(["active", "active", "archived"])),
            title=draw(TEXTS) or None,
            content=draw(TEXTS) or "deploy",
            tags=draw(st.sampled_from([[], ["Tea"], ["deploy", "東京"]])),
            language=draw(st.sampled_from(["en", "de"])),
            updated_at=draw(st.sampled_from(["2026-07-18T12:00:00Z", "2026-07-19T12:00:00Z"])),
        )
        found.append(record)
    return found


def stored(records: Iterable[dict[str, Any]]) -> tuple[MemoryStore, list[Entry]]:
    storage, entries = DictionaryStorage(), []
    for record in records:
        path: tuple[str, ...] = ("project", "tea", f"{record['id']}.json")
        if record["schema_version"] == 2:
            path = ("project", record["namespace"]["id"], path[-1])
        data = json.dumps(record).encode()
        storage.put(path, data)
        entry = reading_of(path, data, KEY)
        assert isinstance(entry, Entry)
        entries.append(entry)
    return MemoryStore(storage), entries


def scored_one_by_one(
    entries: Sequence[Entry], query: str, namespace: str | None, tags: list[str]
) -> tuple[Question, list[tuple[Entry, Score]]]:
    """Return the question, and the records that answer it, best first."""
    asked_for = [
        (entry, terms_of(entry.record, entry.path[1:-1]))
        for entry in entries
        if (namespace is None and not isinstance(entry.record, CanonicalRecord))
        or (isinstance(entry.record, CanonicalRecord) and namespace in {None, entry.path[1]})
    ]
    active = [one for one in asked_for if getattr(one[0].record, "state", "active") == "active"]

    def count(keys: Iterable[str]) -> int:
        wanted = set(keys)
        return sum(not wanted.isdisjoint(terms.places) for _, terms in active)

    asked = ask(query, {terms.language for _, terms in asked_for})
    known = Vocabulary({key for _, terms in active for key in terms.places})
    deciding = settled(asked, count, lambda word: known.like(word, lambda _: True))
    wanted = frozenset(tag_key(tag) for tag in tags)
    question = question_of(asked, deciding, wanted, count, len(active))
    found = []
    for entry, terms in active:
        points = score(_only(terms, keys_of(deciding)), len(wanted & terms.tags), question)
        if points is not None:
            found.append((entry, points))
    found.sort(key=lambda one: one[0].path)
    found.sort(key=lambda one: (one[1].points, _changed(one[0])), reverse=True)
    return question, found


def _only(terms: Terms, keys: frozenset[str]) -> dict[str, int]:
    return {key: where for key, where in terms.places.items() if key in keys}


def _changed(entry: Entry) -> str:
    return entry.record.updated_at if isinstance(entry.record, CanonicalRecord) else ""


@given(
    memories(),
    st.lists(st.sampled_from([*WORDS, "migratoin", "prase", "unknown", "東京都"]), max_size=6),
    st.sampled_from([None, "tea", "nn"]),
    st.sampled_from([[], ["tea"], ["TEA", "東京"]]),
)
@example([canonical(1, content="東京都庁")], ["東京都"], None, [])
def test_the_fast_selection_is_that_of_an_exhaustive_scorer(
    records: list[dict[str, Any]], words: list[str], namespace: str | None, tags: list[str]
) -> None:
    store, entries = stored(records)
    query = " ".join(words)
    question, wanted = scored_one_by_one(entries, query, namespace, tags)
    found = recall(store, query=query, scope="project", namespace_id=namespace, tags=tags)
    assert found.total_matches == len(wanted)
    best = [(entry.location, s.points, s.how) for entry, s in wanted[:RESULTS_MAX]]
    assert [(m.entry.location, m.points, m.how) for m in found.matches] == best
    with store.viewing(container_of(namespace)) as view:
        search = view.search()
        listed = shortlist(question, search.places, search.tagged)
        points = {
            search.entry(number).location: number_of(listed.points, number)
            for number in numbers_of(listed.matched)
        }
    assert points == {entry.location: scored.points for entry, scored in wanted}


def container_of(namespace: str | None) -> Container:
    if namespace is None:
        return scope_container("project")
    return recalled_namespace("project", namespace)


def number_of(points: Tally, number: int) -> int:
    """Return the number of one record, digit by digit."""
    found = 0
    for place in reversed(range(40)):
        if points.at_least(found + (1 << place), 1 << number):
            found += 1 << place
    return found
