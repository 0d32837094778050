"""What goes wrong while a record is being changed, brought about by the system calls."""

import errno
import os
import stat
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Trouble = Callable[[pytest.MonkeyPatch, Path], None]


def unconfirmed_folders(monkeypatch: pytest.MonkeyPatch, _record: Path) -> None:
    """Let every sync of a folder fail."""
    really = os.fsync

    def fail_for_folders(descriptor: int) -> None:
        if stat.S_ISDIR(os.fstat(descriptor).st_mode):
            raise OSError(errno.EIO, "not synced")
        really(descriptor)

    monkeypatch.setattr(os, "fsync", fail_for_folders)


def full_disk(monkeypatch: pytest.MonkeyPatch, _record: Path) -> None:
    def full(_descriptor: int, _data: object) -> int:
        raise OSError(errno.ENOSPC, "full")

    monkeypatch.setattr(os, "write", full)


def edited_meanwhile(monkeypatch: pytest.MonkeyPatch, record: Path) -> None:
    """Let a person save the record while its next state is written beside it."""
    _meanwhile(monkeypatch, "fsync", lambda: record.write_bytes(record.read_bytes() + b"\n"))


def edited_before_unlink(monkeypatch: pytest.MonkeyPatch, record: Path) -> None:
    """Let a person save the record while its folder is searched for temporaries."""
    _meanwhile(monkeypatch, "scandir", lambda: record.write_bytes(record.read_bytes() + b"\n"))


def removed_before_unlink(monkeypatch: pytest.MonkeyPatch, record: Path) -> None:
    _meanwhile(monkeypatch, "scandir", record.unlink)


def removed_meanwhile(monkeypatch: pytest.MonkeyPatch, record: Path) -> None:
    _meanwhile(monkeypatch, "fsync", record.unlink)


def refused(name: str) -> Trouble:
    """Return the trouble in which `os.<name>` always fails."""

    def refuse(*_: Any, **__: Any) -> None:
        raise OSError(errno.EIO, "broken disk")

    return lambda monkeypatch, _record: monkeypatch.setattr(os, name, refuse)


def unanswered(name: str) -> Trouble:
    """Return the trouble in which `os.<name>` does its work, and yet fails: over a network."""

    def forget_the_answer(monkeypatch: pytest.MonkeyPatch, _record: Path) -> None:
        really = getattr(os, name)

        def done(*arguments: Any, **more: Any) -> None:
            really(*arguments, **more)
            raise OSError(errno.EIO, "no answer")

        monkeypatch.setattr(os, name, done)

    return forget_the_answer


def swapped_root(name: str) -> Trouble:
    """Return the trouble in which an empty folder takes the root's place before `os.<name>`."""

    def swap(root: Path) -> None:
        root.rename(root.with_name("aside"))
        root.mkdir()

    def on_record(monkeypatch: pytest.MonkeyPatch, record: Path) -> None:
        root = next(path for path in record.parents if path.name == "memory")
        _meanwhile(monkeypatch, name, lambda: swap(root))

    return on_record


def _meanwhile(monkeypatch: pytest.MonkeyPatch, name: str, act: Callable[[], object]) -> None:
    """Do `act` once, just before the first call of `os.<name>`."""
    really = getattr(os, name)

    def acting(*arguments: Any, **more: Any) -> Any:
        monkeypatch.setattr(os, name, really)
        act()
        return really(*arguments, **more)

    monkeypatch.setattr(os, name, acting)
