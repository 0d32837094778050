"""Lines on their way to a descriptor, written by a thread of their own."""

import os
import time
from collections import deque
from collections.abc import Callable
from threading import Event, Lock, Thread

LINES_MAX = 4_096
"""Most lines that wait; further ones are lost and counted."""

PAUSE_SECONDS = 0.02
"""How long the first of several lines waits for the others: a wake-up costs more than a line."""

WRITE_MAX_BYTES = 4_096
"""Longest write of several lines: POSIX lets no other writer of a pipe break into it (PIPE_BUF)."""


class Lines:
    """Takes lines without ever waiting, whatever takes them from the other end of a pipe.

    Args:
        descriptor: where they are written.
        tell_lost: makes the line that says how many were lost.
    """

    def __init__(self, descriptor: int, tell_lost: Callable[[int], str]) -> None:
        self._descriptor = descriptor
        self._tell_lost = tell_lost
        self._waiting: deque[str] = deque()
        self._lost = 0
        self._busy = False
        self._news = Event()
        self._hurry = Event()
        self._lock = Lock()
        self._thread: Thread | None = None

    def put(self, line: str) -> None:
        """Have `line`, which ends with a newline, written soon. From any thread."""
        if len(self._waiting) >= LINES_MAX:
            with self._lock:
                self._lost += 1
            return
        self._waiting.append(line)
        if not self._news.is_set():
            self._news.set()
            self._start_thread()

    def flush(self, seconds: float) -> None:
        """Wait until every line is written, at most so long."""
        end = time.monotonic() + seconds
        self._hurry.set()
        while (self._waiting or self._busy) and time.monotonic() < end:
            time.sleep(0.001)
        self._hurry.clear()

    def _start_thread(self) -> None:
        with self._lock:
            if self._thread is None:
                self._thread = Thread(target=self._write_all, name="mymcp-log", daemon=True)
                self._thread.start()

    def _write_all(self) -> None:
        while True:
            self._news.wait()
            self._hurry.wait(PAUSE_SECONDS)
            self._busy = True
            self._news.clear()
            while self._waiting:
                self._write(self._several())
            self._write_lost()
            self._busy = False

    def _several(self) -> bytes:
        written = b""
        while self._waiting:
            line = self._waiting[0].encode(errors="backslashreplace")
            if written and len(written) + len(line) > WRITE_MAX_BYTES:
                break
            self._waiting.popleft()
            written += line
        return written

    def _write_lost(self) -> None:
        with self._lock:
            lost, self._lost = self._lost, 0
        if lost:
            self._write(self._tell_lost(lost).encode())

    def _write(self, text: bytes) -> None:
        while text:
            try:
                text = text[os.write(self._descriptor, text) :]
            except BlockingIOError:  # somebody else made the other end's pipe non-blocking
                time.sleep(PAUSE_SECONDS)
            except OSError:  # a stderr that is gone stops nothing
                return
