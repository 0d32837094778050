"""What the content policy says of a record that nobody asked it about: one written by hand."""

from collections.abc import Iterator

from mymcp.plugins.mnemosyne.memory.content_policy import Refusal, reason_against, refusal
from mymcp.plugins.mnemosyne.memory.records import CanonicalRecord, Record
from mymcp.plugins.mnemosyne.memory.texts import Field, texts_of


def refused(record: Record) -> str | None:
    """Return where `record` has what must not be stored, and the reason; never the text.

    None if it might be remembered. Tags are counted from 1.
    """
    found = refusal(_texts_of(record))
    if found is None:
        return None
    return f"{_place(found, record)} {found.reason}"


def _place(found: Refusal[Field], record: Record) -> str:
    if found.field == "tags":
        for number, tag in enumerate(record.tags, 1):
            if reason_against(tag) is not None:
                return f"tags#{number}"
    return found.field


def _texts_of(record: Record) -> Iterator[tuple[Field, str | None]]:
    if isinstance(record, CanonicalRecord):
        yield from texts_of(record)
        return
    yield "title", record.title
    yield "content", record.content
    for tag in record.tags:
        yield "tags", tag
