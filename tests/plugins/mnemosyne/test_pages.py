"""The pages about memory: their examples are really valid, their tables name all there is."""

import json
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from mymcp._generated.registry import CAPABILITIES
from mymcp.app import create_app
from mymcp.host.production import build_production_runtime
from mymcp.plugins.mnemosyne.memory import records, store
from mymcp.plugins.mnemosyne.memory.listing import PAGE_SIZE_MAX
from mymcp.plugins.mnemosyne.memory.places import folder_name
from mymcp.plugins.mnemosyne.memory.retrieval import RESULTS_MAX
from tests.plugins.mnemosyne.caller import Caller
from tests.plugins.mnemosyne.tree import place, put, reference, write
from tests.transport.serving import serving

CHECKOUT = Path(__file__).resolve().parents[3]
MANUAL, MNEMOSYNE, START, MAP = (
    (CHECKOUT / name).read_text(encoding="utf-8")
    for name in (
        "docs/memory-manual.md",
        "docs/mnemosyne.md",
        "docs/getting-started.md",
        "MEMORY.md",
    )
)
TOOLS = [
    json.loads(path.read_text(encoding="utf-8"))
    for path in sorted((CHECKOUT / "contracts" / "tools" / "mnemosyne").glob("*.json"))
]
SHARED = {
    path.stem: json.loads(path.read_text(encoding="utf-8"))["$defs"]
    for path in (CHECKOUT / "contracts" / "shared").glob("*.json")
}
FENCED = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
PLACEHOLDER = "mem_0123456789abcdef0123456789abcdef"


@dataclass(frozen=True, slots=True)
class Example:
    """One call of the manual, and the answer that it shows, if it shows one."""

    heading: str
    name: str
    arguments: dict[str, Any]
    answer: dict[str, Any] | None


def blocks(page: str, language: str) -> list[str]:
    return [text for found, text in FENCED.findall(page) if found == language]


def section(page: str, heading: str) -> str:
    """Return what stands under `heading`, up to the next one of its level."""
    level, _, _ = heading.partition(" ")
    _, _, rest = page.partition(f"\n{heading}\n")
    assert rest, heading
    return re.split(rf"^{level} ", rest, flags=re.MULTILINE)[0]


def rows(text: str) -> list[list[str]]:
    """Return the cells of the one table in `text`, without its head."""
    lines = [line for line in text.splitlines() if line.startswith("|")]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines[2:]]


def codes(cell: str) -> list[str]:
    return re.findall(r"`([^`]+)`", cell)


def examples() -> list[Example]:
    found: list[Example] = []
    for part in re.split(r"^## ", MANUAL, flags=re.MULTILINE)[1:]:
        heading = part.partition("\n")[0]
        shown = [json.loads(text) for text in blocks(part, "json")]
        for position, value in enumerate(shown):
            if "name" not in value:
                continue
            after = shown[position + 1] if position + 1 < len(shown) else {"name": ""}
            answer = None if "name" in after else after
            found.append(Example(heading, value["name"], value["arguments"], answer))
    return found


def test_manual_has_a_section_and_an_example_for_every_tool() -> None:
    headings = re.findall(r"^## (memory_\w+)$", MANUAL, re.MULTILINE)
    names = [tool["name"] for tool in TOOLS]
    assert sorted(headings) == names
    for name in names:
        assert [one for one in examples() if one.heading == one.name == name], name
        told = section(MANUAL, f"## {name}")
        assert "**When**:" in told
        assert "**Ask first**:" in told


def test_manual_says_of_every_change_what_to_ask_first() -> None:
    for capability in CAPABILITIES:
        if capability.plugin != "mnemosyne":
            continue
        asks = "**Ask first**: nothing." not in section(MANUAL, f"## {capability.name}")
        assert asks == (capability.consent == "per_call"), capability.name


def test_examples_of_the_manual_work_in_their_order(caller: Caller) -> None:
    real = PLACEHOLDER
    for example in examples():
        arguments = json.loads(json.dumps(example.arguments).replace(PLACEHOLDER, real))
        outcome = caller.tools[example.name].call(arguments)
        answer = json.loads(outcome.text)
        if real == PLACEHOLDER and example.name == "memory_remember":
            real = answer["reference"]["id"]
        if example.answer is None:
            assert not outcome.is_error, outcome.text
            continue
        assert json.loads(outcome.text.replace(real, PLACEHOLDER)) == example.answer
        assert outcome.is_error == ("code" in example.answer)
    assert real != PLACEHOLDER
    left = caller.ok("memory_list", scope="project")["memories"]
    assert [one["kind"] for one in left] == ["event"]


