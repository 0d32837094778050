"""What recall costs without an index: every file is read and searched for every query."""

import json
import os
import time
from pathlib import Path
from random import Random
from statistics import median

from tests.bench.corpus import Corpus
from tests.bench.meter import rounds

RESULTS = 5


def milliseconds(corpus: Corpus, seconds: float) -> tuple[float, int]:
    """Return the median processor time of a query, and how many were measured within `seconds`."""
    chance = Random(3)
    costs = []
    for _ in rounds(5, seconds):
        query = corpus.query(chance)
        before = time.process_time()
        best(corpus.root, query)
        costs.append((time.process_time() - before) * 1e3)
    return median(costs), len(costs)


def best(root: Path, query: str) -> list[tuple[int, str]]:
    """Return the records below `root` where the words of `query` stand most: how often, and ids."""
    words = query.casefold().split()
    found = []
    for folder, _, names in os.walk(root):
        for name in names:
            with open(f"{folder}/{name}", "rb") as file:  # noqa: PTH123  half the cost of a Path
                record = json.loads(file.read())
            text = f"{record['title']} {record['content']} {' '.join(record['tags'])}".casefold()
            if count := sum(map(text.count, words)):
                found.append((count, record["id"]))
    return sorted(found, reverse=True)[:RESULTS]
