"""Memories of many records on the disk, written once for all parts that ask for them."""

import os
import shutil
from collections import Counter
from collections.abc import Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from types import TracebackType

from tests.bench import records
from tests.bench.figure import Unmeasurable

REMEMBERED = "bench-remembered"
"""The namespace for what a part remembers: no record of the corpus is in it."""
COMMON_SHARE = 0.2
DELETERS = 8


@dataclass(frozen=True, slots=True)
class Corpus:
    """The memory below `root`; `ids` by number, `rare` words to ask for."""

    root: Path
    ids: list[str]
    rare: list[str]

    def query(self, chance: Random) -> str:
        """Return a query of one word that many records have and two that few have."""
        return records.query(chance, self.rare)

    def reference(self, chance: Random) -> dict[str, object]:
        """Return the reference of any record."""
        number = chance.randrange(len(self.ids))
        return {
            "schema_version": 2,
            "scope": records.SCOPE,
            "namespace_id": records.namespace(number),
            "collection_id": None,
            "id": self.ids[number],
        }

    def draft(self, chance: Random, number: int) -> dict[str, object]:
        """Return the arguments that remember one more record of the same kind."""
        return {
            "scope": records.SCOPE,
            "namespace": {"kind": "project", "id": REMEMBERED, "label": None},
            "collection": None,
            "kind": "decision",
            "language": "en",
            "title": records.title_of(chance, number),
            "content": records.content_of(chance, chance.sample(self.rare, 2)),
            "tags": records.tags_of(chance),
            "origin": "explicit_user_statement",
        }

    def path(self, number: int) -> str:
        """Return where record `number` lies."""
        return f"{self.root}/{records.SCOPE}/{records.namespace(number)}/{self.ids[number]}.json"

    def restore(self) -> None:
        """Delete what was remembered."""
        shutil.rmtree(self.root / records.SCOPE / REMEMBERED, ignore_errors=True)

    def delete(self) -> None:
        """Delete all files in about the order in which they were written.

        In any other it takes minutes where each file that goes is reported to the disk.
        """
        paths = [self.path(number) for number in range(len(self.ids))]
        with ThreadPoolExecutor(DELETERS) as pool:
            list(pool.map(_unlink, (paths[each::DELETERS] for each in range(DELETERS))))


class Corpora:
    """All corpora of a run, each written when first asked for, deleted at the end."""

    def __init__(self) -> None:
        self._folder = TemporaryDirectory(prefix="mymcp-bench-")
        self._made: dict[int, Corpus] = {}

    def __enter__(self) -> "Corpora":
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        at: TracebackType | None,
    ) -> None:
        for corpus in self._made.values():
            corpus.delete()
        self._folder.cleanup()

    def of(self, count: int) -> Corpus:
        """Return the corpus of `count` records.

        Raises:
            Unmeasurable: its words are not as common or as rare as they have to be.
        """
        if count not in self._made:
            self._made[count] = _written(Path(self._folder.name, str(count)), count)
        return self._made[count]


def _written(root: Path, count: int) -> Corpus:
    chance = Random(count)
    frequency: Counter[str] = Counter()
    ids = [records.identifier(chance) for _ in range(count)]
    corpus = Corpus(root, ids, records.rare_words(count))
    folders = [root / records.SCOPE / records.namespace(n) for n in range(records.NAMESPACES)]
    for folder in (root, folders[0].parent, *folders):
        folder.mkdir(mode=0o700)
    for number, record_id in enumerate(ids):
        title = records.title_of(chance, number)
        content = records.content_of(chance, records.rare_words_in(number, count))
        file = records.file_of(record_id, number, title, content, records.tags_of(chance))
        _write(corpus.path(number), file)
        frequency.update({*title.split(), *content.rstrip(".").split()})
    _check(frequency, corpus.rare, count)
    os.sync()  # or the next who waits for the disk waits for all of this
    return corpus


def _write(path: str, text: str) -> None:
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    os.write(descriptor, text.encode())
    os.close(descriptor)


def _unlink(paths: Iterable[str]) -> None:
    for path in paths:
        os.unlink(path)  # noqa: PTH108  no Path for each of so many


def _check(frequency: Mapping[str, int], rare: list[str], count: int) -> None:
    """Raise unless the words are as common and as rare as a query supposes."""
    if min(frequency[word] for word in records.WORDS) < COMMON_SHARE * count:
        raise Unmeasurable(f"a common word stands in less than a fifth of {count:,} records")
    wanted = range(min(records.RARE_WORD_RECORDS), max(records.RARE_WORD_RECORDS) + 1)
    if not rare or any(frequency[word] not in wanted for word in rare):
        raise Unmeasurable(f"a rare word is not in 2 to 20 of {count:,} records")
