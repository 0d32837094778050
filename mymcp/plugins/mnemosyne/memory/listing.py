"""Listing: everything in one selection, in one total order, in pages.

Version 1 comes before version 2; version 1 by id, version 2 by namespace, then without before
with a collection, then collection and id; paths settle what is left.
"""

import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from mymcp.plugins.mnemosyne.memory import places
from mymcp.plugins.mnemosyne.memory.cursor import Cursor, CursorSeal
from mymcp.plugins.mnemosyne.memory.faults import InvalidCursor, StaleCursor
from mymcp.plugins.mnemosyne.memory.readings import Entry
from mymcp.plugins.mnemosyne.memory.records import LegacyRecord
from mymcp.plugins.mnemosyne.memory.store import MemoryStore

PAGE_SIZE_DEFAULT = 50
PAGE_SIZE_MAX = 100


@dataclass(frozen=True, slots=True)
class Selection:
    """What is listed.

    Without a namespace the whole scope, both record versions. With one, its version-2 records:
    all of them, or where `in_collection` is set those of `collection_id` (none: of no collection).
    """

    scope: str
    namespace_id: str | None = None
    in_collection: bool = False
    collection_id: str | None = None

    @property
    def container(self) -> places.Container:
        """The folder that holds it."""
        if self.namespace_id is None:
            return places.scope_container(self.scope)
        if not self.in_collection:
            return places.listed_namespace(self.scope, self.namespace_id)
        if self.collection_id is None:
            return places.collectionless(self.scope, self.namespace_id)
        return places.collection(self.scope, self.namespace_id, self.collection_id)

    def digest(self, seal: CursorSeal) -> str:
        """Return the digest that binds a cursor to this selection."""
        mode = [self.scope, self.namespace_id, self.in_collection, self.collection_id]
        return seal.digest("selector", [json.dumps(mode).encode()])


@dataclass(frozen=True, slots=True)
class Listed:
    """One record of a page; `ambiguous` if several version-1 records share its id."""

    entry: Entry
    ambiguous: bool


@dataclass(frozen=True, slots=True)
class Page:
    """One page of a selection; `next_cursor` is none on the last.

    `skipped_count` is how much of the whole selection cannot be served.
    """

    items: tuple[Listed, ...]
    number: int
    total_count: int
    total_pages: int
    next_cursor: str | None
    skipped_count: int


def first_page(
    store: MemoryStore, seal: CursorSeal, selection: Selection, size: int = PAGE_SIZE_DEFAULT
) -> Page:
    """Return the first page of `selection`, `size` records long.

    Raises `SourceUnavailable`, `CandidateLimitExceeded`; there is never a partial page.
    """
    entries, skipped = _ordered(store, selection)
    return _page(entries, seal, selection, _Place(0, size, _snapshot(entries, seal), skipped))


def next_page(store: MemoryStore, seal: CursorSeal, selection: Selection, cursor: str) -> Page:
    """Return the page where `cursor` goes on.

    Raises `InvalidCursor` if it is not one of this selection, `StaleCursor` if the selected
    records changed or another process gave it, and what `first_page` raises.
    """
    opened = seal.open(cursor)
    if opened.selector != selection.digest(seal):
        raise InvalidCursor
    entries, skipped = _ordered(store, selection)
    snapshot = _snapshot(entries, seal)
    if opened.snapshot != snapshot:
        raise StaleCursor
    if opened.offset >= len(entries):
        raise InvalidCursor
    return _page(entries, seal, selection, _Place(opened.offset, opened.size, snapshot, skipped))


@dataclass(frozen=True, slots=True)
class _Place:
    offset: int
    size: int
    snapshot: str
    skipped: int


def _page(entries: Sequence[Entry], seal: CursorSeal, selection: Selection, place: _Place) -> Page:
    end = place.offset + place.size
    follow = end < len(entries)
    shared = _shared_ids(entries)
    return Page(
        items=tuple(Listed(e, e.record.id in shared) for e in entries[place.offset : end]),
        number=place.offset // place.size + 1,
        total_count=len(entries),
        total_pages=-(-len(entries) // place.size),
        next_cursor=seal.close(Cursor(end, place.size, selection.digest(seal), place.snapshot))
        if follow
        else None,
        skipped_count=place.skipped,
    )


def _ordered(store: MemoryStore, selection: Selection) -> tuple[list[Entry], int]:
    survey = store.survey(selection.container)
    wanted = (e for e in survey.entries if selection.namespace_id is None or not _is_legacy(e))
    return sorted(wanted, key=_position), survey.skipped_count


def _position(entry: Entry) -> tuple[int, str, str, str, str]:
    record = entry.record
    if isinstance(record, LegacyRecord):
        return (1, "", "", record.id, entry.location)
    # No collection sorts before every collection: no id is empty.
    collection_id = "" if record.collection is None else record.collection.id
    return (2, record.namespace.id, collection_id, record.id, entry.location)


def _shared_ids(entries: Sequence[Entry]) -> frozenset[str]:
    counts = Counter(entry.record.id for entry in entries if _is_legacy(entry))
    return frozenset(identifier for identifier, count in counts.items() if count > 1)


def _snapshot(entries: Sequence[Entry], seal: CursorSeal) -> str:
    """Return the digest of the listed state: identities, places and bytes, in order."""
    return seal.digest("snapshot", (entry.fingerprint for entry in entries))


def _is_legacy(entry: Entry) -> bool:
    return isinstance(entry.record, LegacyRecord)
