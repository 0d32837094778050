"""The memory tree: one root of files, read whole or not at all, written by one at a time.

What a selection names (root, scope, namespace, collection, record) must be a real folder or
file. Missing, it is empty; a symlink or anything else, it is `SourceUnavailable` for every tool:
an answer that leaves it out would read as "nothing is known". Below the selection, what cannot
be served is skipped, counted and logged.
"""

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from threading import Lock
from time import time_ns

from mymcp.plugins.mnemosyne.memory.change import Change
from mymcp.plugins.mnemosyne.memory.discovery import Skip, discover
from mymcp.plugins.mnemosyne.memory.faults import (
    CreationUncertain,
    NotFound,
    RevisionConflict,
    SourceUnavailable,
    WriteConflict,
)
from mymcp.plugins.mnemosyne.memory.folder import Folder
from mymcp.plugins.mnemosyne.memory.likeness import Vocabulary
from mymcp.plugins.mnemosyne.memory.lock import LOCK_WAIT_SECONDS, RootLock
from mymcp.plugins.mnemosyne.memory.places import Address, Container, scope_container
from mymcp.plugins.mnemosyne.memory.publication import PublicationUncertain, publish
from mymcp.plugins.mnemosyne.memory.readings import Entry, Readings, reading_of
from mymcp.plugins.mnemosyne.memory.records import (
    RECORD_MAX_BYTES,
    CanonicalRecord,
    LegacyRecord,
    serialise,
)
from mymcp.plugins.mnemosyne.memory.temporaries import sweep

CANDIDATE_LIMIT = 1_000
"""Record files that one selection may hold, valid or not."""
SURVEYS_KEPT_MAX = 16


@dataclass(frozen=True, slots=True)
class Survey:
    """All of one selection: valid records in discovery order, files seen, things skipped."""

    entries: tuple[Entry, ...] = ()
    candidate_count: int = 0
    skipped_count: int = 0
    _made: dict[bool, Vocabulary] = field(default_factory=dict, repr=False, compare=False)

    def vocabulary(self, *, with_legacy: bool) -> Vocabulary:
        """Return the words of the active records; made when first asked for."""
        made = self._made.get(with_legacy)
        if made is None:
            keys: set[str] = set()
            for entry in self.entries:
                record = entry.record
                is_asked = (
                    with_legacy if isinstance(record, LegacyRecord) else record.state == "active"
                )
                if is_asked:
                    keys.update(entry.terms.places)
            made = self._made[with_legacy] = Vocabulary(keys)
        return made


class Writer:
    """What may be done while the root is held. Made by `MemoryStore.writing`."""

    def __init__(
        self, root: Folder, survey: Callable[[Folder, Container], Survey], limit: int
    ) -> None:
        self._root = root
        self._survey = survey
        self._limit = limit

    def survey_scope(self, scope: str) -> Survey:
        """Return everything in `scope`. Raises as `MemoryStore.survey` does."""
        container = scope_container(scope)
        with _opened_below(self._root, container.folders) as folder:
            return Survey() if folder is None else self._survey(folder, container)

    def has_room(self, survey: Survey) -> bool:
        """Tell whether one more record may come to what `survey` saw."""
        return survey.candidate_count < self._limit

    def create(self, record: CanonicalRecord, *, token: str) -> None:
        """Put a new record into the tree; `token` is random, for a temporary name.

        Raises `WriteConflict` if its file is taken, `SourceUnavailable` if nothing was written,
        `CreationUncertain` if the disk did not confirm what is visible already, `ValueError` if
        the record is not fit to be written.
        """
        address, data = record.address, serialise(record)
        try:
            with self._made(address.folders) as folder:
                publish(folder, address.file_name, data, token=token)
        except FileExistsError:
            raise WriteConflict from None
        except PublicationUncertain as error:
            raise CreationUncertain(address) from error
        except OSError as error:
            raise SourceUnavailable from error

    @contextmanager
    def _made(self, names: tuple[str, ...]) -> Iterator[Folder]:
        with ExitStack() as opened:
            folder = self._root
            for name in names:
                folder = opened.enter_context(folder.made(name))
            yield folder


