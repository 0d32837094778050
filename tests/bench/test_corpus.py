import json
import tempfile
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest

from tests.bench import plain_scan
from tests.bench.corpus import Corpora, Corpus

RECORDS = 1_000


@pytest.fixture(scope="module")
def corpus() -> Iterator[Corpus]:
    with Corpora() as corpora:
        yield corpora.of(RECORDS)


def words_of(path: Path) -> set[str]:
    record = json.loads(path.read_bytes())
    return {*record["title"].split(), *record["content"].rstrip(".").split()}


def test_query_holds_one_word_of_a_fifth_of_all_records_and_two_rare_ones(corpus: Corpus) -> None:
    counts = Counter(word for path in corpus.root.rglob("*.json") for word in words_of(path))
    chance = Random(1)
    for _ in range(50):
        one, other, common = sorted(counts[word] for word in corpus.query(chance).split())
        assert 2 <= one <= other <= 20
        assert common >= RECORDS / 5


def test_scan_puts_the_record_with_most_of_the_words_first(corpus: Corpus) -> None:
    held = words_of(Path(corpus.path(7)))
    rare = held.intersection(corpus.rare)
    assert len(rare) == 2
    assert (2, corpus.ids[7]) == plain_scan.best(corpus.root, " ".join(rare))[0]


def test_corpus_is_written_once_and_nothing_of_it_stays(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    with Corpora() as corpora:
        assert corpora.of(RECORDS) is corpora.of(RECORDS)
        assert len(list(tmp_path.rglob("*.json"))) == RECORDS
    assert not list(tmp_path.iterdir())