def test_manual_names_every_code_and_no_other() -> None:
    told = [codes(row[0]) for row in rows(section(MANUAL, "## Codes"))]
    declared = {error["code"] for tool in TOOLS for error in tool["errors"]}
    assert sorted(code for row in told for code in row) == sorted(declared)


def test_manual_names_every_status_and_no_other() -> None:
    told = [codes(row[0]) for row in rows(section(MANUAL, "## Status"))]
    declared = {error["status"] for tool in TOOLS for error in tool["errors"]}
    declared |= {word for tool in TOOLS for word in tool["result"]["properties"]["status"]["enum"]}
    assert sorted(status for row in told for status in row) == sorted(declared)


def test_uncertain_codes_ask_for_an_inspection_first() -> None:
    told = {codes(row[0])[0]: row[1] for row in rows(section(MANUAL, "## Codes"))}
    uncertain = {
        error["code"]
        for tool in TOOLS
        for error in tool["errors"]
        if error["status"] == "uncertain"
    }
    assert len(uncertain) == 3
    for code in uncertain:
        assert re.search(r"inspect the (same|`reference`).* first", told[code]), code


def test_manual_has_the_namespace_kinds_and_kinds_of_every_scope() -> None:
    allowed: dict[str, list[list[str]]] = {}
    for rule in ("NamespaceKindOfScope", "KindOfScope"):
        for branch in SHARED["vocabulary"][rule]["anyOf"]:
            found = branch["properties"]
            kinds = found.get("kind") or found["namespace"]["properties"]["kind"]
            allowed.setdefault(found["scope"]["const"], []).append(kinds["enum"])
    table = rows(section(MANUAL, "## What belongs where"))
    told = {
        codes(scope)[0]: [codes(namespaces), [k for k in codes(kinds) if k != "occurred_at"]]
        for scope, namespaces, kinds in table
    }
    assert told == allowed


def example_record() -> dict[str, Any]:
    (text,) = blocks(MNEMOSYNE, "json")
    return dict(json.loads(text))


def test_record_of_the_page_is_written_as_shown_and_where_the_page_says() -> None:
    (text,) = blocks(MNEMOSYNE, "json")
    record = records.parse(text.encode())
    assert isinstance(record, records.CanonicalRecord)
    assert records.serialise(record) == text.encode()
    assert f"`{place(Path(), example_record())}`" in MNEMOSYNE


def test_members_that_the_page_explains_are_those_of_a_record() -> None:
    told = {name for row in rows(section(MNEMOSYNE, "## A record")) for name in codes(row[0])}
    assert told - set(example_record()) == {"label", "occurred_at"}


def test_edit_by_hand_with_a_raised_revision_is_safe_from_who_read_the_older_text(
    caller: Caller, root: Path
) -> None:
    record = example_record()
    path = put(root, record)
    old = caller.ok("memory_inspect", reference=reference(record))["memory"]
    edited = record | {"content": "By hand.", "lifecycle": {"state": "active", "revision": 2}}
    write(path, edited)
    arguments = {"reference": reference(record), "expected_revision": old["lifecycle"]["revision"]}
    assert caller.code("memory_archive", **arguments) == "revision_conflict"
    assert json.loads(path.read_bytes()) == edited


def test_record_by_hand_as_the_page_asks_is_served_beside_what_is_not_ours(
    caller: Caller, root: Path
) -> None:
    origin, via = re.findall(r'`"(?:origin|recorded_via)": "(\w+)"`', MNEMOSYNE)
    put(root, example_record() | {"provenance": {"origin": origin, "recorded_via": via}})
    write(root / ".git" / "objects.json", b"{")
    write(root / "notes.json", b"{")
    found = caller.ok("memory_list", scope="project")
    assert (len(found["memories"]), found["page"]["skipped_count"]) == (1, 0)


