"""What reading one record costs, from the bytes of its file to what recall finds it by."""

import gc
import json
import time
import tracemalloc
from collections.abc import Callable, Iterator, Sequence
from random import Random
from typing import TypeVar

from mymcp.plugins.mnemosyne.memory.entries import reading_of
from mymcp.plugins.mnemosyne.memory.records import parse
from mymcp.plugins.mnemosyne.memory.terms import terms_of
from tests.bench.figure import Figure
from tests.bench.records import NAMESPACES, WORDS

RECORDS = 10_000
ROUNDS = 3
PARSE_BOUND = 50.0
READING_BOUND = 60.0
TERMS_BOUND = 40.0
BYTES_BOUND = 900.0
_TEXT = (
    "größer Straße café déjà решение проект записи 設定 ファイル 今日は成語 한국어 부서 πλοίο "
    "किताब الكتاب parse_config parseConfig archive branch build cache"
)
SCRIPTS = _TEXT.split()

KEY = bytes(32)

T = TypeVar("T")
R = TypeVar("R")
File = tuple[tuple[str, ...], bytes]


def reading() -> Iterator[Figure]:
    """Read different records of about 900 bytes, English ones and such of many scripts."""
    for name, files in (("English", _files(WORDS)), ("mixed scripts", _files(SCRIPTS))):
        value = _microseconds(lambda file: parse(file[1]), files)
        yield Figure(f"parsing a record, {name}", value, "us", PARSE_BOUND)
        value = _microseconds(lambda file: reading_of(*file, KEY), files)
        yield Figure(f"reading of a file, {name}", value, "us", READING_BOUND)
        records = [(parse(data), path[1:-1]) for path, data in files]
        value = _microseconds(lambda record: terms_of(*record), records)
        yield Figure(f"terms of a record, {name}", value, "us", TERMS_BOUND)
    yield Figure("parsed record in memory", _bytes_each(_files(WORDS)), "B", BYTES_BOUND)


def _files(words: Sequence[str]) -> list[File]:
    chance = Random(1)
    return [_file(chance, number, words) for number in range(RECORDS)]


def _file(chance: Random, number: int, words: Sequence[str]) -> File:
    record_id, namespace = f"mem_{chance.getrandbits(128):032x}", f"bench-{number % NAMESPACES}"
    record = {
        "schema_version": 2,
        "id": record_id,
        "scope": "project",
        "namespace": {"kind": "project", "id": namespace, "label": None},
        "collection": None,
        "kind": "decision",
        "language": "en",
        "title": f"{number}: {' '.join(chance.sample(words, 4))}",
        "content": " ".join(chance.choices(words, k=48)) + ".",
        "tags": chance.sample(words, 3),
        "provenance": {"origin": "manual", "recorded_via": "filesystem"},
        "lifecycle": {"state": "active", "revision": 1},
        "created_at": f"2026-01-{number % 28 + 1:02}T00:00:00Z",
        "updated_at": f"2026-01-{number % 28 + 1:02}T12:00:00Z",
    }
    data = json.dumps(record, ensure_ascii=False, indent=2).encode()
    return ("project", namespace, f"{record_id}.json"), data


def _microseconds(work: Callable[[T], R], items: Sequence[T]) -> float:
    """Return the processor time of the quickest of some rounds: others only add to it.

    Results are kept while a round lasts, as a store keeps them, and not looked through for
    garbage.
    """
    times = []
    gc.disable()
    try:
        for _ in range(ROUNDS):
            before = time.process_time_ns()
            kept = [work(item) for item in items]
            times.append(time.process_time_ns() - before)
            del kept
    finally:
        gc.enable()
    return min(times) / len(items) / 1e3


def _bytes_each(files: Sequence[File]) -> float:
    tracemalloc.start()
    try:
        before = tracemalloc.get_traced_memory()[0]
        records = [parse(data) for _, data in files]
        after = tracemalloc.get_traced_memory()[0]
    finally:
        tracemalloc.stop()
    return (after - before) / len(records)
