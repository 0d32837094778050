"""The real server, started for a measurement with a home and a memory of its own."""

import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.bench.figure import Unmeasurable
from tests.bench.records import write_records
from tests.bench.wire import INITIALIZE, Connection, message

START_SECONDS = 30


@dataclass(frozen=True, slots=True)
class Running:
    """A server that has answered its first `initialize`."""

    pid: int
    port: int


@contextmanager
def serving(records: int = 0, options: Sequence[str] = ()) -> Iterator[Running]:
    """Run a server whose memory holds `records` records; its log goes to a file, as in service.

    `options` are further ones of the command.
    """
    with TemporaryDirectory(prefix="mymcp-bench-") as home:
        root = Path(home) / "memory"
        root.mkdir(mode=0o700)
        write_records(root, records)
        port = _free_port()
        with Path(home, "log").open("wb") as log:
            process = subprocess.Popen(
                [sys.executable, "-m", "mymcp", "--port", str(port), *options],
                env=_environment(home, root),
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
            )
            try:
                _await_initialize(process, port, Path(home, "log"))
                yield Running(process.pid, port)
            finally:
                process.terminate()
                process.wait(timeout=30)


def _environment(home: str, root: Path) -> dict[str, str]:
    mine = {k: v for k, v in os.environ.items() if not k.startswith(("MYMCP_", "MNEMOSYNE_"))}
    mine.pop("XDG_CONFIG_HOME", None)
    return mine | {"HOME": home, "MNEMOSYNE_MEMORY_ROOT": str(root)}


def _free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port: int = listener.getsockname()[1]
        return port


def _await_initialize(process: "subprocess.Popen[bytes]", port: int, log: Path) -> None:
    deadline = time.monotonic() + START_SECONDS
    while time.monotonic() < deadline and process.poll() is None:
        try:
            with Connection(port) as connection:
                connection.ask(message("initialize", INITIALIZE))
                return
        except ConnectionRefusedError:
            time.sleep(0.005)
    raise Unmeasurable(f"the server did not start:\n{log.read_text(encoding='utf-8')}")
