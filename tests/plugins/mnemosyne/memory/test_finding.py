"""What recall finds, and how it says that it found it: forms, slips, scripts, identifiers."""

from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from mymcp.plugins.mnemosyne.memory.retrieval import Match, recall
from mymcp.plugins.mnemosyne.memory.store import MemoryStore
from tests.plugins.mnemosyne.stores import store_of
from tests.plugins.mnemosyne.tree import canonical, legacy, put, write

CONTENTS = [
    "Caching is disabled for authenticated routes",
    "We serialize timestamps as UTC",
    "webfetch is switched off",
    "今日は成語しりとりをした",
    "每次部署之前必须先验证迁移脚本",
    "ลูกค้าสามารถขอคืนเงินได้",
    "पुस्तकालय की सूची",
    "Die Verträge liegen im Schrank",
    "Größe und Maß",
    "HttpRetryPolicy.maxAttempts in src/net/client.py since v2.3.1",
    "PostgreSQL keeps everything",
]


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> MemoryStore:
    root = tmp_path_factory.mktemp("memory")
    for number, content in enumerate(CONTENTS):
        language = {7: "de", 8: "de", 6: "hi"}.get(number, "en")
        put(root, canonical(number, content=content, language=language))
    return store_of(root)


def first(store: MemoryStore, query: str) -> Match:
    return recall(store, query=query, scope="project").matches[0]


@pytest.mark.parametrize(
    ("query", "content", "how", "fuzzy"),
    [
        ("caching", 0, "exact", ()),
        ("cached", 0, "stemmed", ()),
        ("cached responses routes", 0, "exact", ()),
        ("timestamp serialization", 1, "stemmed", ()),
        ("webfetch turned config.toml tools", 2, "fuzzy", ()),
        ("しりとり", 3, "exact", ()),
        ("部署", 4, "exact", ()),
        ("部署之前需要验证", 4, "stemmed", ()),
        ("คืนเงิน", 5, "exact", ()),
        ("सूची", 6, "exact", ()),
        ("Vertrag", 7, "stemmed", ()),
        ("GROSSE", 8, "exact", ()),
        ("http_retry_policy", 9, "exact", ()),
        ("maxAttempts", 9, "exact", ()),
        ("client.py", 9, "exact", ()),
        ("v2.3.1", 9, "exact", ()),
        ("postgers", 10, "fuzzy", ("postgers",)),
        ("postgresqk", 10, "fuzzy", ("postgresqk",)),
        ("wbefetch", 2, "fuzzy", ("wbefetch",)),
    ],
)
def test_a_query_finds_its_record_and_says_how(
    store: MemoryStore, query: str, content: int, how: str, fuzzy: tuple[str, ...]
) -> None:
    match = first(store, query)
    assert match.entry.record.content == CONTENTS[content]
    assert (match.how, match.fuzzy) == (how, fuzzy)


def test_a_slip_is_only_looked_for_where_nothing_has_the_word(root: Path) -> None:
    put(root, canonical(1, content="deploys"))
    put(root, canonical(2, content="deplogs"))
    found = recall(store_of(root), query="deploys", scope="project").matches
    assert [match.entry.record.content for match in found] == ["deploys"]


def test_exact_comes_before_stemmed_before_alike(root: Path) -> None:
    for number, content in enumerate(["deplyos", "deploys", "deploy"]):
        put(root, canonical(number, content=content))
    store = store_of(root)
    found = recall(store, query="deploy", scope="project").matches
    assert [match.entry.record.content for match in found] == ["deploy", "deploys"]
    assert [match.how for match in found] == ["exact", "stemmed"]


def test_words_of_records_that_are_not_asked_are_not_known(root: Path) -> None:
    write(root / "project" / "atlas" / "old.json", legacy(content="postgres"))
    put(root, canonical(1, content="we use oracles"))
    put(root, canonical(2, content="mysqll", state="archived"))
    store = store_of(root)
    assert first(store, "postgers").fuzzy == ("postgers",)
    narrow = recall(store, query="we postgers mysqlx", scope="project", namespace_id="atlas")
    assert [match.words for match in narrow.matches] == [("we",)]


def test_a_rare_word_outweighs_a_common_one(root: Path) -> None:
    for number in range(9):
        put(root, canonical(number, content="project"))
    put(root, canonical(9, content="zebra"))
    found = recall(store_of(root), query="project zebra", scope="project").matches
    assert found[0].entry.record.content == "zebra"


def test_a_change_of_the_memory_changes_which_words_are_known(root: Path) -> None:
    put(root, canonical(1, content="postgres"))
    store = store_of(root)
    assert first(store, "postgras").how == "fuzzy"
    put(root, canonical(2, content="postgras"))
    assert first(store, "postgras").how == "exact"


words = st.sampled_from(" ".join(CONTENTS).split()) | st.text(min_size=1, max_size=12)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(words, min_size=1, max_size=6), st.lists(words, max_size=6))
def test_more_words_never_empty_the_answer(
    store: MemoryStore, query: list[str], more: list[str]
) -> None:
    few = recall(store, query=" ".join(query), scope="project")
    many = recall(store, query=" ".join([*query, *more]), scope="project")
    assert bool(many.matches) >= bool(few.matches)


@given(st.text(max_size=200))
def test_any_text_is_a_query(store: MemoryStore, query: str) -> None:
    found = recall(store, query=query, scope="project")
    assert found.total_matches >= len(found.matches)
    for match in found.matches:
        assert match.words
        assert set(match.fuzzy) <= set(match.words)
        assert match.points > 0
