"""What a server is after a while of such clients, and how it ends among them. Linux only."""

import json
import signal
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from mymcp.host.pools import CHANGING_THREADS, PARSING_THREADS
from mymcp.host.workers import WORKER_THREADS
from tests.bench.figure import Figure
from tests.bench.process import resident_mebibytes
from tests.soak.clients import Clients
from tests.transport.command import Command

WARM_UP_SHARE = 0.3
"""How much of the time passes before the first look: by then everything has happened once."""

THREADS_MAX = WORKER_THREADS + CHANGING_THREADS + PARSING_THREADS + 4
"""Pools, the event loop, the log, and two for the files."""

GROWTH_MEBIBYTES = 16.0
EXIT_SECONDS = 2.0
REST_SECONDS = 10.0
"""How long the server may take to notice that all of its clients are gone."""

LOOKS = 20
LOOK_SECONDS = 0.05

END = "end among clients"
"""The one figure whose bound is a time."""

SETTINGS = {"MNEMOSYNE_MEMORY_REMEMBER_ENABLED": "true"}
PRODUCT = ("-m", "mymcp", "--log-format", "json", "--port", "{port}")


@dataclass(frozen=True, slots=True)
class State:
    """What the kernel knows of a process."""

    threads: int
    descriptors: int
    sockets: int
    children: int
    mebibytes: float


def endurance(seconds: float, seed: int = 1) -> Iterator[Figure]:
    """Let clients come and go for `seconds`, then stop the server among them."""
    with TemporaryDirectory(prefix="mymcp-soak-") as name:
        folder = Path(name)
        with Command(folder, *PRODUCT, settings=SETTINGS) as command:
            clients = Clients(command.wire, seed)
            clients.run(seconds * WARM_UP_SHARE)
            first = at_rest(command)
            clients.run(seconds * (1 - WARM_UP_SHARE))
            last = at_rest(command)
            yield from _counts(clients)
            yield from _growth(first, last)
            yield from _end(command, clients)
        yield from _log(command.log)


def at_rest(command: Command) -> State:
    """Return the state of the server once it has let go of every client.

    Calls whose clients are gone still end, with files open: of several looks the least counts.
    """
    end = time.monotonic() + REST_SECONDS
    while state_of(command.process.pid).sockets > 1 and time.monotonic() < end:
        time.sleep(LOOK_SECONDS)
    return min(_looks(command.process.pid), key=lambda state: state.descriptors)


def _looks(pid: int) -> Iterator[State]:
    for _ in range(LOOKS):
        yield state_of(pid)
        time.sleep(LOOK_SECONDS)


def state_of(pid: int) -> State:
    """Return the state of a running process; its sockets are those of TCP."""
    process = Path(f"/proc/{pid}")
    tasks = list((process / "task").iterdir())
    opened = [_target(entry) for entry in (process / "fd").iterdir()]
    tcp = _tcp_sockets(process)
    return State(
        threads=len(tasks),
        descriptors=len(opened),
        sockets=sum(target in tcp for target in opened),
        children=sum(len((task / "children").read_text().split()) for task in tasks),
        mebibytes=resident_mebibytes(pid),
    )


def _target(entry: Path) -> str:
    try:
        return str(entry.readlink())
    except FileNotFoundError:  # closed since
        return ""


def _tcp_sockets(process: Path) -> set[str]:
    lines = (process / "net" / "tcp").read_text().splitlines()[1:]
    return {f"socket:[{line.split()[9]}]" for line in lines}


def _counts(clients: Clients) -> Iterator[Figure]:
    for name in sorted(clients.counts):
        bound = 0 if name == "failed" else None
        yield Figure(f"clients: {name}", clients.counts[name], "times", bound)


def _growth(first: State, last: State) -> Iterator[Figure]:
    yield Figure("threads", last.threads, "", THREADS_MAX, f"before: {first.threads}")
    yield Figure(
        "descriptors", last.descriptors, "", first.descriptors, f"before: {first.descriptors}"
    )
    yield Figure("sockets", last.sockets, "", 1, f"before: {first.sockets}; it listens")
    yield Figure("child processes", last.children, "", 0)
    yield Figure("memory", last.mebibytes, "MiB", note=f"before: {first.mebibytes:.3g}")
    growth = last.mebibytes - first.mebibytes
    yield Figure("memory, growth", growth, "MiB", GROWTH_MEBIBYTES)


def _end(command: Command, clients: Clients) -> Iterator[Figure]:
    clients.start()
    time.sleep(0.5)
    begin = time.perf_counter()
    code = command.stop(signal.SIGTERM)
    yield Figure(END, time.perf_counter() - begin, "s", EXIT_SECONDS)
    clients.stop()
    yield Figure("end, other than by the signal", code + signal.SIGTERM, "", 0)


def _log(text: str) -> Iterator[Figure]:
    lines = [json.loads(line) for line in text.splitlines()]
    yield Figure("log lines", len(lines), "")
    lost = sum(line.get("lines", 0) for line in lines if line.get("event") == "lost")
    yield Figure("log lines, lost", lost, "")
    worst = [line for line in lines if line["level"] in {"ERROR", "CRITICAL"}]
    note = json.dumps(worst[0])[:200] if worst else ""
    yield Figure("log lines, errors", len(worst), "", 0, note)
