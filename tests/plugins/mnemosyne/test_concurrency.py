"""Several threads and several processes on one root."""

import json
import subprocess
import sys
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from mymcp.plugins.mnemosyne.plugin import contribute
from tests.plugins.mnemosyne.caller import Caller
from tests.plugins.mnemosyne.tree import canonical, files, put

ENVIRONMENT = "MNEMOSYNE_MEMORY_REMEMBER_ENABLED"
CHECKOUT = Path(__file__).parents[3]
WORKER = """
import json, sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from tests.plugins.mnemosyne.test_concurrency import draft, remember, server

tools = server(Path(sys.argv[1]))
contents = json.loads(sys.argv[2])
print("ready", flush=True)
sys.stdin.readline()
with ThreadPoolExecutor(8) as pool:
    statuses = list(pool.map(lambda content: remember(tools, content), contents))
print(json.dumps(statuses))
"""


def server(root: Path) -> dict[str, Any]:
    environment = {"MNEMOSYNE_MEMORY_ROOT": str(root), ENVIRONMENT: "true"}
    return {tool.capability.name: tool for tool in contribute(environment, root).tools}


def draft(content: str) -> dict[str, Any]:
    return {
        "scope": "project",
        "namespace": {"kind": "project", "id": "atlas", "label": None},
        "collection": None,
        "kind": "decision",
        "language": "en",
        "title": None,
        "content": content,
        "tags": ["parallel"],
        "origin": "explicit_user_statement",
    }


def remember(tools: dict[str, Any], content: str) -> str:
    answer = json.loads(tools["memory_remember"].call(draft(content)).text)
    return str(answer["status"])


def together(root: Path, *contents: list[str]) -> list[str]:
    """Have one process for each list remember it with eight threads, all at once."""
    workers = [
        subprocess.Popen(
            [sys.executable, "-c", WORKER, str(root), json.dumps(each)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            cwd=CHECKOUT,
        )
        for each in contents
    ]
    for worker in workers:
        assert worker.stdout is not None
        assert worker.stdout.readline() == "ready\n"
    outputs = []
    for worker in workers:
        assert worker.stdin is not None
        worker.stdin.write("go\n")
        worker.stdin.flush()
    for worker in workers:
        output, _ = worker.communicate()
        outputs.append(output)
    return [status for output in outputs for status in json.loads(output)]


def test_two_processes_that_remember_the_same_make_one_record(root: Path) -> None:
    same = [f"Statement {number}." for number in range(20)]
    statuses = together(root, same, same)
    assert Counter(statuses) == {"remembered": 20, "already_exists": 20}
    assert len(files(root)) == 20


def test_parallel_memories_of_two_processes_are_all_there_and_nothing_else(root: Path) -> None:
    ours, theirs = ([f"{who} {number}." for number in range(100)] for who in ("Ours", "Theirs"))
    statuses = together(root, ours, theirs)
    assert Counter(statuses) == {"remembered": 200}
    assert all(name.endswith(".json") for name in files(root))
    caller = Caller(root)
    page = caller.ok("memory_list", scope="project", page_size=100)
    seen = [memory["reference"] for memory in page["memories"]]
    while page["page"]["next_cursor"]:
        page = caller.ok("memory_list", scope="project", cursor=page["page"]["next_cursor"])
        seen += [memory["reference"] for memory in page["memories"]]
    told = [caller.ok("memory_inspect", reference=one)["memory"]["content"] for one in seen]
    assert sorted(told) == sorted(ours + theirs)


def test_threads_that_remember_the_same_make_one_record(root: Path) -> None:
    tools = server(root)
    with ThreadPoolExecutor(8) as pool:
        statuses = Counter(pool.map(lambda _: remember(tools, "The same."), range(40)))
    assert statuses == {"remembered": 1, "already_exists": 39}
    assert len(files(root)) == 1


def test_readers_beside_writers_see_whole_records_only(root: Path) -> None:
    put(root, canonical(1, content="parallel reading"))
    tools = server(root)

    def read(_: int) -> tuple[bool, int]:
        outcome = tools["memory_recall"].call(
            {"query": "reading", "scope": "project", "tags": ["parallel"]}
        )
        return outcome.is_error, len(json.loads(outcome.text)["memories"])

    def write(number: int) -> str:
        return remember(tools, f"Statement {number}.")

    with ThreadPoolExecutor(8) as pool:
        writing = [pool.submit(write, number) for number in range(60)]
        reading = [pool.submit(read, number) for number in range(60)]
    assert {done.result() for done in writing} == {"remembered"}
    assert all(
        not is_error and 1 <= count <= 5 for is_error, count in (r.result() for r in reading)
    )
