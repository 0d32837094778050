"""What makes two memories one: they say the same of the same.

Labels, language, origin, times and state do not make a memory another one.
"""

from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from mymcp._generated.models.shared.scope import Scope
from mymcp._generated.models.shared.vocabulary import MemoryKind, NamespaceKind

if TYPE_CHECKING:
    from mymcp.plugins.mnemosyne.memory.records import CanonicalRecord
    from mymcp.plugins.mnemosyne.memory.remembering import Draft

    Told: TypeAlias = CanonicalRecord | Draft
    """What tells a memory: a record, or what may become one."""


class Identity(NamedTuple):
    """Everything that two equal memories have in common; tags case folded and sorted."""

    scope: Scope
    namespace_kind: NamespaceKind
    namespace_id: str
    collection_id: str | None
    kind: MemoryKind
    occurred_at: str | None
    title: str | None
    content: str
    tags: tuple[str, ...]


def identity_of(memory: "Told") -> Identity:
    """Return what another memory must have in common with this one to be the same."""
    collection = memory.collection
    return Identity(
        memory.scope,
        memory.namespace.kind,
        memory.namespace.id,
        None if collection is None else collection.id,
        memory.kind,
        memory.occurred_at,
        memory.title,
        memory.content,
        tuple(sorted(tag.casefold() for tag in memory.tags)),
    )
