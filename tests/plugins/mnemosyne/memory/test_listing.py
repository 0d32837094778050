from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mymcp.plugins.mnemosyne.memory.cursor import KEY_BYTES, MARKER_BYTES, Cursor, CursorSeal
from mymcp.plugins.mnemosyne.memory.faults import InvalidCursor, StaleCursor
from mymcp.plugins.mnemosyne.memory.listing import Page, Selection, first_page, next_page
from mymcp.plugins.mnemosyne.memory.store import MemoryStore
from tests.plugins.mnemosyne.stores import store_of
from tests.plugins.mnemosyne.tree import canonical, legacy, put, write

SEAL = CursorSeal.made_of(bytes(KEY_BYTES + MARKER_BYTES))
PROJECT = Selection("project")
ATLAS = Selection("project", "atlas")


def locations(page: Page) -> list[str]:
    return [item.entry.location for item in page.items]


def walk(store: MemoryStore, selection: Selection, size: int) -> list[Page]:
    pages = [first_page(store, SEAL, selection, size)]
    while (cursor := pages[-1].next_cursor) is not None:
        pages.append(next_page(store, SEAL, selection, cursor))
    return pages


def short(number: int) -> str:
    return f"mem_{number:032x}.json"


@pytest.fixture
def store(root: Path) -> MemoryStore:
    put(root, canonical(4, collection="zz"))
    put(root, canonical(3, collection="aa"))
    put(root, canonical(9))
    put(root, canonical(2, state="archived"))
    put(root, canonical(1, namespace="atlas-b"))
    put(root, canonical(5, namespace="atla"))
    write(root / "project" / "b.json", legacy("same"))
    write(root / "project" / "atlas" / "a.json", legacy("same"))
    write(root / "project" / "c.json", legacy("Alone"))
    write(root / "project" / "bad.json", b"{")
    return store_of(root)


def test_a_scope_is_listed_in_one_total_order(store: MemoryStore) -> None:
    page = first_page(store, SEAL, PROJECT)
    assert locations(page) == [
        "c.json",
        "atlas/a.json",
        "b.json",
        f"atla/{short(5)}",
        f"atlas/{short(2)}",
        f"atlas/{short(9)}",
        f"atlas/aa/{short(3)}",
        f"atlas/zz/{short(4)}",
        f"atlas-b/{short(1)}",
    ]
    assert [item.ambiguous for item in page.items] == [False, True, True, *[False] * 6]
    assert (page.number, page.total_count, page.total_pages, page.next_cursor) == (1, 9, 1, None)


@pytest.mark.parametrize(
    ("selection", "numbers"),
    [
        (ATLAS, [2, 9, 3, 4]),
        (Selection("project", "atlas", in_collection=True), [2, 9]),
        (Selection("project", "atlas", in_collection=True, collection_id="aa"), [3]),
        (Selection("project", "atlas", in_collection=True, collection_id="none"), []),
        (Selection("project", "nowhere"), []),
    ],
)
def test_a_namespace_or_collection_lists_its_version_2_records(
    store: MemoryStore, selection: Selection, numbers: list[int]
) -> None:
    page = first_page(store, SEAL, selection)
    assert [location.rsplit("/")[-1] for location in locations(page)] == [
        short(number) for number in numbers
    ]


def test_an_empty_selection_is_page_one_of_none(store: MemoryStore) -> None:
    page = first_page(store, SEAL, Selection("self"))
    assert page == Page((), 1, 0, 0, None, 0)


@settings(max_examples=25)
@given(st.integers(1, 100))
def test_paging_visits_each_record_once(
    tmp_path_factory: pytest.TempPathFactory, size: int
) -> None:
    store = _filled(tmp_path_factory)
    pages = walk(store, PROJECT, size)
    visited = [location for page in pages for location in locations(page)]
    assert visited == locations(first_page(store, SEAL, PROJECT, 100))
    assert len(set(visited)) == 23
    assert [page.number for page in pages] == list(range(1, len(pages) + 1))
    assert {page.total_pages for page in pages} == {len(pages)}
    assert {len(page.items) for page in pages[:-1]} <= {size}


_STORES: list[MemoryStore] = []


def _filled(factory: pytest.TempPathFactory) -> MemoryStore:
    if not _STORES:
        root = factory.mktemp("memory")
        for number in range(20):
            collection = ["a", "b", None][number % 3]
            put(root, canonical(number, namespace=f"n{number % 4}", collection=collection))
        for name in ("x", "y", "z"):
            write(root / "project" / f"{name}.json", legacy("same"))
        _STORES.append(store_of(root))
    return _STORES[0]


