"""A shelf that was told many things in any order is the same as one that was told the outcome."""

import json
import tracemalloc
from collections.abc import Mapping
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from mymcp.plugins.mnemosyne.memory.entries import Path, reading_of
from mymcp.plugins.mnemosyne.memory.index.bits import numbers_of
from mymcp.plugins.mnemosyne.memory.places import recalled_namespace, scope_container
from mymcp.plugins.mnemosyne.memory.records import CanonicalRecord, parse
from mymcp.plugins.mnemosyne.memory.shelf import Shelf
from mymcp.plugins.mnemosyne.memory.terms import terms_of
from mymcp.plugins.mnemosyne.memory.view import View
from tests.plugins.mnemosyne.stores import KEY
from tests.plugins.mnemosyne.tree import canonical, legacy

WORDS = ("tea", "teas", "café", "deploy", "parseConfig", "東京都", "日本", "привет", "2024", "")


@st.composite
def files(draw: st.DrawFn) -> tuple[Path, bytes]:
    """Return a record file of one of a few places, valid or not."""
    number, namespace = draw(st.integers(1, 4)), draw(st.sampled_from(["atlas", "nn"]))
    collection = draw(st.sampled_from([None, "zebra"]))
    folders = ("project", namespace) if collection is None else ("project", namespace, collection)
    kind = draw(st.sampled_from(["canonical", "legacy", "broken"]))
    if kind == "broken":
        return (*folders, f"{number}.json"), b"{"
    if kind == "legacy":
        record = legacy(f"old-{number % 2}", content=draw(st.sampled_from(WORDS[:-1])))
        return (*folders, f"{number}.json"), json.dumps(record).encode()
    texts: dict[str, Any] = {
        "title": draw(st.sampled_from(WORDS)) or None,
        "content": draw(st.sampled_from(WORDS[:-1])),
        "tags": draw(st.sampled_from([[], ["Tea"], ["b c", "tea"]])),
        "language": draw(st.sampled_from(["en", "de"])),
        "updated_at": draw(st.sampled_from(["2026-07-18T12:00:00Z", "2026-07-19T12:00:00Z"])),
    }
    state = draw(st.sampled_from(["active", "archived"]))
    record = canonical(number, namespace=namespace, collection=collection, state=state, **texts)
    return (*folders, f"{record['id']}.json"), json.dumps(record).encode()


def place(shelf: Shelf, path: Path, data: bytes, change: int) -> None:
    for depth in range(1, len(path) - 1):
        shelf.folder(path[:depth]).subfolders.add(path[depth])
    shelf.folder(path[:-1])
    shelf.place(path, (change,), reading_of(path, data, KEY))


def shelf_of(tree: Mapping[Path, bytes]) -> Shelf:
    shelf = Shelf("project")
    with shelf.loading():
        for path, data in sorted(tree.items()):
            place(shelf, path, data, 0)
    return shelf


def told(shelf: Shelf, tree: Mapping[Path, bytes]) -> dict[str, object]:
    """Return all that `shelf` answers, by paths: numbers are its own affair."""

    def paths(bits: int) -> list[Path]:
        return sorted(shelf.entry(number).path for number in numbers_of(bits))

    readings = [reading_of(path, data, KEY) for path, data in tree.items()]
    entries = [reading for reading in readings if not isinstance(reading, str)]
    records = [e.record for e in entries if isinstance(e.record, CanonicalRecord)]
    keys = {key for e in entries for key in terms_of(e.record, e.path[1:-1]).places}
    views = [View(shelf, scope_container("project"))]
    views += [View(shelf, recalled_namespace("project", name)) for name in ("atlas", "nn")]
    return {
        "keys": {key: [paths(bits) for bits in shelf.terms.places(key)] for key in sorted(keys)},
        "tags": {tag: paths(shelf.terms.tagged(tag)) for tag in ("tea", "b c")},
        "states": [paths(s.bits) for s in (shelf.active, shelf.archived, shelf.legacy)],
        "namespaces": [paths(shelf.namespaces.bits(name)) for name in ("atlas", "nn")],
        "latest": [shelf.entry(n).path for n in shelf.recency.latest((1 << 99) - 1, 99)],
        "pages": [[e.path for e in view.listing().entries(0, 99)] for view in views],
        "sums": [view.listing().mark_sum for view in views],
        "counts": [(view.census.candidate_count, view.census.skipped_count) for view in views],
        "languages": [view.search().languages for view in views],
        "like": shelf.terms.vocabulary.like("deplyo", lambda _: True),
        "twins": {record: shelf.twin(record.identity) for record in records},
        "legacy": {name: len(found) for name, found in shelf.legacy_ids.items()},
    }


