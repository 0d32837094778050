"""Records as values, and as the bytes of a file. Contracts: `contracts/records/memory-v*.json`.

A store holds very many of them, so what records have in common is one object: names, tags, times.
"""

import json
from codecs import BOM_UTF8
from dataclasses import dataclass
from functools import lru_cache
from sys import intern
from typing import Literal

from pydantic import MISSING

from mymcp._generated.models.records.memory_v1 import MemoryRecordV1
from mymcp._generated.models.records.memory_v2 import MemoryRecordV2
from mymcp._generated.models.shared.lifecycle import LifecycleState
from mymcp._generated.models.shared.scope import Scope
from mymcp._generated.models.shared.vocabulary import MemoryKind, NamespaceKind
from mymcp._generated.records import MEMORY_V1, MEMORY_V2
from mymcp.contract.reader import Unreadable
from mymcp.contract.strict_json import INTEGER_MAX_DIGITS, StrictJSONError, decode
from mymcp.plugins.mnemosyne.memory.identity import Identity, identity_of
from mymcp.plugins.mnemosyne.memory.places import Address

Origin = Literal["explicit_user_statement", "user_approved_proposal", "manual", "import"]
RecordedVia = Literal["memory_remember", "filesystem", "migration", "import"]

RECORD_MAX_BYTES = 65_536
REVISION_MAX = 10**INTEGER_MAX_DIGITS - 1
"""Nobody counts so far, but a person may write it: the next one could not be read."""
UNKNOWN_LANGUAGE = "und"
RECORD_MAX_LEVELS = 6
"""A record nests two levels deep; a few more make the reason `invalid_record`, not syntax.

It has six objects and arrays at the most, so the depth of most records need not be measured.
"""
SHARED_MAX = 1_000
"""Namespaces, and collections, that records have in common; of more, those in use."""


class UnusableRecord(Exception):
    """Bytes that hold no valid record; `reason` is one bounded word."""

    def __init__(
        self, reason: Literal["invalid_encoding", "invalid_json", "invalid_record"]
    ) -> None:
        super().__init__(reason)
        self.reason = reason


@dataclass(frozen=True, slots=True)
class Namespace:
    """Whom or what within its scope a memory is about."""

    kind: NamespaceKind
    id: str
    label: str | None


@dataclass(frozen=True, slots=True)
class Collection:
    """A named part of a namespace."""

    id: str
    label: str | None


@dataclass(frozen=True, slots=True)
class CanonicalRecord:
    """A version-2 record, normalised. Instants are texts in UTC to the second."""

    id: str
    scope: Scope
    namespace: Namespace
    collection: Collection | None
    kind: MemoryKind
    language: str
    title: str | None
    content: str
    tags: tuple[str, ...]
    origin: Origin
    recorded_via: RecordedVia
    state: LifecycleState
    revision: int
    created_at: str
    updated_at: str
    occurred_at: str | None

    @property
    def address(self) -> Address:
        """Where this record must lie."""
        return Address(self.scope, self.namespace.id, self.collection_id, self.id)

    @property
    def collection_id(self) -> str | None:
        """The id of its collection, if it is in one."""
        return None if self.collection is None else self.collection.id

    @property
    def identity(self) -> Identity:
        """What another record must have in common to be the same memory."""
        return identity_of(self)


@dataclass(frozen=True, slots=True)
class LegacyRecord:
    """A version-1 record, its texts as they stand in the file."""

    id: str
    title: str | None
    content: str
    tags: tuple[str, ...]


Record = CanonicalRecord | LegacyRecord


def parse(data: bytes) -> Record:
    """Return the record in `data`. Raises `UnusableRecord`, whatever the bytes are."""
    try:
        value = decode(data, levels=RECORD_MAX_LEVELS)
    except StrictJSONError as error:
        is_text = error.reason != "encoding" or data.startswith(BOM_UTF8)
        raise UnusableRecord("invalid_json" if is_text else "invalid_encoding") from None
    version = value.get("schema_version") if isinstance(value, dict) else None
    try:
        if version == 1:
            return _legacy(MEMORY_V1.read(value))
        return _canonical(MEMORY_V2.read(value))
    except Unreadable:
        raise UnusableRecord("invalid_record") from None


def serialise(record: CanonicalRecord) -> bytes:
    """Return the file of `record`: fixed member order, two spaces, literal text, one LF.

    Raises `ValueError` if the file would not read as this very record: nothing is ever written
    that could not be served.
    """
    collection = record.collection
    members: dict[str, object] = {
        "schema_version": 2,
        "id": record.id,
        "scope": record.scope,
        "namespace": {
            "kind": record.namespace.kind,
            "id": record.namespace.id,
            "label": record.namespace.label,
        },
        "collection": collection and {"id": collection.id, "label": collection.label},
        "kind": record.kind,
        "language": record.language,
        "title": record.title,
        "content": record.content,
        "tags": list(record.tags),
        "provenance": {"origin": record.origin, "recorded_via": record.recorded_via},
        "lifecycle": {"state": record.state, "revision": record.revision},
        "created_at": record.created_at,
        "updated_at": record.updated_at,
    }
    if record.occurred_at is not None:
        members["occurred_at"] = record.occurred_at
    data = (json.dumps(members, ensure_ascii=False, indent=2) + "\n").encode()
    if len(data) > RECORD_MAX_BYTES or not _reads_as(record, data):
        raise ValueError("the record does not survive being written")
    return data


def _reads_as(record: CanonicalRecord, data: bytes) -> bool:
    try:
        return parse(data) == record
    except UnusableRecord:
        return False


def _legacy(model: MemoryRecordV1) -> LegacyRecord:
    return LegacyRecord(
        id=model.id,
        title=None if model.title is MISSING else model.title,
        content=model.content,
        tags=() if model.tags is MISSING else tuple(map(intern, model.tags)),
    )


def _canonical(model: MemoryRecordV2) -> CanonicalRecord:
    if model.updated_at < model.created_at:  # equal widths: text order is time order
        raise UnusableRecord("invalid_record")
    namespace, collection = model.namespace, model.collection
    return CanonicalRecord(
        id=model.id,
        scope=model.scope,
        namespace=_namespace(namespace.kind, namespace.id, namespace.label),
        collection=None if collection is None else _collection(collection.id, collection.label),
        kind=model.kind,
        language=UNKNOWN_LANGUAGE if model.language is None else intern(model.language),
        title=model.title,
        content=model.content,
        tags=tuple(map(intern, model.tags)),
        origin=model.provenance.origin,
        recorded_via=model.provenance.recorded_via,
        state=model.lifecycle.state,
        revision=model.lifecycle.revision,
        created_at=intern(model.created_at),
        updated_at=intern(model.updated_at),
        occurred_at=None if model.occurred_at is MISSING else intern(model.occurred_at),
    )


@lru_cache(SHARED_MAX)
def _namespace(kind: NamespaceKind, name: str, label: str | None) -> Namespace:
    return Namespace(kind, name, label)


@lru_cache(SHARED_MAX)
def _collection(name: str, label: str | None) -> Collection:
    return Collection(name, label)
