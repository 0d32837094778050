"""Remembering: one new record, unless an equal one is there."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Literal
from uuid import UUID

from mymcp._generated.models.shared.scope import Scope
from mymcp._generated.models.shared.vocabulary import MemoryKind
from mymcp.plugins.mnemosyne.memory.faults import CandidateLimitExceeded
from mymcp.plugins.mnemosyne.memory.instants import instant_of
from mymcp.plugins.mnemosyne.memory.records import (
    UNKNOWN_LANGUAGE,
    CanonicalRecord,
    Collection,
    Namespace,
    Origin,
    Record,
)
from mymcp.plugins.mnemosyne.memory.store import MemoryStore, Survey
from mymcp.plugins.mnemosyne.memory.temporaries import TOKEN_BYTES

ID_BYTES = 16


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

    def is_told_by(self, record: Record) -> bool:
        """Tell whether `record` says the same of the same.

        Labels, language, origin, times and state do not make a memory another one; version-1
        records are never equal to a draft.
        """
        return (
            isinstance(record, CanonicalRecord)
            and record.content == self.content
            and record.title == self.title
            and record.kind == self.kind
            and record.occurred_at == self.occurred_at
            and record.scope == self.scope
            and (record.namespace.kind, record.namespace.id)
            == (self.namespace.kind, self.namespace.id)
            and _id_of(record.collection) == _id_of(self.collection)
            and _tag_set(record.tags) == _tag_set(self.tags)
        )

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

    status: Literal["remembered", "already_exists", "existing_archived"]
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
            survey = writer.survey_scope(draft.scope)
            twin = _twin(draft, survey)
            if twin is not None:
                return twin
            if not writer.has_room(survey):
                raise CandidateLimitExceeded
            record = draft.recorded(self._new_id(), instant_of(self.clock()))
            writer.create(record, token=self.randomness(TOKEN_BYTES).hex())
        return Remembered("remembered", record)

    def _new_id(self) -> str:
        return f"mem_{UUID(bytes=self.randomness(ID_BYTES), version=4).hex}"


def _twin(draft: Draft, survey: Survey) -> Remembered | None:
    for entry in survey.entries:
        record = entry.record
        if isinstance(record, CanonicalRecord) and draft.is_told_by(record):
            archived = record.state == "archived"
            return Remembered("existing_archived" if archived else "already_exists", record)
    return None


def _id_of(collection: Collection | None) -> str | None:
    return None if collection is None else collection.id


def _tag_set(tags: tuple[str, ...]) -> list[str]:
    return sorted(tag.casefold() for tag in tags)
