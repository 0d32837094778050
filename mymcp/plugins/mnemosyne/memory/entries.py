"""Entries: what the bytes of one file mean at the place where it lies."""

from dataclasses import dataclass
from hashlib import blake2b
from typing import Literal

from mymcp.plugins.mnemosyne.memory.records import (
    RECORD_MAX_BYTES,
    CanonicalRecord,
    Record,
    UnusableRecord,
    parse,
)

Path = tuple[str, ...]
"""Names from the root: scope first, the file's name last."""
Stamp = tuple[int, ...]
"""What tells two states of a file apart, whatever the storage takes for it."""
SkipReason = Literal[
    "symlink",
    "too_deep",
    "unreadable",
    "oversized",
    "invalid_encoding",
    "invalid_json",
    "invalid_record",
    "path_mismatch",
]
MARK_BYTES = 32


@dataclass(frozen=True, slots=True)
class Entry:
    """One valid record where it lies.

    `mark` is a keyed digest of its place and its bytes, a number below 2 to the power of 256:
    nobody without the key can make two sets of files whose marks have one sum.
    """

    path: Path
    record: Record
    mark: int

    @property
    def location(self) -> str:
        """The path from the scope, as text: the last tie-break of every order."""
        return "/".join(self.path[1:])


Reading = Entry | SkipReason


def reading_of(path: Path, data: bytes, key: bytes) -> Reading:
    """Return the entry of the file at `path`, or why it cannot be served.

    `key` is secret and at most 64 bytes long.
    """
    record = record_in(path, data)
    return record if isinstance(record, str) else Entry(path, record, _mark(path, data, key))


def record_in(path: Path, data: bytes) -> Record | SkipReason:
    """Return the record in `data`, or why the file at `path` cannot be served."""
    if len(data) > RECORD_MAX_BYTES:
        return "oversized"
    try:
        record = parse(data)
    except UnusableRecord as error:
        return error.reason
    if isinstance(record, CanonicalRecord) and not _belongs(record, path):
        return "path_mismatch"
    return record


def _belongs(record: CanonicalRecord, path: Path) -> bool:
    """Tell whether `path` is that of the record's address, which need not be made for that."""
    *folders, name = path
    collection = record.collection
    where = [record.scope, record.namespace.id]
    if collection is not None:
        where.append(collection.id)
    return folders == where and name == f"{record.id}.json"


def _mark(path: Path, data: bytes, key: bytes) -> int:
    place = "\0".join(path).encode("utf-8", "surrogateescape")
    digest = blake2b(len(place).to_bytes(4), key=key, digest_size=MARK_BYTES)
    digest.update(place)
    digest.update(data)
    return int.from_bytes(digest.digest())
