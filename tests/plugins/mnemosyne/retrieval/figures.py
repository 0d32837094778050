"""How well the real tool answers the labelled set."""

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from tests.plugins.mnemosyne.caller import Caller
from tests.plugins.mnemosyne.retrieval.labelled import POOL, Query, queries, records
from tests.plugins.mnemosyne.tree import put

NONE = "none"


@dataclass(frozen=True, slots=True)
class Answer:
    """What recall answered to one query: labels and how each matched, best first."""

    query: Query
    labels: tuple[str, ...]
    hows: tuple[str, ...]

    @property
    def value(self) -> float:
        """The share of the relevant records found; without any, whether nothing was claimed."""
        if self.query.category == NONE:
            return float(all(how == "fuzzy" for how in self.hows))
        return len(self.query.relevant & set(self.labels)) / min(len(self.query.relevant), 5)


def answers(root: Path, *, pooled: bool) -> Iterator[Answer]:
    """Write the set below `root` and ask every query, of its scope or of the pool of all."""
    labels, places = {}, {}
    for label, record in records(pooled=pooled).items():
        put(root, record)
        labels[record["id"]], places[label] = label, record["scope"]
    caller = Caller(root)
    for query in queries():
        scope = POOL if pooled else query.scope
        here = frozenset(label for label in query.relevant if places[label] == scope)
        found = caller.ok("memory_recall", query=query.text, scope=scope)["memories"]
        yield Answer(
            Query(query.category, scope, here, query.text),
            tuple(labels[memory["id"]] for memory in found),
            tuple(memory["match"].get("how", "") for memory in found),
        )


def figures(answered: list[Answer]) -> dict[str, float]:
    """Return recall@5 by category and `overall`; `none` is apart, being another measure."""
    values: dict[str, list[float]] = defaultdict(list)
    for answer in answered:
        values[answer.query.category].append(answer.value)
        if answer.query.category != NONE:
            values["overall"].append(answer.value)
    return {name: sum(found) / len(found) for name, found in sorted(values.items())}
