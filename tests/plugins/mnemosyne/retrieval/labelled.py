"""The labelled set: records, queries by category, and which records answer each query.

A line of `records/<scope>.txt` is
`label | namespace[/collection] | language | title | tags | content`, a line of
`queries/<category>.txt` is `scope | labels of the relevant records | query`.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.plugins.mnemosyne.tree import canonical, memory_id

HERE = Path(__file__).parent
CATEGORIES = tuple(sorted(path.stem for path in (HERE / "queries").glob("*.txt")))
POOL = "project"
"""The one scope that holds every record when the set is pooled."""


@dataclass(frozen=True, slots=True)
class Query:
    """What is asked of a scope, and the labels of the records that answer it."""

    category: str
    scope: str
    relevant: frozenset[str]
    text: str


def queries() -> Iterator[Query]:
    """Yield every query, by category."""
    for category in CATEGORIES:
        for scope, relevant, text in _lines(HERE / "queries" / f"{category}.txt", 3):
            yield Query(category, scope, frozenset(relevant.split()), text)


def records(*, pooled: bool) -> dict[str, dict[str, Any]]:
    """Return every record by its label: in its own scope, or all of them in `POOL`."""
    found: dict[str, dict[str, Any]] = {}
    for path in sorted((HERE / "records").glob("*.txt")):
        for label, place, language, title, tags, content in _lines(path, 6):
            assert label not in found, label
            namespace, _, collection = place.partition("/")
            number = len(found) + 1
            found[label] = canonical(
                number,
                scope=POOL if pooled else path.stem,
                namespace=namespace,
                collection=collection or None,
                language=language,
                title=None if title == "null" else title,
                tags=[tag.strip() for tag in tags.split(",")],
                content=content,
                created_at="2026-01-01T12:00:00Z",
                updated_at=f"2026-0{number % 5 + 2}-{number % 28 + 1:02}T12:00:00Z",
            )
            assert found[label]["id"] == memory_id(number)
    return found


def _lines(path: Path, width: int) -> Iterator[list[str]]:
    for line in path.read_text(encoding="utf-8").splitlines():
        if not line.startswith("#"):
            fields = [field.strip() for field in line.split("|", width - 1)]
            assert len(fields) == width, line
            yield fields
