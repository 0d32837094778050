"""The worked example of the retrieval specification, mended: file names no longer match, words
match in other forms too, rare ones count more, and equal scores come latest change first."""

from collections.abc import Sequence
from pathlib import Path

import pytest

from mymcp.plugins.mnemosyne.memory.retrieval import RESULTS_MAX, Match, Recollection, recall
from mymcp.plugins.mnemosyne.memory.store import MemoryStore
from tests.plugins.mnemosyne.stores import store_of
from tests.plugins.mnemosyne.tree import canonical, legacy, memory_id, put, write

P, T, G, N, C, A, L = range(1, 8)


@pytest.fixture
def example(root: Path) -> MemoryStore:
    put(root, canonical(P, namespace="nn", content="a zebra"))
    put(root, canonical(T, namespace="nn", title="Zebra"))
    put(root, canonical(G, namespace="nn", tags=["Zebra"]))
    put(root, canonical(N, namespace="zebra"))
    put(root, canonical(C, namespace="nn", collection="zebra"))
    put(root, canonical(A, namespace="nn", title="zebra", tags=["zebra"], content="Zebra!"))
    put(root, canonical(L) | {"namespace": {"kind": "project", "id": "nn", "label": "zebra"}})
    return store_of(root)


def ids(found: Recollection | Sequence[Match]) -> list[int]:
    matches = found.matches if isinstance(found, Recollection) else found
    return [int(match.entry.record.id.removeprefix("mem_"), 16) for match in matches]


def test_the_worked_example_ranks_as_specified(example: MemoryStore) -> None:
    found = recall(example, query="zebra", scope="project")
    assert ids(found) == [A, T, G, C, N]
    worth = found.matches[1].points // 3
    assert [match.points for match in found.matches] == [6 * worth, 3 * worth, *[2 * worth] * 3]
    assert (found.total_matches, found.archived_matches, found.skipped_count) == (6, 0, 0)


def test_an_equal_tag_counts_most(example: MemoryStore) -> None:
    found = recall(example, query="zebra", scope="project", tags=["zebra"])
    assert ids(found) == [A, G, T, C, N]


def test_a_tag_alone_is_enough(example: MemoryStore) -> None:
    found = recall(example, query="nothing", scope="project", tags=["ZEBRA"])
    assert ids(found) == [G, A]
    told = [(match.words, match.tags, match.how) for match in found.matches]
    assert told == [((), ("zebra",), "exact")] * 2


@pytest.mark.parametrize(
    "query", ["mem", "json", "project", "decision", "en", "a", "the", "0000", "active"]
)
def test_words_that_no_text_has_match_nothing(example: MemoryStore, query: str) -> None:
    assert recall(example, query=query, scope="project") == Recollection((), 0, 0, 0)


def test_a_label_is_not_searched(example: MemoryStore) -> None:
    assert L not in ids(recall(example, query="zebra", scope="project", namespace_id="nn"))


def test_more_words_never_shrink_the_answer(example: MemoryStore) -> None:
    few = recall(example, query="zebra", scope="project")
    more = recall(example, query="zebra disabled config.toml tools", scope="project")
    assert ids(few) == ids(more)


def test_a_match_names_its_words_and_tags_in_order(root: Path) -> None:
    put(root, canonical(1, title="Tea", content="Green and blue.", tags=["b c", "a"]))
    (match,) = recall(
        store_of(root),
        query="green TEA blue blue coffee",
        scope="project",
        tags=["B  C", "A", "x"],
    ).matches
    assert (match.words, match.tags) == (("blue", "green", "tea"), ("a", "b c"))


def test_repeating_a_word_adds_nothing(root: Path) -> None:
    put(root, canonical(1, content="tea tea tea"))
    put(root, canonical(2, content="tea"))
    found = recall(store_of(root), query="tea tea", scope="project")
    assert len({match.points for match in found.matches}) == 1


def test_a_tag_word_that_is_also_an_id_counts_once(root: Path) -> None:
    put(root, canonical(1, namespace="tea", collection="tea", tags=["tea", "green tea"]))
    put(root, canonical(2, tags=["tea"]))
    found = recall(store_of(root), query="tea", scope="project")
    assert len({match.points for match in found.matches}) == 1


def test_a_decomposed_query_finds_a_composed_record(root: Path) -> None:
    put(root, canonical(1, content="café", tags=["Größe"]))
    store = store_of(root)
    assert ids(recall(store, query="cafe\u0301", scope="project")) == [1]
    assert ids(recall(store, query="zz", scope="project", tags=["GRO\u0308SSE"])) == [1]