def test_limits_of_the_page_are_those_of_contracts_and_code() -> None:
    text = SHARED["text"]
    tags = TOOLS[[t["name"] for t in TOOLS].index("memory_remember")]["input"]["properties"]["tags"]
    expected = {
        "content": [text["Content"]["maxLength"]],
        "title": [text["Title"]["maxLength"]],
        "label": [text["Label"]["maxLength"]],
        "tags": [tags["maxItems"], text["Tag"]["maxLength"]],
        "record file": [records.RECORD_MAX_BYTES],
        "memories in one answer of recall": [RESULTS_MAX],
        "memories on one page of a list": [PAGE_SIZE_MAX],
        "record files in one scope": [store.CANDIDATE_LIMIT],
    }
    told = {
        what: [int(number.replace(",", "")) for number in re.findall(r"[0-9][0-9,]*", limit)]
        for what, limit in rows(section(MNEMOSYNE, "## Limits"))
    }
    assert told == expected


def test_what_the_page_says_of_a_full_scope_is_so(root: Path) -> None:
    caller = Caller(root)
    for number in range(store.CANDIDATE_LIMIT):
        write(root / "project" / "other" / f"{number}.json", b"{}")
    put(root, example_record())
    address = {"reference": reference(example_record()), "expected_revision": 1}
    full = "candidate_limit_exceeded"
    assert caller.code("memory_recall", query="uploads", scope="project") == full
    assert caller.code("memory_list", scope="project") == full
    narrow = {"scope": "project", "namespace_id": "atlas"}
    assert caller.code("memory_recall", query="uploads", **narrow) == "ok"
    assert caller.code("memory_list", **narrow) == "ok"
    assert caller.code("memory_inspect", reference=reference(example_record())) == "ok"
    assert caller.code("memory_archive", **address) == "archived"
    assert caller.code("memory_forget", **address | {"expected_revision": 2}) == "forgotten"


def test_bodies_of_getting_started_remember_and_recall(tmp_path: Path) -> None:
    switch = re.findall(r"^(MNEMOSYNE_\w+)=(\w+) ", START, re.MULTILINE)
    bodies = [json.loads(body) for body in re.findall(r"-d '(.*?)'$", START, re.M | re.S)]
    names = [body["params"]["name"] for body in bodies]
    assert names == ["list_tools", "memory_remember", "memory_recall"]
    with serving(create_app(build_production_runtime(dict(switch), tmp_path))) as wire:
        for header in re.findall(r"-H '(.*?)'", START):
            assert tuple(header.split(": ")) in wire.headers
        results = [json.loads(wire.post(body).body)["result"] for body in bodies]
    assert not any(result.get("isError") for result in results)
    recalled = results[2]["structuredContent"]["memories"]
    assert [one["reference"] for one in recalled] == [results[1]["structuredContent"]["reference"]]
    folder = tmp_path / ".mnemosyne" / "memory" / "project" / "atlas" / "decisions"
    assert "~/.mnemosyne/memory/project/atlas/decisions/" in START
    assert [path.stem for path in folder.iterdir()] == [recalled[0]["id"]]


@pytest.mark.parametrize(
    "page", [MAP, *blocks(START, "markdown")], ids=["this repository", "template"]
)
def test_a_memory_map_names_only_what_there_is(page: str) -> None:
    where = section(page, "## Where")
    first, second = (rows(table) for table in re.split(r"\n\n(?=\| Coll)", where, maxsplit=1))
    said = {name: codes(value) for name, value in first}
    (scope,), (kind, identifier, _) = said["Scope"], said["Namespace"]
    vocabulary = {
        rule: next(
            branch["properties"]
            for branch in SHARED["vocabulary"][rule]["anyOf"]
            if branch["properties"]["scope"]["const"] == scope
        )
        for rule in ("NamespaceKindOfScope", "KindOfScope")
    }
    namespaces = vocabulary["NamespaceKindOfScope"]["namespace"]["properties"]["kind"]["enum"]
    assert kind in namespaces
    assert folder_name(identifier) == identifier
    assert second
    for collection, kinds, _ in second:
        assert folder_name(codes(collection)[0])
        assert set(codes(kinds)) <= set(vocabulary["KindOfScope"]["kind"]["enum"])


def test_memory_map_of_this_repository_has_the_parts_of_the_template() -> None:
    (template,) = blocks(START, "markdown")
    parts = [re.findall(r"^#+ .*$", page, re.MULTILINE) for page in (template, MAP)]
    assert parts[0] == parts[1]
