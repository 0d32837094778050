"""Listing: everything in one selection, in one total order, in pages."""

import json
from dataclasses import dataclass

from mymcp.plugins.mnemosyne.memory import places
from mymcp.plugins.mnemosyne.memory.cursor import Cursor, CursorSeal
from mymcp.plugins.mnemosyne.memory.entries import MARK_BYTES, Entry
from mymcp.plugins.mnemosyne.memory.faults import InvalidCursor, StaleCursor
from mymcp.plugins.mnemosyne.memory.store import MemoryStore
from mymcp.plugins.mnemosyne.memory.view import View

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
    with store.viewing(selection.container) as view:
        return _page(view, seal, selection, 0, size)


def next_page(store: MemoryStore, seal: CursorSeal, selection: Selection, cursor: str) -> Page:
    """Return the page where `cursor` goes on.

    Raises `InvalidCursor` if it is not one of this selection, `StaleCursor` if the selected
    records changed or another process gave it, and what `first_page` raises.
    """
    opened = seal.open(cursor)
    if opened.selector != selection.digest(seal):
        raise InvalidCursor
    with store.viewing(selection.container) as view:
        if opened.snapshot != _snapshot(view, seal):
            raise StaleCursor
        if opened.offset >= view.listing().count:
            raise InvalidCursor
        return _page(view, seal, selection, opened.offset, opened.size)


def _page(view: View, seal: CursorSeal, selection: Selection, offset: int, size: int) -> Page:
    listing, end = view.listing(), offset + size
    next_cursor = None
    if end < listing.count:
        cursor = Cursor(end, size, selection.digest(seal), _snapshot(view, seal))
        next_cursor = seal.close(cursor)
    return Page(
        items=tuple(
            Listed(entry, listing.is_ambiguous(entry)) for entry in listing.entries(offset, size)
        ),
        number=offset // size + 1,
        total_count=listing.count,
        total_pages=-(-listing.count // size),
        next_cursor=next_cursor,
        skipped_count=view.census.skipped_count,
    )


def _snapshot(view: View, seal: CursorSeal) -> str:
    """Return the digest of the listed state: places and bytes of all its records."""
    return seal.digest("snapshot", [view.listing().mark_sum.to_bytes(MARK_BYTES)])
