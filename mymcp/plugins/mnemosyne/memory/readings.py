"""Records as they were read, kept while their files stay the same.

Files are the truth. A kept reading is served only when the file's stamp, taken anew on this call,
is the one it was read at.
"""

import errno
import logging
from collections import defaultdict
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from hashlib import sha256

from mymcp.plugins.mnemosyne.memory.discovery import (
    Candidate,
    Path,
    Skip,
    SkipReason,
    Stamp,
    stamp_of,
)
from mymcp.plugins.mnemosyne.memory.faults import SourceUnavailable
from mymcp.plugins.mnemosyne.memory.folder import Folder
from mymcp.plugins.mnemosyne.memory.records import (
    RECORD_MAX_BYTES,
    CanonicalRecord,
    Record,
    UnusableRecord,
    parse,
)
from mymcp.plugins.mnemosyne.memory.terms import Terms, terms_of

SETTLED_NS = 50_000_000
COARSE_SETTLED_NS = 2_000_000_000
READINGS_MAX = 10_000
"""Kept readings of a scope, remembered warnings; beyond this they are dropped and made anew."""
_LACK_OF_MEANS = frozenset({errno.EMFILE, errno.ENFILE, errno.ENOMEM})
WARNINGS_MAX = 20
"""Lines that one call may write about what it skipped; the last one counts the rest."""

logger = logging.getLogger("mymcp.memory.store")


@dataclass(slots=True)
class Entry:
    """One valid record where it lies.

    `fingerprint` is 32 bytes that change with its place or any byte of its file.
    """

    path: Path
    record: Record
    fingerprint: bytes
    _terms: Terms | None = field(default=None, repr=False, compare=False)

    @property
    def location(self) -> str:
        """The path from the scope, as text: the last tie-break of every order."""
        return "/".join(self.path[1:])

    @property
    def terms(self) -> Terms:
        """What recall finds in this record; made when first asked for."""
        if self._terms is None:
            self._terms = terms_of(self.record, self.path[1:-1])
        return self._terms


Reading = Entry | SkipReason
_NONE: tuple[Stamp | None, Reading] = (None, "unreadable")


class Readings:
    """All readings of one store. Threads may share it: losing a race only costs a second read."""

    def __init__(self, now_ns: Callable[[], int]) -> None:
        self._now_ns = now_ns
        self._kept: dict[str, dict[Path, tuple[Stamp, Reading]]] = defaultdict(dict)
        self._warned: set[tuple[Path, SkipReason, Stamp | None]] = set()

    def of(
        self, folder: Folder, base: Path, candidates: Iterable[Candidate]
    ) -> dict[Path, Reading]:
        """Return a reading of each candidate; `folder` is the one at `base`.

        Raises `SourceUnavailable` where this process lacks the means to read: a file left out for
        that would read as one that is not there.
        """
        kept = self._kept[base[0]]
        found: dict[Path, Reading] = {}
        unread: dict[Path, list[Candidate]] = defaultdict(list)
        for candidate in candidates:
            stamp, reading = kept.get(candidate.path, _NONE)
            if stamp == candidate.stamp:
                found[candidate.path] = reading
            else:
                unread[candidate.path[len(base) : -1]].append(candidate)
        for names, group in unread.items():
            found.update(self._read_group(folder, names, group))
        if len(base) == 1 and len(kept) > len(found):  # files are gone
            there = {path: kept.get(path) for path in found}
            self._kept[base[0]] = {path: one for path, one in there.items() if one is not None}
        return found

    def warn(self, skips: Iterable[Skip], stamps: dict[Path, Stamp] | None = None) -> None:
        """Log what cannot be served, once for each state of it, without path or content."""
        new = [
            (skip, mark)
            for skip in skips
            if (mark := (skip.path, skip.reason, (stamps or {}).get(skip.path))) not in self._warned
        ]
        for skip, mark in new[:WARNINGS_MAX]:
            if len(self._warned) >= READINGS_MAX:
                self._warned.clear()
            self._warned.add(mark)
            logger.warning("skipped scope=%s reason=%s", skip.path[0], skip.reason)
        if len(new) > WARNINGS_MAX:
            more = len(new) - WARNINGS_MAX
            logger.warning("skipped scope=%s more=%d", new[0][0].path[0], more)

    def _read_group(
        self, folder: Folder, names: Path, group: list[Candidate]
    ) -> dict[Path, Reading]:
        try:
            with folder.below(names) as home:
                return {candidate.path: self._read(home, candidate.path) for candidate in group}
        except OSError as error:
            return dict.fromkeys((candidate.path for candidate in group), _unreadable(error))

    def _read(self, home: Folder, path: Path) -> Reading:
        before = self._now_ns()
        try:
            data, state = home.read(path[-1], RECORD_MAX_BYTES + 1)
        except OSError as error:
            return _unreadable(error)
        reading = reading_of(path, data)
        stamp = stamp_of(state)
        if _is_settled(stamp, before):
            self._keep(path, stamp, reading)
        return reading

    def _keep(self, path: Path, stamp: Stamp, reading: Reading) -> None:
        kept = self._kept[path[0]]
        if len(kept) >= READINGS_MAX:
            kept.clear()
        kept[path] = (stamp, reading)


def reading_of(path: Path, data: bytes) -> Reading:
    """Return the record in `data`, or why the file at `path` cannot be served."""
    if len(data) > RECORD_MAX_BYTES:
        return "oversized"
    try:
        record = parse(data)
    except UnusableRecord as error:
        return error.reason
    if isinstance(record, CanonicalRecord) and record.address.path != path:
        return "path_mismatch"
    place = "\0".join(path).encode("utf-8", "surrogateescape")
    return Entry(path, record, sha256(sha256(place).digest() + data).digest())


def _unreadable(error: OSError) -> SkipReason:
    if error.errno in _LACK_OF_MEANS:
        raise SourceUnavailable from error
    return "unreadable"


def _is_settled(stamp: Stamp, before_ns: int) -> bool:
    """Tell whether a later write would surely show in the stamp.

    Clocks of file systems tick: two writes in one tick leave one stamp. A file that changed just
    before it was read is therefore read again next time. Whole seconds betray a coarse clock.
    """
    changed_ns = stamp[3]
    tick = SETTLED_NS if changed_ns % 1_000_000_000 else COARSE_SETTLED_NS
    return changed_ns + tick < before_ns
