"""A memory over files, as the plugin composes it."""

from collections.abc import Callable
from pathlib import Path
from time import time_ns

from mymcp.plugins.mnemosyne.memory.files import FileStorage
from mymcp.plugins.mnemosyne.memory.lock import LOCK_WAIT_SECONDS
from mymcp.plugins.mnemosyne.memory.store import CANDIDATE_LIMIT, MemoryStore

KEY = bytes(range(32))


def store_of(
    root: Path,
    *,
    candidate_limit: int = CANDIDATE_LIMIT,
    lock_wait_seconds: float = LOCK_WAIT_SECONDS,
    now_ns: Callable[[], int] = time_ns,
) -> MemoryStore:
    """Return the memory of the files below `root`."""
    storage = FileStorage(
        root,
        key=KEY,
        candidate_limit=candidate_limit,
        lock_wait_seconds=lock_wait_seconds,
        now_ns=now_ns,
    )
    return MemoryStore(storage, candidate_limit=candidate_limit)