def test_ambiguity_is_judged_on_the_whole_selection(store: MemoryStore) -> None:
    pages = walk(store, PROJECT, 1)
    assert [page.items[0].ambiguous for page in pages[:3]] == [False, True, True]


def first_cursor(store: MemoryStore, selection: Selection = PROJECT) -> str:
    cursor = first_page(store, SEAL, selection, 2).next_cursor
    assert cursor is not None
    return cursor


def test_a_cursor_may_be_used_again(store: MemoryStore) -> None:
    cursor = first_cursor(store)
    assert next_page(store, SEAL, PROJECT, cursor) == next_page(store, SEAL, PROJECT, cursor)


def add(root: Path) -> None:
    put(root, canonical(77))


def remove(root: Path) -> None:
    (root / "project" / "c.json").unlink()


def rewrite(root: Path) -> None:
    path = root / "project" / "c.json"
    path.write_bytes(path.read_bytes() + b"\n")


def move(root: Path) -> None:
    (root / "project" / "c.json").rename(root / "project" / "d.json")


def archive(root: Path) -> None:
    put(root, canonical(9, state="archived"))


def break_one(root: Path) -> None:
    (root / "project" / "c.json").write_bytes(b"{")


def mend_one(root: Path) -> None:
    write(root / "project" / "bad.json", legacy("mended"))


@pytest.mark.parametrize("change", [add, remove, rewrite, move, archive, break_one, mend_one])
def test_a_changed_selection_makes_its_cursors_stale(
    store: MemoryStore, root: Path, change: Callable[[Path], None]
) -> None:
    cursor = first_cursor(store)
    change(root)
    with pytest.raises(StaleCursor):
        next_page(store, SEAL, PROJECT, cursor)


def touch(root: Path) -> None:
    (root / "project" / "c.json").touch()


def chmod(root: Path) -> None:
    (root / "project" / "c.json").chmod(0o644)


def add_invalid(root: Path) -> None:
    write(root / "project" / "worse.json", b"[" * 20_000)


def change_another_scope(root: Path) -> None:
    put(root, canonical(1, scope="self"))


def put_bytes_back(root: Path) -> None:
    path = root / "project" / "c.json"
    data = path.read_bytes()
    path.unlink()
    path.write_bytes(data)


@pytest.mark.parametrize(
    "change", [touch, chmod, add_invalid, change_another_scope, put_bytes_back]
)
def test_what_does_not_change_a_record_leaves_cursors_good(
    store: MemoryStore, root: Path, change: Callable[[Path], None]
) -> None:
    cursor = first_cursor(store)
    change(root)
    assert next_page(store, SEAL, PROJECT, cursor).number == 2


def test_a_change_outside_the_selected_namespace_leaves_cursors_good(
    store: MemoryStore, root: Path
) -> None:
    cursor = first_cursor(store, ATLAS)
    put(root, canonical(78, namespace="elsewhere"))
    assert next_page(store, SEAL, ATLAS, cursor).number == 2


@pytest.mark.parametrize(
    "selection",
    [
        Selection("self"),
        ATLAS,
        Selection("project", "atlas", in_collection=True),
        Selection("project", "atlas", in_collection=True, collection_id="aa"),
    ],
)
def test_a_cursor_of_another_selection_is_refused(store: MemoryStore, selection: Selection) -> None:
    with pytest.raises(InvalidCursor):
        next_page(store, SEAL, selection, first_cursor(store))


def test_a_cursor_of_a_collection_named_null_is_not_one_of_no_collection(root: Path) -> None:
    for number in range(3):
        put(root, canonical(number))
        put(root, canonical(number + 10, collection="null"))
    store = store_of(root)
    named = Selection("project", "atlas", in_collection=True, collection_id="null")
    none = Selection("project", "atlas", in_collection=True)
    with pytest.raises(InvalidCursor):
        next_page(store, SEAL, none, first_cursor(store, named))


def test_an_offset_beyond_the_selection_is_refused(store: MemoryStore) -> None:
    genuine = SEAL.open(first_cursor(store))
    beyond = SEAL.close(Cursor(10, 2, genuine.selector, genuine.snapshot))
    with pytest.raises(InvalidCursor):
        next_page(store, SEAL, PROJECT, beyond)


def test_a_restarted_server_does_not_know_old_cursors(store: MemoryStore) -> None:
    restarted = CursorSeal.made_of(bytes([1]) * (KEY_BYTES + MARKER_BYTES))
    with pytest.raises(StaleCursor):
        next_page(store, restarted, PROJECT, first_cursor(store))
