"""Remembering: one new record, unless an equal one is there."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Literal
from uuid import UUID

from mymcp._generated.models.shared.scope import Scope
from mymcp._generated.models.shared.vocabulary import MemoryKind
from mymcp.plugins.mnemosyne.memory.faults import CandidateLimitExceeded
from mymcp.plugins.mnemosyne.memory.identity import Identity, identity_of
from mymcp.plugins.mnemosyne.memory.instants import instant_of
from mymcp.plugins.mnemosyne.memory.records import (
    UNKNOWN_LANGUAGE,
    CanonicalRecord,
    Collection,
    Namespace,
    Origin,
)
from mymcp.plugins.mnemosyne.memory.store import MemoryStore
from mymcp.plugins.mnemosyne.memory.temporaries import TOKEN_BYTES

ID_BYTES = 16
Status = Literal["remembered", "already_exists", "existing_archived"]


@dataclass(frozen=True, slots=True)
class Draft:
    """What a caller may say of a new memory, normalised."""

    scope: Scope
    namespace: Namespace
    collection: Collection | None
    kind: MemoryKind
    language: str | None
    title: str | None
    content: str
    tags: tuple[str, ...]
    origin: Origin
    occurred_at: str | None = None

    @property
    def identity(self) -> Identity:
        """What a record must have in common to tell it already."""
        return identity_of(self)

    def recorded(self, identifier: str, instant: str) -> CanonicalRecord:
        """Return the first revision of this draft as a record."""
        return CanonicalRecord(
            id=identifier,
            scope=self.scope,
            namespace=self.namespace,
            collection=self.collection,
            kind=self.kind,
            language=self.language or UNKNOWN_LANGUAGE,
            title=self.title,
            content=self.content,
            tags=self.tags,
            origin=self.origin,
            recorded_via="memory_remember",
            state="active",
            revision=1,
            created_at=instant,
            updated_at=instant,
            occurred_at=self.occurred_at,
        )


@dataclass(frozen=True, slots=True)
class Remembered:
    """What became of a draft, and the record that now tells it."""

    status: Status
    record: CanonicalRecord


@dataclass(frozen=True, slots=True)
class Remembering:
    """The act of remembering. `clock` tells the time, `randomness` gives that many bytes."""

    store: MemoryStore
    clock: Callable[[], datetime]
    randomness: Callable[[int], bytes]

    def __call__(self, draft: Draft) -> Remembered:
        """Store `draft`, or find the record that tells it already.

        Looking and writing happen under one lock, so two callers cannot both find nothing.
        Raises `CandidateLimitExceeded` rather than cross the limit, and what `Writer` raises.
        """
        with self.store.writing() as writer:
            with writer.viewing(draft.scope) as view:
                twin, has_room = view.twin(draft.identity), writer.has_room(view)
            if twin is not None:
                status: Status = "already_exists" if twin.state == "active" else "existing_archived"
                return Remembered(status, twin)
            if not has_room:
                raise CandidateLimitExceeded
            record = draft.recorded(self._new_id(), instant_of(self.clock()))
            writer.create(record, token=self.randomness(TOKEN_BYTES).hex())
        return Remembered("remembered", record)

    def _new_id(self) -> str:
        return f"mem_{UUID(bytes=self.randomness(ID_BYTES), version=4).hex}"
