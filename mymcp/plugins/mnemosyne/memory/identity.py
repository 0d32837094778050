"""What makes two memories one: they say the same of the same.

Labels, language, origin, times and state do not make a memory another one.
"""

from collections.abc import Iterable
from typing import NamedTuple

from mymcp._generated.models.shared.scope import Scope
from mymcp._generated.models.shared.vocabulary import MemoryKind, NamespaceKind


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


def tag_set(tags: Iterable[str]) -> tuple[str, ...]:
    """Return `tags` as they are compared: without case and order."""
    return tuple(sorted(tag.casefold() for tag in tags))
