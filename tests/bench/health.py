"""Whether the server still answers at once while others make it work."""

import json
import subprocess
import sys
from collections.abc import Iterator
from random import Random
from statistics import median

from tests.bench.corpus import Corpora
from tests.bench.figure import Figure, Unmeasurable, percentile, spread
from tests.bench.meter import Meter
from tests.bench.server import Running, serving
from tests.bench.wire import Connection

RECORDS = 10_000
CLIENTS = 8
ROUNDS = 5
SECONDS = 3
MILLISECONDS = 12.0


def health(corpora: Corpora) -> Iterator[Figure]:
    """Probe `/health` while eight clients recall over 10,000 records without a pause."""
    corpus = corpora.of(RECORDS)
    probed, recalled = [], []
    with serving(corpus.root) as server, Connection(server.port) as connection:
        Meter(server, connection).recall(corpus.query(Random(0)))  # what is built once
        for _ in range(ROUNDS):
            probe, recalls = _round(server)
            probed.append(probe)
            recalled.append(recalls)
    last, note = spread(percentile(each, 0.99) for each in probed)
    count = sum(map(len, probed))
    yield Figure("/health under recall, p50", median(map(median, probed)), "ms")
    yield Figure("/health under recall, p99", last, "ms", MILLISECONDS, note)
    worst = max(map(max, probed))
    yield Figure("/health under recall, longest", worst, "ms", note=f"of {count} probes")
    rate = sum(map(len, recalled)) / ROUNDS / SECONDS
    yield Figure("recalls over 10,000 records, eight clients", rate, "/s")
    yield Figure("recall, p50", median(map(median, recalled)), "ms")
    yield Figure("recall, p99", median(percentile(each, 0.99) for each in recalled), "ms")


def _round(server: Running) -> tuple[list[float], list[float]]:
    kinds = ["probe", *["recall"] * CLIENTS]
    processes = [_client(kind, server.port, seed) for seed, kind in enumerate(kinds)]
    probe, *recalls = [_durations(process) for process in processes]
    return probe, [each for client in recalls for each in client]


def _client(kind: str, port: int, seed: int) -> "subprocess.Popen[bytes]":
    arguments = map(str, (port, SECONDS, seed, RECORDS))
    command = [sys.executable, "-m", "tests.bench.client", kind, *arguments]
    return subprocess.Popen(command, stdout=subprocess.PIPE)


def _durations(process: "subprocess.Popen[bytes]") -> list[float]:
    output, _ = process.communicate(timeout=SECONDS + 60)
    if process.returncode != 0:
        raise Unmeasurable("a client failed")
    durations: list[float] = json.loads(output)
    return durations
