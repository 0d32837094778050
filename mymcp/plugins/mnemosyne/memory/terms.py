"""What recall can find in one record."""

from dataclasses import dataclass

from mymcp.plugins.mnemosyne.memory.records import Record
from mymcp.plugins.mnemosyne.memory.words import tag_key, words


@dataclass(frozen=True, slots=True)
class Terms:
    """The words of a record by where they stand, and its whole tags."""

    title: frozenset[str]
    labels: frozenset[str]
    content: frozenset[str]
    tags: frozenset[str]


def terms_of(record: Record, folders: tuple[str, ...]) -> Terms:
    """Return the terms of `record`, which lies in `folders` below its scope.

    Folder names are namespace and collection ids; file names never count, or every record would
    match `mem` and `json`.
    """
    return Terms(
        title=words(record.title or ""),
        labels=words(" ".join((*folders, *record.tags))),
        content=words(record.content),
        tags=frozenset(tag_key(tag) for tag in record.tags),
    )
