"""The other side of the wire, in processes of their own: one that probes, some that recall.

Run as `python -m tests.bench.client {probe,recall} PORT SECONDS SEED`; prints milliseconds as JSON.
"""

import json
import os
import sys
import time
from collections.abc import Iterator
from random import Random

from tests.bench.records import query
from tests.bench.wire import HEALTH, Connection, call

PROBE_PAUSE_SECONDS = 0.005
RECALL_NICENESS = 10  # so that the load cannot keep the probe from a processor


def probe(connection: Connection, _chance: Random) -> None:
    """Ask for health, then rest."""
    connection.ask(HEALTH)


def recall(connection: Connection, chance: Random) -> None:
    """Recall from the whole scope; never rest."""
    answer = connection.ask(call("memory_recall", {"scope": "project", "query": query(chance)}))
    if b'"structuredContent":{"status":"ok"' not in answer:
        raise SystemExit(f"recall answered {answer[:300]!r}")


def durations(kind: str, port: int, seconds: float, seed: int) -> Iterator[float]:
    """Yield how long each request took, in milliseconds, until `seconds` have passed."""
    ask, pause = {"probe": (probe, PROBE_PAUSE_SECONDS), "recall": (recall, 0.0)}[kind]
    chance = Random(seed)
    with Connection(port) as connection:
        ask(connection, chance)
        end = time.monotonic() + seconds
        while (begin := time.perf_counter()) and time.monotonic() < end:
            ask(connection, chance)
            yield (time.perf_counter() - begin) * 1e3
            if pause:
                time.sleep(pause)


if __name__ == "__main__":
    kind, port, seconds, seed = sys.argv[1:]
    if kind == "recall":
        os.nice(RECALL_NICENESS)
    print(json.dumps(list(durations(kind, int(port), float(seconds), int(seed)))))
