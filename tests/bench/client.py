"""The other side of the wire, in processes of their own: one that probes, some that recall.

Run as `python -m tests.bench.client {probe,recall} PORT SECONDS SEED RECORDS`; prints milliseconds
as JSON.
"""

import json
import os
import sys
import time
from collections.abc import Callable, Iterator
from random import Random

from tests.bench.records import SCOPE, query, rare_words
from tests.bench.wire import HEALTH, Connection, call

PROBE_PAUSE_SECONDS = 0.005
RECALL_NICENESS = 10  # so that the load cannot keep the probe from a processor


def probes(
    port: int, is_over: Callable[[], bool], *, pause: float = PROBE_PAUSE_SECONDS
) -> Iterator[float]:
    """Ask for health, then rest `pause` seconds; yield how long each answer took, in ms."""
    with Connection(port) as connection:
        for duration in _durations(lambda: connection.ask(HEALTH), is_over):
            yield duration
            time.sleep(pause)


def recalls(
    port: int, is_over: Callable[[], bool], chance: Random, records: int
) -> Iterator[float]:
    """Recall from the whole scope of `records` records; never rest; yield as `probes` does."""
    rare = rare_words(records)
    with Connection(port) as connection:

        def recall() -> None:
            arguments: dict[str, object] = {"scope": SCOPE, "query": query(chance, rare)}
            answer = connection.ask(call("memory_recall", arguments))
            if b'"structuredContent":{"status":"ok"' not in answer:
                raise SystemExit(f"recall answered {answer[:300]!r}")

        yield from _durations(recall, is_over)


def _durations(ask: Callable[[], object], is_over: Callable[[], bool]) -> Iterator[float]:
    ask()
    while not is_over():
        begin = time.perf_counter()
        ask()
        yield (time.perf_counter() - begin) * 1e3


def _main(kind: str, port: int, seconds: float, seed: int, records: int) -> None:
    end = time.monotonic() + seconds

    def is_over() -> bool:
        return time.monotonic() >= end

    if kind == "recall":
        os.nice(RECALL_NICENESS)
        print(json.dumps(list(recalls(port, is_over, Random(seed), records))))
    else:
        print(json.dumps(list(probes(port, is_over))))


if __name__ == "__main__":
    _main(sys.argv[1], int(sys.argv[2]), float(sys.argv[3]), int(sys.argv[4]), int(sys.argv[5]))
