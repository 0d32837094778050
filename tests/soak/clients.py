"""Clients of every manner: each kind is one visit to the server, made again and again."""

import json
import socket
import struct
import time
from collections import Counter
from collections.abc import Callable
from contextlib import ExitStack
from random import Random
from threading import Event, Thread

from mymcp.transport.connection import CONNECTIONS_LIMIT
from tests.transport.serving import Wire, read_reply

DRAFTS = 40
"""How many different memories are stored; the same again stores nothing, so the memory settles."""

HOLD_SECONDS = 0.3
"""Longest time for which a client keeps what it does not use."""

PAUSE_SECONDS = 0.002
CROWD = CONNECTIONS_LIMIT + 4
QUERIES = ("retry uploads", "statement", "number 7", "nothing of the kind")

Visit = Callable[[Wire, Random, Counter[str]], None]


class Clients:
    """Every kind of client at once, a thread each.

    Args:
        wire: the way to the server.
        seed: of the chances that they take.
    """

    def __init__(self, wire: Wire, seed: int) -> None:
        self._wire = wire
        self._seed = seed
        self._stop = Event()
        self.counts: Counter[str] = Counter(failed=0)
        """How often what happened; `failed` are answers of another status than they should have."""

    def run(self, seconds: float) -> None:
        """Let them come and go for `seconds`."""
        self.start()
        time.sleep(seconds)
        self.stop()

    def start(self) -> None:
        """Let them come."""
        self._stop.clear()
        self._threads = [
            Thread(target=self._come_again, args=(visit, self._seed + number), daemon=True)
            for number, visit in enumerate(VISITS)
        ]
        for thread in self._threads:
            thread.start()

    def stop(self) -> None:
        """Wait until the last of them has gone."""
        self._stop.set()
        for thread in self._threads:
            thread.join()

    def _come_again(self, visit: Visit, seed: int) -> None:
        chance, name = Random(seed), visit.__name__
        while not self._stop.is_set():
            try:
                visit(self._wire, chance, self.counts)
                self.counts[name] += 1
            except OSError:  # cut off: by the server's end, or as one of a crowd
                self.counts["cut off"] += 1
            self._stop.wait(PAUSE_SECONDS)


def talk(wire: Wire, chance: Random, counts: Counter[str]) -> None:
    """Make a few calls on one connection, as a client should, and read every answer."""
    with wire.connect() as connection:
        for _ in range(chance.randint(1, 20)):
            connection.sendall(_post(wire, _call(chance)))
            _judge(read_reply(connection).status, counts)


def ask_once(wire: Wire, chance: Random, counts: Counter[str]) -> None:
    """Make one call on a connection of its own."""
    _judge(wire.post(_call(chance)).status, counts)


def knock(wire: Wire, chance: Random, _counts: Counter[str]) -> None:
    """Connect, send a part of a head at most, wait, vanish."""
    with wire.connect() as connection:
        head = wire.head(10)
        connection.sendall(head[: chance.randint(0, len(head) - 1)])
        _vanish(connection, chance)


def break_off_body(wire: Wire, chance: Random, _counts: Counter[str]) -> None:
    """Vanish in the middle of a body, short or long."""
    length = chance.choice((10, 2_000, 300_000))
    with wire.connect() as connection:
        connection.sendall(wire.head(length) + b"{" * chance.randint(0, length - 1))
        _vanish(connection, chance)


def break_off_answer(wire: Wire, chance: Random, _counts: Counter[str]) -> None:
    """Ask for much, read little of it, vanish."""
    listing = _post(wire, {"jsonrpc": "2.0", "id": 1, "method": "tools/list"})
    with wire.connect() as connection:
        connection.sendall(listing * chance.randint(1, 30))
        connection.recv(chance.randint(1, 4_000))
        _vanish(connection, chance)


def half_close(wire: Wire, chance: Random, counts: Counter[str]) -> None:
    """Ask, say that nothing more will come, and read the answer."""
    with wire.connect() as connection:
        connection.sendall(_post(wire, _call(chance)))
        connection.shutdown(socket.SHUT_WR)
        _judge(read_reply(connection).status, counts)


def listen(wire: Wire, chance: Random, counts: Counter[str]) -> None:
    """Open a few streams, more than there may be at times, listen, vanish."""
    with ExitStack() as opened:
        try:
            for _ in range(chance.randint(1, 12)):
                _drop(opened.enter_context(wire.open_stream()), chance)
                counts["streams"] += 1
        except ConnectionRefusedError:
            counts["streams refused"] += 1
        time.sleep(chance.uniform(0, HOLD_SECONDS))


def babble(wire: Wire, chance: Random, _counts: Counter[str]) -> None:
    """Send what is no HTTP, or HTTP that is no JSON."""
    with wire.connect() as connection:
        noise = chance.randbytes(chance.randint(1, 3_000))
        connection.sendall(chance.choice((noise, wire.head(len(noise)) + noise)))
        connection.recv(4_096)


def crowd(wire: Wire, chance: Random, counts: Counter[str]) -> None:
    """Come with more connections than are served at a time; rest longer than others."""
    with ExitStack() as opened:
        everyone = [opened.enter_context(wire.connect()) for _ in range(CROWD)]
        for connection in everyone:
            _drop(connection, chance)
        everyone[-1].sendall(_post(wire, _call(chance)))
        counts["turned away"] += read_reply(everyone[-1]).status == 503
    time.sleep(HOLD_SECONDS)


VISITS: tuple[Visit, ...] = (
    *(talk, talk, ask_once, knock, break_off_body, break_off_answer),
    *(half_close, listen, listen, babble, crowd),
)


def _call(chance: Random) -> dict[str, object]:
    name, arguments = chance.choice((_recall, _list, _remember))(chance)
    params = {"name": name, "arguments": arguments}
    return {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}


def _recall(chance: Random) -> tuple[str, dict[str, object]]:
    return "memory_recall", {"scope": "project", "query": chance.choice(QUERIES)}


def _list(chance: Random) -> tuple[str, dict[str, object]]:
    return "memory_list", {"scope": "project", "page_size": chance.randint(1, 100)}


def _remember(chance: Random) -> tuple[str, dict[str, object]]:
    number = chance.randrange(DRAFTS)
    return "memory_remember", {
        "scope": "project",
        "namespace": {"kind": "project", "id": "soak", "label": None},
        "collection": None,
        "kind": "decision",
        "language": "en",
        "title": f"Number {number}",
        "content": f"Statement {number} on how uploads are retried.",
        "tags": [],
        "origin": "explicit_user_statement",
    }


def _post(wire: Wire, message: dict[str, object]) -> bytes:
    body = json.dumps(message).encode()
    return wire.head(len(body)) + body


def _judge(status: int, counts: Counter[str]) -> None:
    counts["answered" if status == 200 else "busy" if status == 503 else "failed"] += 1


def _vanish(connection: socket.socket, chance: Random) -> None:
    time.sleep(chance.uniform(0, HOLD_SECONDS) * chance.choice((0, 0, 1)))
    _drop(connection, chance)


def _drop(connection: socket.socket, chance: Random) -> None:
    """Have the connection reset when it is closed, half of the time."""
    if chance.random() < 0.5:
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
