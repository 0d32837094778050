"""Revising: everything that a caller may say anew of a memory."""

from dataclasses import dataclass, replace

from mymcp.plugins.mnemosyne.memory.faults import NoCollection
from mymcp.plugins.mnemosyne.memory.records import CanonicalRecord, Collection


@dataclass(frozen=True, slots=True)
class Statement:
    """The complete new state of what may be revised, normalised; none removes."""

    namespace_label: str | None
    collection_label: str | None
    title: str | None
    content: str
    tags: tuple[str, ...]

    def told_by(self, record: CanonicalRecord) -> CanonicalRecord:
        """Return `record` with this statement in the place of its own.

        Raises `NoCollection` if there is a label for a collection and no collection.
        """
        return replace(
            record,
            namespace=replace(record.namespace, label=self.namespace_label),
            collection=self._relabelled(record.collection),
            title=self.title,
            content=self.content,
            tags=self.tags,
        )

    def _relabelled(self, collection: Collection | None) -> Collection | None:
        if collection is not None:
            return replace(collection, label=self.collection_label)
        if self.collection_label is not None:
            raise NoCollection
        return None
