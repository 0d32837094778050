"""Lines to a pipe that takes them, takes none, or is gone."""

import os
from collections.abc import Iterator
from threading import Thread

import pytest

from mymcp.cli.lines import LINES_MAX, WRITE_MAX_BYTES, Lines


@pytest.fixture
def pipe() -> Iterator[tuple[int, int]]:
    reading, writing = os.pipe()
    yield reading, writing
    os.close(reading)
    os.close(writing)


def lines_to(descriptor: int) -> Lines:
    return Lines(descriptor, lambda count: f"lost {count}\n")


def filled(descriptor: int) -> int:
    """Fill a pipe to the brim; return how many bytes went in."""
    os.set_blocking(descriptor, False)
    written = 0
    try:
        while True:
            written += os.write(descriptor, b"x" * 1_024)
    except BlockingIOError:
        os.set_blocking(descriptor, True)
        return written


def read(descriptor: int, length: int) -> bytes:
    received = b""
    while len(received) < length:
        received += os.read(descriptor, length - len(received))
    return received


def test_lines_come_out_whole_and_in_order(pipe: tuple[int, int]) -> None:
    lines = lines_to(pipe[1])
    sent = [f"{number} {'é' * (number % 90)}\n" for number in range(400)]
    expected = "".join(sent).encode()
    for line in sent:
        lines.put(line)
    assert read(pipe[0], len(expected)) == expected


def test_flushed_lines_are_written(pipe: tuple[int, int]) -> None:
    lines = lines_to(pipe[1])
    for _ in range(3):
        lines.put("one\n")
        lines.flush(10)
        assert os.read(pipe[0], WRITE_MAX_BYTES) == b"one\n"


def test_a_full_pipe_loses_lines_and_nobody_waits(pipe: tuple[int, int]) -> None:
    lines = lines_to(pipe[1])
    before = filled(pipe[1])
    lines.put("first\n")
    lines.flush(0.1)  # the thread has it now, and stands
    sent = [f"{number:05}\n" for number in range(LINES_MAX + 7)]
    putting = Thread(target=lambda: [lines.put(line) for line in sent], daemon=True)
    putting.start()
    putting.join(10)
    assert not putting.is_alive()
    lines.flush(0.01)
    read(pipe[0], before)
    kept = "".join(sent[:LINES_MAX]).encode()
    assert read(pipe[0], 6 + len(kept)) == b"first\n" + kept
    assert os.read(pipe[0], WRITE_MAX_BYTES) == b"lost 7\n"


def test_a_pipe_that_does_not_block_gets_every_line(pipe: tuple[int, int]) -> None:
    before = filled(pipe[1])
    os.set_blocking(pipe[1], False)
    lines = lines_to(pipe[1])
    lines.put("late\n")
    lines.flush(0.1)
    assert read(pipe[0], before + 5).endswith(b"late\n")


def test_a_pipe_that_is_gone_stops_nothing() -> None:
    lines = lines_to(-1)
    for _ in range(2):
        lines.put("x\n")
        lines.flush(10)
