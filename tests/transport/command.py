"""A command of the product in a process of its own."""

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Mapping
from pathlib import Path

from tests.transport.serving import Wire

GIVE_UP_SECONDS = 15


class Command:
    """A `python` process that serves, and what it wrote.

    `{port}` in its arguments is `port`, or one that was free a moment ago. Its log is in `folder`,
    and so is its memory, unless `settings`, variables of its environment, say otherwise. `stderr`
    is a descriptor that takes the log instead.
    """

    def __init__(
        self,
        folder: Path,
        *arguments: str,
        address: str = "127.0.0.1",
        port: int | None = None,
        settings: Mapping[str, str] | None = None,
        stderr: int | None = None,
    ) -> None:
        port = _free_port(address) if port is None else port
        self.wire = Wire(port, address)
        self._log = folder / "log"
        root = {"HOME": str(folder), "MNEMOSYNE_MEMORY_ROOT": str(folder / "memory")}
        environment = {**os.environ, **root, **(settings or {})}
        checkout = Path(__file__).parents[2]
        with self._log.open("wb") as log:
            taken = log if stderr is None else stderr
            self.process = subprocess.Popen(
                [sys.executable, *(one.format(port=port) for one in arguments)],
                env=environment,
                cwd=checkout,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=taken,
            )
        self._await_health()

    def __enter__(self) -> "Command":
        return self

    def __exit__(self, *_error: object) -> None:
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()

    @property
    def log(self) -> str:
        return self._log.read_text()

    def stop(self, number: signal.Signals = signal.SIGTERM) -> int:
        self.process.send_signal(number)
        return self.process.wait(GIVE_UP_SECONDS)

    def _await_health(self) -> None:
        for _ in range(GIVE_UP_SECONDS * 20):
            if self.process.poll() is not None:
                raise AssertionError(self.log)
            try:
                self.wire.ask("GET", "/health")
            except OSError:
                time.sleep(0.05)
            else:
                return
        raise AssertionError("the server does not answer")


def _free_port(address: str) -> int:
    family = socket.AF_INET6 if ":" in address else socket.AF_INET
    with socket.create_server((address, 0), family=family) as probe:
        port = probe.getsockname()[1]
    assert isinstance(port, int)
    return port
