"""One call of a tool in a process that is killed, or whose disk fails, at one exact step.

A step is a system call that changes something on the disk, or the middle of a write. A program of
one thread waits here and forks a child for every call, since starting Python takes longer than
all calls together.
"""

import errno
import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from mymcp.plugins.mnemosyne.memory import publication, renaming
from tests.plugins.mnemosyne.caller import Caller

CHECKOUT = Path(__file__).parents[3]
CHANGING = ["mkdir", "fchmod", "fsync", "link", "rename", "unlink", "rmdir"]
WAYS = ["unnamed", "linked", "renamed", "looked up"]
"""How a new record may get its name, by what the file system knows."""


@dataclass(frozen=True)
class Ending:
    """How a call ended: `answer` is none if its process was killed.

    `reached` tells whether the step came at all; a call has no more steps than that.
    """

    answer: dict[str, Any] | None
    reached: bool


class Executioner:
    """The waiting program; a context manager that ends it."""

    def __init__(self) -> None:
        self._program = subprocess.Popen(
            [sys.executable, "-m", "tests.plugins.mnemosyne.killing"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            cwd=CHECKOUT,
        )

    def __enter__(self) -> "Executioner":
        return self

    def __exit__(self, *_error: object) -> None:
        self._program.communicate()

    def call(
        self, root: Path, tool: str, arguments: object, *, doom: str, step: int, way: str = WAYS[0]
    ) -> Ending:
        """Call `tool`; at `step` its process is killed (`kill`), the one system call fails
        (`fail`), or that and every later one (`break`)."""
        order = [str(root), tool, arguments, doom, step, way]
        assert self._program.stdin is not None
        assert self._program.stdout is not None
        self._program.stdin.write(json.dumps(order) + "\n")
        self._program.stdin.flush()
        return Ending(**json.loads(self._program.stdout.readline()))


class Doom:
    """Counts steps, and lets the one that was chosen go wrong."""

    def __init__(self, doom: str, step: int) -> None:
        self._doom = doom
        self._left = step

    @property
    def reached(self) -> bool:
        return self._left < 0

    def strike(self) -> None:
        self._left -= 1
        if self._left == -1 or (self._left < -1 and self._doom == "break"):
            if self._doom == "kill":
                os.kill(os.getpid(), signal.SIGKILL)
            raise OSError(errno.EIO, "broken disk")

    def over(self, really: Callable[..., Any]) -> Callable[..., Any]:
        def struck(*arguments: Any, **more: Any) -> Any:
            self.strike()
            return really(*arguments, **more)

        return struck

    def over_open(self, really: Callable[..., int]) -> Callable[..., int]:
        def struck(path: Any, flags: int, *rest: Any, **more: Any) -> int:
            unnamed = getattr(os, "O_TMPFILE", os.O_CREAT)
            if flags & os.O_CREAT or flags & unnamed == unnamed:
                self.strike()
            return really(path, flags, *rest, **more)

        return struck

    def over_write(self, really: Callable[..., int]) -> Callable[..., int]:
        def struck(descriptor: int, data: memoryview) -> int:
            self.strike()
            written = really(descriptor, data[: len(data) // 2])
            self.strike()
            return written + really(descriptor, data[written:])

        return struck


def choose_way(way: str) -> None:
    """Take from this process what the file system of `way` does not know."""
    if way != "unnamed":
        publication._UNNAMED = 0
    if way in {"renamed", "looked up"}:
        os.link = _refuse_link
    if way == "looked up":
        renaming._renameat2 = lambda: None  # type: ignore[assignment]


def _refuse_link(*_: Any, **__: Any) -> None:
    raise PermissionError(errno.EPERM, "no hard links here")


def doomed_call(order: list[Any], reply: int) -> None:
    """Make the call that `order` describes and write its ending to descriptor `reply`."""
    root, tool, arguments, doom_name, step, way = order
    caller, doom, really_write = Caller(Path(root)), Doom(doom_name, step), os.write
    choose_way(way)
    for name in CHANGING:
        setattr(os, name, doom.over(getattr(os, name)))
    os.open, os.write = doom.over_open(os.open), doom.over_write(os.write)
    renaming._rename_exclusively = doom.over(renaming._rename_exclusively)
    answer = json.loads(caller.tools[tool].call(arguments).text)
    really_write(reply, json.dumps({"answer": answer, "reached": doom.reached}).encode())


def main() -> None:
    for line in sys.stdin:
        receive, reply = os.pipe()
        child = os.fork()
        if child == 0:
            doomed_call(json.loads(line), reply)
            os._exit(0)
        os.close(reply)
        with os.fdopen(receive, "rb") as pipe:
            told = pipe.read()
        _, status = os.waitpid(child, 0)
        killed = os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGKILL
        sys.stdout.write(f"{told.decode() or json.dumps({'answer': None, 'reached': killed})}\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
