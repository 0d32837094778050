import json
from collections import Counter

import pytest

from mymcp.plugins.mnemosyne.memory.records import parse
from tests.plugins.mnemosyne.retrieval.labelled import CATEGORIES, queries, records


def test_the_set_is_large_enough_to_tell_something() -> None:
    assert len(records(pooled=True)) >= 300
    counts = Counter(query.category for query in queries())
    assert set(counts) == set(CATEGORIES)
    assert set(counts) == {
        "accents", "cjk", "identifiers", "inflection", "keyword", "none", "paraphrase",
        "questions", "typo",
    }  # fmt: skip
    assert min(counts.values()) >= 10


def test_labels_name_records_of_which_one_is_in_the_asked_scope() -> None:
    places = {label: record["scope"] for label, record in records(pooled=False).items()}
    for query in queries():
        assert query.relevant <= set(places), query
        assert bool(query.relevant) == (query.category != "none"), query
        assert not query.relevant or query.scope in {places[each] for each in query.relevant}, query


@pytest.mark.parametrize("pooled", [False, True])
def test_every_record_can_be_served(pooled: bool) -> None:
    for record in records(pooled=pooled).values():
        parse(json.dumps(record).encode())