def test_equal_scores_come_latest_change_first_then_by_path(root: Path) -> None:
    for number, (namespace, instant) in enumerate(
        [("aa", "2026-07-18T12:00:00Z"), ("zz", "2026-07-19T12:00:00Z"),
         ("bb", "2026-07-18T12:00:00Z"), ("a-b", "2026-07-18T12:00:00Z")], 1
    ):  # fmt: skip
        put(root, canonical(number, namespace=namespace, content="tea", updated_at=instant))
    write(root / "project" / "old.json", legacy(content="tea"))
    found = recall(store_of(root), query="tea", scope="project")
    assert [match.entry.path[1] for match in found.matches] == ["zz", "a-b", "aa", "bb", "old.json"]


@pytest.mark.parametrize("asked", [1, 2, 3, 4])
def test_the_five_are_the_first_of_the_whole_order(root: Path, asked: int) -> None:
    """Sixty records with one to four of the words, changed on three days."""
    said = ["tea", "milk", "rain", "snow"]
    wanted = []
    for number in range(60):
        count, day = number * 7 % 4 + 1, number * 5 % 3 + 1
        instant = f"2026-07-2{day}T12:00:00Z"
        put(root, canonical(number, content=" ".join(said[:count]), updated_at=instant))
        wanted.append((-min(count, asked), -day, number))
    found = recall(store_of(root), query=" ".join(said[:asked]), scope="project")
    assert ids(found) == [number for _, _, number in sorted(wanted)[:RESULTS_MAX]]


@pytest.mark.parametrize(("stored", "returned"), [(4, 4), (5, 5), (6, 5), (40, 5)])
def test_at_most_five_are_returned(root: Path, stored: int, returned: int) -> None:
    for number in range(stored):
        put(root, canonical(number, content="tea"))
    found = recall(store_of(root), query="tea", scope="project")
    assert len(found.matches) == returned <= RESULTS_MAX
    assert found.total_matches == stored


def test_archived_memories_are_not_recalled(root: Path) -> None:
    put(root, canonical(1, content="tea", state="archived"))
    put(root, canonical(2, content="tea"))
    found = recall(store_of(root), query="tea", scope="project")
    assert ids(found) == [2]
    assert (found.total_matches, found.archived_matches) == (1, 1)


def test_the_archive_is_asked_the_same_question(root: Path) -> None:
    put(root, canonical(1, content="Deploying on Fridays", tags=["release"], state="archived"))
    store = store_of(root)
    for query, tags in (("deploys", []), ("friday", []), ("zz", ["Release"])):
        found = recall(store, query=query, scope="project", tags=tags)
        assert (ids(found), found.total_matches, found.archived_matches) == ([], 0, 1)
    assert recall(store, query="zanzibar", scope="project").archived_matches == 0


def test_what_could_not_be_read_is_counted(root: Path) -> None:
    put(root, canonical(1, content="tea"))
    write(root / "project" / "atlas" / "broken.json", b"{")
    found = recall(store_of(root), query="tea", scope="project")
    assert (found.total_matches, found.skipped_count) == (1, 1)


def test_one_scope_is_searched(root: Path) -> None:
    put(root, canonical(1, content="tea", scope="self"))
    put(root, canonical(2, content="tea", scope="preference"))
    store = store_of(root)
    assert ids(recall(store, query="tea", scope="preference")) == [2]
    assert recall(store, query="tea", scope="knowledge").matches == ()


def test_a_namespace_leaves_out_its_neighbours_and_version_1(root: Path) -> None:
    put(root, canonical(1, namespace="aa", content="tea"))
    put(root, canonical(2, namespace="aa", collection="c", content="tea"))
    put(root, canonical(3, namespace="bb", content="tea"))
    write(root / "project" / "aa" / "old.json", legacy(content="tea"))
    store = store_of(root)
    assert ids(recall(store, query="tea", scope="project", namespace_id="aa")) == [2, 1]
    assert len(recall(store, query="tea", scope="project").matches) == 4


def test_a_version_1_record_is_found_by_its_folders_but_not_its_file_name(root: Path) -> None:
    write(root / "project" / "atlas" / "roadmap.json", legacy())
    store = store_of(root)
    assert len(recall(store, query="atlas", scope="project").matches) == 1
    assert recall(store, query="roadmap", scope="project").matches == ()


def test_a_record_id_is_no_word(root: Path) -> None:
    put(root, canonical(0xABCDEF))
    assert recall(store_of(root), query=memory_id(0xABCDEF), scope="project").matches == ()
