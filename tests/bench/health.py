"""Whether the server still answers at once while others make it work."""

import json
import subprocess
import sys
from collections.abc import Iterator
from statistics import median

from tests.bench.figure import Figure, Unmeasurable, percentile, spread
from tests.bench.server import Running, serving

RECORDS = 1000
CLIENTS = 4
ROUNDS = 5
SECONDS = 4
MILLISECONDS = 50.0


def health() -> Iterator[Figure]:
    """Probe `/health` while four clients recall over 1,000 records without a pause."""
    probed, recalled = [], []
    with serving(RECORDS) as server:
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
    yield Figure("recalls over 1,000 records, four clients", rate, "/s")
    yield Figure("recall, p50", median(map(median, recalled)), "ms")
    yield Figure("recall, p99", median(percentile(each, 0.99) for each in recalled), "ms")


def _round(server: Running) -> tuple[list[float], list[float]]:
    kinds = ["probe", *["recall"] * CLIENTS]
    processes = [_client(kind, server.port, seed) for seed, kind in enumerate(kinds)]
    probe, *recalls = [_durations(process) for process in processes]
    return probe, [each for client in recalls for each in client]


def _client(kind: str, port: int, seed: int) -> "subprocess.Popen[bytes]":
    command = [sys.executable, "-m", "tests.bench.client", kind, str(port), str(SECONDS), str(seed)]
    return subprocess.Popen(command, stdout=subprocess.PIPE)


def _durations(process: "subprocess.Popen[bytes]") -> list[float]:
    output, _ = process.communicate(timeout=SECONDS + 60)
    if process.returncode != 0:
        raise Unmeasurable("a client failed")
    durations: list[float] = json.loads(output)
    return durations