@given(st.lists(files(), max_size=12), st.data())
def test_whatever_happened_before_leaves_no_trace(
    steps: list[tuple[Path, bytes]], data: st.DataObject
) -> None:
    shelf, tree = Shelf("project"), dict[Path, bytes]()
    for change, (path, content) in enumerate(steps):
        if path in tree and data.draw(st.booleans()):
            shelf.remove(path)
            del tree[path]
        elif data.draw(st.booleans()):
            with shelf.loading():
                place(shelf, path, content, change)
            tree[path] = content
        else:
            place(shelf, path, content, change)
            tree[path] = content
    assert told(shelf, tree) == told(shelf_of(tree), tree)


@given(st.lists(files(), max_size=12), st.sampled_from([("project", "nn"), ("project",)]))
def test_a_folder_is_gone_with_all_that_was_below_it(
    steps: list[tuple[Path, bytes]], gone: Path
) -> None:
    tree = dict(steps)
    shelf = shelf_of(tree)
    shelf.remove_folder(gone)
    left = {path: data for path, data in tree.items() if path[: len(gone)] != gone}
    assert {folder for folder in shelf.folders if folder[: len(gone)] == gone} == set()
    if gone != ("project",):
        shelf.folder(gone[:-1]).subfolders.discard(gone[-1])
    assert told(shelf, left) == told(shelf_of(left), left)


def test_a_record_is_the_twin_of_another_whatever_its_labels_and_state() -> None:
    shelf = Shelf("project")
    first = canonical(2, tags=["A", "b"], state="archived")
    for record in (first, canonical(3, tags=["B", "a"], language="de"), canonical(4)):
        path = ("project", "atlas", f"{record['id']}.json")
        place(shelf, path, json.dumps(record | {"content": "Same."}).encode(), 1)
    draft = parse(json.dumps(canonical(9, tags=["b", "a"], content="Same.")).encode())
    assert isinstance(draft, CanonicalRecord)
    twin = shelf.twin(draft.identity)
    assert twin is not None
    assert (twin.id, twin.state) == (first["id"], "archived")


def test_loads_that_replace_records_again_and_again_do_not_make_sets_longer() -> None:
    shelf, count = Shelf("project"), 20
    for change in range(50):
        records = [
            canonical(number, content=f"State {change}, tea {number}.") for number in range(count)
        ]
        tree = {
            ("project", "atlas", f"{record['id']}.json"): json.dumps(record).encode()
            for record in records
        }
        with shelf.loading():
            for path, data in tree.items():
                place(shelf, path, data, change)
        assert shelf.active.bits.bit_length() <= 4 * count
        assert told(shelf, tree) == told(shelf_of(tree), tree)


def test_many_namespaces_of_one_record_take_no_more_room_than_one_of_many() -> None:
    count, rooms = 4_000, []
    for namespaces in (1, count):
        shelf = Shelf("project")
        tracemalloc.start()
        for number in range(count):
            shelf.namespaces.add((str(number % namespaces),), number)
        for number in range(count):
            assert shelf.namespaces.bits(str(number % namespaces)) >> number & 1
        rooms.append(tracemalloc.get_traced_memory()[0])
        tracemalloc.stop()
    assert rooms[1] < rooms[0] + 200 * count
