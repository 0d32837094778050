"""The texts of a memory that a person would read, field by field."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from mymcp.plugins.mnemosyne.memory.identity import Told

Field = Literal["namespace", "collection", "title", "content", "tags"]


def texts_of(memory: "Told") -> Iterator[tuple[Field, str | None]]:
    """Yield every text of `memory`, in the order in which refusals of them are reported."""
    yield "namespace", memory.namespace.id
    yield "namespace", memory.namespace.label
    if memory.collection is not None:
        yield "collection", memory.collection.id
        yield "collection", memory.collection.label
    yield "title", memory.title
    yield "content", memory.content
    for tag in memory.tags:
        yield "tags", tag