class MemoryStore:
    """The files below `root`, an absolute path. Safe to share between threads."""

    def __init__(
        self,
        root: Path,
        *,
        candidate_limit: int = CANDIDATE_LIMIT,
        lock_wait_seconds: float = LOCK_WAIT_SECONDS,
        now_ns: Callable[[], int] = time_ns,
    ) -> None:
        self._root = root
        self._limit = candidate_limit
        self._lock = RootLock(root, wait_seconds=lock_wait_seconds)
        self._readings = Readings(now_ns)
        self._walking = Lock()
        self._last: dict[Container, Survey] = {}
        self._is_swept = False

    def survey(self, container: Container) -> Survey:
        """Return everything in `container`; empty if there is no such folder.

        Raises `SourceUnavailable`, `CandidateLimitExceeded`.
        """
        with _opened(self._root_folder(), container.folders) as folder:
            return Survey() if folder is None else self._survey(folder, container)

    def record(self, address: Address) -> CanonicalRecord:
        """Return the version-2 record at `address`.

        Raises `NotFound` if there is none, `SourceUnavailable` if something is there that cannot
        be read as one: absence must mean absence.
        """
        with _opened(self._root_folder(), address.folders) as folder:
            if folder is None:
                raise NotFound
            return _record_in(folder, address)[0]

    @contextmanager
    def writing(self) -> Iterator[Writer]:
        """Hold the root for one read-decide-write; makes the root if it is missing.

        Raises `SourceUnavailable` if the root is unsafe or stays busy.
        """
        with self._held() as root:
            yield Writer(root, self._survey, self._limit)

    @contextmanager
    def changing(self, address: Address, revision: int) -> Iterator[Change]:
        """Hold the root and the record at `address` for one read-decide-write; makes nothing.

        Raises as `record` and `writing` do, and `RevisionConflict` if the record is not at
        `revision`.
        """
        with _opened(self._root_folder(), ()) as root:
            if root is None:
                raise NotFound  # holding the root would make it
        with self._held() as root, _opened_below(root, address.folders) as folder:
            if folder is None:
                raise NotFound
            record, data = _record_in(folder, address)
            if record.revision != revision:
                raise RevisionConflict
            yield Change(folder, record, data)

    @contextmanager
    def _held(self) -> Iterator[Folder]:
        """Hold the root; the first time, remove what a killed process left behind."""
        with self._lock.held() as root:
            if not self._is_swept:
                self._is_swept = True
                sweep(root)
            yield root

    def _root_folder(self) -> Folder | None:
        folder = _if_there(lambda: Folder.at(self._root))
        if folder is None and _leads_nowhere(self._root):
            raise SourceUnavailable
        return folder

    def _survey(self, folder: Folder, container: Container) -> Survey:
        # Threads share one interpreter: walking at once is no faster, and every thread that wants
        # to run makes whoever answers `/health` wait longer for its turn.
        with self._walking:
            found = discover(folder, container, self._limit)
            readings = self._readings.of(folder, container.folders, found.candidates)
        stamps = {candidate.path: candidate.stamp for candidate in found.candidates}
        entries: list[Entry] = []
        skips = found.skips
        for path in stamps:
            reading = readings[path]
            if isinstance(reading, Entry):
                entries.append(reading)
            else:
                skips.append(Skip(path, reading))
        self._readings.warn(skips, stamps)
        return self._kept(container, Survey(tuple(entries), len(stamps), len(skips)))

    def _kept(self, container: Container, survey: Survey) -> Survey:
        """Return the last survey of `container` if nothing changed: it may have made its words."""
        last = self._last.get(container)
        if last == survey:
            return last
        if len(self._last) >= SURVEYS_KEPT_MAX:
            self._last.clear()
        self._last[container] = survey
        return survey


def _record_in(folder: Folder, address: Address) -> tuple[CanonicalRecord, bytes]:
    """Return the version-2 record at `address`, which lies in `folder`, and its bytes.

    Raises as `MemoryStore.record` does.
    """
    try:
        data, _ = folder.read(address.file_name, RECORD_MAX_BYTES + 1)
    except FileNotFoundError:
        raise NotFound from None
    except OSError as error:
        raise SourceUnavailable from error
    reading = reading_of(address.path, data)
    if not isinstance(reading, Entry):
        raise SourceUnavailable
    if isinstance(reading.record, LegacyRecord):
        raise NotFound
    return reading.record, data


@contextmanager
def _opened(root: Folder | None, names: tuple[str, ...]) -> Iterator[Folder | None]:
    """Open the folder that `names` leads to from `root`, and close both at the end."""
    if root is None:
        yield None
        return
    with root, _opened_below(root, names) as folder:
        yield folder


@contextmanager
def _opened_below(folder: Folder, names: tuple[str, ...]) -> Iterator[Folder | None]:
    """Open the folder that `names` leads to; none if one of them is missing."""
    with ExitStack() as opened:
        found: Folder | None = folder
        for name in names:
            found = _if_there(partial(folder.child, name))
            if found is None:
                break
            folder = opened.enter_context(found)
        yield found


def _leads_nowhere(path: Path) -> bool:
    """Tell whether a folder above the missing `path` is a dangling link: a disk not mounted, say.

    That is not an empty memory, and nothing may be concluded from it.
    """
    for above in path.parents:
        try:
            above.stat()
        except FileNotFoundError:
            if above.is_symlink():
                return True
        except OSError:
            return True
        else:
            return False
    return False


def _if_there(open_folder: Callable[[], Folder]) -> Folder | None:
    try:
        return open_folder()
    except FileNotFoundError:
        return None
    except OSError as error:
        raise SourceUnavailable from error
