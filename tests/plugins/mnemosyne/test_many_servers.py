"""Several real servers, each a process of its own, on one root."""

import json
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path
from shutil import rmtree
from typing import Any

import pytest

from mymcp.plugins.mnemosyne.settings import GATE_VARIABLES
from tests.plugins.mnemosyne.tree import canonical, files, put, reference
from tests.transport.command import Command
from tests.transport.serving import Wire

Answer = dict[str, Any]
RECORD = canonical(1)
RACES = 1_000
CALLS_AT_A_TIME = 4
"""Of one server: with two servers that is what one may have at work."""


@pytest.fixture(scope="module", params=[2, 4], ids=["two", "four"])
def started(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[tuple[list[Wire], Path]]:
    """Servers and their root. They start once for all tests: starting takes longer than those."""
    home = tmp_path_factory.mktemp("servers")
    settings = dict.fromkeys(GATE_VARIABLES.values(), "true")
    settings["MNEMOSYNE_MEMORY_ROOT"] = str(home / "memory")
    with ExitStack() as running:
        wires = []
        for number in range(request.param):
            folder = home / f"server-{number}"
            folder.mkdir()
            command = Command(folder, "-m", "mymcp", "--port", "{port}", settings=settings)
            wires.append(running.enter_context(command).wire)
        yield wires, home / "memory"


@pytest.fixture
def root(started: tuple[list[Wire], Path]) -> Path:
    """The root, which is missing at the beginning of each test."""
    rmtree(started[1], ignore_errors=True)
    return started[1]


@pytest.fixture
def servers(started: tuple[list[Wire], Path]) -> list[Wire]:
    return started[0]


def answer(wire: Wire, tool: str, arguments: Answer) -> Answer:
    """Call `tool` and return the object in its text."""
    (item,) = json.loads(wire.call(tool, arguments).body)["result"]["content"]
    return dict(json.loads(item["text"]))


def draft(content: str) -> Answer:
    return {
        "scope": "project",
        "namespace": {"kind": "project", "id": "atlas", "label": None},
        "collection": None,
        "kind": "decision",
        "language": "en",
        "title": None,
        "content": content,
        "tags": [],
        "origin": "explicit_user_statement",
    }


def remembered(servers: list[Wire], contents: list[list[str]]) -> Counter[str]:
    """Let every server remember its contents, all at once; count what they say."""

    def remember(call: tuple[Wire, str]) -> str:
        return str(answer(call[0], "memory_remember", draft(call[1]))["status"])

    turns = zip(*contents, strict=True)
    calls = [call for turn in turns for call in zip(servers, turn, strict=True)]
    with ThreadPoolExecutor(CALLS_AT_A_TIME * len(servers)) as pool:
        return Counter(pool.map(remember, calls))


def test_distinct_memories_are_all_there(servers: list[Wire], root: Path) -> None:
    each = 400 // len(servers)
    contents = [[f"{who} {number}." for number in range(each)] for who in range(len(servers))]
    assert remembered(servers, contents) == {"remembered": 400}
    told = [json.loads(data)["content"] for data in files(root).values()]
    assert sorted(told) == sorted(content for one in contents for content in one)
    for wire in servers:
        page = answer(wire, "memory_list", {"scope": "project"})["page"]
        assert page["total_count"] == 400


def test_the_same_memory_is_remembered_once(servers: list[Wire], root: Path) -> None:
    statuses = remembered(servers, [["The same."] * 100] * len(servers))
    assert statuses == {"remembered": 1, "already_exists": 100 * len(servers) - 1}
    assert len(files(root)) == 1


def test_of_racing_revisions_exactly_one_wins_each_time(servers: list[Wire], root: Path) -> None:
    path = put(root, RECORD)
    nothing = {"namespace_label": None, "title": None, "tags": []}
    exact = {"reference": reference(RECORD), **nothing}
    with ThreadPoolExecutor(len(servers)) as pool:
        for revision in range(1, RACES + 1):

            def revise(number: int, revision: int = revision) -> Answer:
                said = {"expected_revision": revision, "content": f"{revision} of {number}."}
                return answer(servers[number], "memory_revise", exact | said)

            answers = list(pool.map(revise, range(len(servers))))
            outcomes = [one.get("code", one["status"]) for one in answers]
            assert sorted(outcomes) == sorted(
                ["revised", *["revision_conflict"] * (len(servers) - 1)]
            )
            winner = outcomes.index("revised")
            record = json.loads(path.read_bytes())
            assert record["content"] == f"{revision} of {winner}."
            assert record["lifecycle"]["revision"] == revision + 1
            assert answers[winner]["lifecycle"]["revision"] == revision + 1
    assert list(files(root)) == [str(path.relative_to(root))]


def test_of_racing_deletions_one_forgets_and_the_others_find_nothing(
    servers: list[Wire], root: Path
) -> None:
    with ThreadPoolExecutor(len(servers)) as pool:
        for number in range(50):
            record = canonical(number, state="archived")
            put(root, record)
            exact = {"reference": reference(record), "expected_revision": 1}
            outcomes = pool.map(
                lambda wire, exact=exact: answer(wire, "memory_forget", exact)["status"], servers
            )
            assert Counter(outcomes) == {"forgotten": 1, "not_found": len(servers) - 1}
    assert files(root) == {}
