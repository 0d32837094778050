"""Stopping real servers while they write: what was begun is there whole, or not at all."""

import fcntl
import json
import os
import signal
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from mymcp.cli import console
from mymcp.transport import server
from tests.transport.command import Command
from tests.transport.serving import Reply, read_reply

PRODUCT = ("-m", "mymcp", "--port", "{port}")
SETTINGS = {
    "MNEMOSYNE_MEMORY_REMEMBER_ENABLED": "true",
    "MNEMOSYNE_MEMORY_REVISE_ENABLED": "true",
}
SIGNALS = pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
WRITERS = 4
UVICORN_SECONDS = 0.1
"""How long Uvicorn sleeps between looks at what it waits for."""


@pytest.fixture
def root(tmp_path: Path) -> Path:
    folder = tmp_path / "memory"
    folder.mkdir(mode=0o700)
    return folder


def draft(number: int) -> dict[str, object]:
    return {
        "scope": "project",
        "namespace": {"kind": "project", "id": "atlas", "label": None},
        "collection": None,
        "kind": "decision",
        "language": "en",
        "title": f"Number {number}",
        "content": f"Statement {number}. " + "It has some length. " * 150,
        "tags": [],
        "origin": "explicit_user_statement",
    }


def request(number: int) -> bytes:
    params = {"name": "memory_remember", "arguments": draft(number)}
    message = {"jsonrpc": "2.0", "id": number, "method": "tools/call", "params": params}
    return json.dumps(message).encode()


def remember(command: Command, number: int) -> Reply:
    return command.wire.post(request(number))


def outcome(reply: Reply) -> dict[str, Any]:
    answer: dict[str, Any] = json.loads(reply.body)
    found: dict[str, Any] = json.loads(answer["result"]["content"][0]["text"])
    return found


def records(root: Path) -> dict[str, dict[str, Any]]:
    """Return every record by its id; a file that is not whole fails here."""
    found = (json.loads(path.read_bytes()) for path in root.rglob("*.json"))
    return {record["id"]: record for record in found}


@contextmanager
def locked(root: Path) -> Iterator[int]:
    """Hold the lock of the root, as another server would."""
    descriptor = os.open(root, os.O_RDONLY)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        yield descriptor
    finally:
        os.close(descriptor)


def wait_for(command: Command, words: str) -> None:
    while words not in command.log:
        assert command.process.poll() is None
        time.sleep(0.01)


@SIGNALS
def test_a_write_that_ends_within_the_grace_is_answered_and_whole(
    tmp_path: Path, root: Path, number: signal.Signals
) -> None:
    with Command(tmp_path, *PRODUCT, settings=SETTINGS) as command:
        with command.wire.connect() as connection, locked(root) as lock:
            body = request(1)
            connection.sendall(command.wire.head(len(body)) + body)
            command.wire.ask("GET", "/health")  # whoever answers this has read the other, too
            command.process.send_signal(number)
            wait_for(command, "Shutting down")
            fcntl.flock(lock, fcntl.LOCK_UN)
            answer = outcome(read_reply(connection))
        command.stop(number)
    assert answer["status"] == "remembered"
    assert records(root)[answer["reference"]["id"]]["title"] == "Number 1"


@SIGNALS
def test_a_write_that_cannot_begin_is_cut_off_and_leaves_nothing(
    tmp_path: Path, root: Path, number: signal.Signals
) -> None:
    with Command(tmp_path, *PRODUCT, settings=SETTINGS) as command:
        with command.wire.connect() as connection, locked(root):
            body = request(1)
            connection.sendall(command.wire.head(len(body)) + body)
            command.wire.ask("GET", "/health")
            command.stop(number)
            reply = read_reply(connection)
        assert "outcome=stopped" in command.log
        assert "Traceback" not in command.log
    assert reply.status == 503
    assert b"whether a call took effect is unknown" in reply.body
    assert list(root.rglob("*.*")) == []
    with Command(tmp_path, *PRODUCT, settings=SETTINGS) as command:
        assert outcome(remember(command, 1))["status"] == "remembered"


@SIGNALS
def test_writes_in_flight_are_there_whole_or_not_at_all_and_the_lock_is_free(
    tmp_path: Path, root: Path, number: signal.Signals
) -> None:
    answers: list[dict[str, Any]] = []
    with Command(tmp_path, *PRODUCT, settings=SETTINGS) as command:
        threads = [
            threading.Thread(target=write_until_it_ends, args=(command, start, answers))
            for start in range(WRITERS)
        ]
        for thread in threads:
            thread.start()
        while len(answers) < 10 * WRITERS:
            time.sleep(0.01)
        assert command.stop(number) in {0, -number}
        for thread in threads:
            thread.join()
        assert "Traceback" not in command.log
    found = records(root)
    for answer in answers:
        assert answer["reference"]["id"] in found
    assert len(found) <= len(answers) + WRITERS
    for record in found.values():
        assert record["content"].endswith("It has some length.")
    with locked(root):
        pass
    with Command(tmp_path, *PRODUCT, settings=SETTINGS) as command:
        assert outcome(remember(command, 1_000_000))["status"] == "remembered"
        assert [path for path in root.rglob("*") if path.suffix == ".tmp"] == []


def write_until_it_ends(command: Command, start: int, answers: list[dict[str, Any]]) -> None:
    """Remember and revise, one after another, until no answer comes any more."""
    number = start
    try:
        while True:
            reply = remember(command, number)
            if reply.status != 200:
                return
            made = outcome(reply)
            answers.append(made)
            revise(command, made)
            number += WRITERS
    except (ConnectionError, TimeoutError):
        return


def revise(command: Command, made: dict[str, Any]) -> None:
    arguments = {
        "reference": made["reference"],
        "expected_revision": made["lifecycle"]["revision"],
        "namespace_label": "Atlas",
        "title": None,
        "content": "Revised. " + "It has some length. " * 150,
        "tags": [],
    }
    command.wire.call("memory_revise", arguments)


@SIGNALS
def test_clients_that_never_read_their_answers_do_not_keep_the_process(
    tmp_path: Path, number: signal.Signals
) -> None:
    body = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "tools/list"}).encode()
    with Command(tmp_path, *PRODUCT) as command, command.wire.connect() as connection:
        connection.settimeout(0.5)
        try:
            while True:  # until neither side's buffers take any more
                connection.sendall((command.wire.head(len(body)) + body) * 50)
        except TimeoutError:
            pass
        assert command.stop(number) in {0, -number}
        assert "Traceback" not in command.log


def test_what_a_stop_may_take_adds_up_to_less_than_two_seconds() -> None:
    looks = 3 * UVICORN_SECONDS  # for the signal, for connections to close, for the last of them
    assert looks + server.GRACE_SECONDS + console.FLUSH_SECONDS < 2
