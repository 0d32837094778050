"""Bytes of record files: valid ones in every form that a person may choose, and broken ones."""

import json
from collections.abc import Callable, Mapping
from typing import Any, Literal
from unicodedata import normalize

Form = Literal["indented", "compact", "reversed", "loose"]
FORMS: tuple[Form, ...] = ("indented", "compact", "reversed", "loose")


def spelt(record: Mapping[str, Any], form: Form) -> bytes:
    """Return the bytes of `record`, which is normalised, in one of the forms that mean it."""
    if form == "compact":
        return json.dumps(record, separators=(",", ":")).encode()
    if form == "reversed":
        record = dict(reversed(record.items()))
    elif form == "loose" and record["schema_version"] == 2:  # version 1 is taken as it stands
        record = _loose(record)
    return json.dumps(record, ensure_ascii=False, indent=2).encode() + b"\n"


def _loose(record: Mapping[str, Any]) -> dict[str, Any]:
    """Return a record that is normalised by whoever reads it."""
    title, language = record["title"], record["language"]
    return {
        **record,
        "title": title and f"\u3000{normalize('NFD', title)}\r\n",
        "content": f"\r\n {record['content']}\t",
        "tags": [f" {tag.replace(' ', '  ')} " for tag in record["tags"]],
        "language": None if language == "und" else language.upper(),
    }


BREAKS: dict[str, Callable[[bytes], bytes]] = {
    "empty": lambda data: b"",
    "cut short": lambda data: data[: len(data) // 2],
    "not UTF-8": lambda data: data.replace(b"{", b"{\xff", 1),
    "byte order mark": lambda data: b"\xef\xbb\xbf" + data,
    "too deep": lambda data: b"[" * 20_000,
    "huge number": lambda data: b'{"schema_version": ' + b"9" * 5_000 + b"}",
    "duplicate member": lambda data: data.replace(b"{", b'{"content": "other",', 1),
    "unknown member": lambda data: data.replace(b"{", b'{"colour": "red",', 1),
    "another version": lambda data: data.replace(b"schema_version", b"schema-version", 1),
    "an array": lambda data: b"[" + data + b"]",
    "too large": lambda data: data + b" " * 65_537,
    "two documents": lambda data: data + data,
}
"""Ways to make a file unusable; `data` is what it held."""
