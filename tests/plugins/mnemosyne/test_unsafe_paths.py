"""One policy for every tool: what a call names must be safe and readable, or the call says so.

Rows follow the table of symlinks and types in the storage specification, with its accidental
differences mended: unsafe is `memory_source_unavailable`, never an empty success.
"""

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.plugins.mnemosyne.caller import Caller
from tests.plugins.mnemosyne.tree import canonical, files, legacy, put, reference, write

UNAVAILABLE = "memory_source_unavailable"
RECORD = canonical(1, collection="decisions", content="tea")
DRAFT = {
    "scope": "project",
    "namespace": {"kind": "project", "id": "atlas", "label": None},
    "collection": {"id": "decisions", "label": None},
    "kind": "decision",
    "language": None,
    "title": None,
    "content": "Something new.",
    "tags": [],
    "origin": "explicit_user_statement",
}
RECALL = ("memory_recall", {"query": "tea", "scope": "project"})
RECALL_NAMESPACE = ("memory_recall", {"query": "tea", "scope": "project", "namespace_id": "atlas"})
LIST = ("memory_list", {"scope": "project"})
LIST_NAMESPACE = ("memory_list", {"scope": "project", "namespace_id": "atlas"})
LIST_PLAIN = ("memory_list", {"scope": "project", "namespace_id": "atlas", "collection_id": None})
LIST_COLLECTION = (
    "memory_list",
    {"scope": "project", "namespace_id": "atlas", "collection_id": "decisions"},
)
INSPECT = ("memory_inspect", {"reference": reference(RECORD)})
INSPECT_LEGACY = (
    "memory_inspect",
    {"reference": {"schema_version": 1, "scope": "project", "id": "rainy-weekend"}},
)
REMEMBER = ("memory_remember", DRAFT)
EXACT = {"reference": reference(RECORD), "expected_revision": 1}
ARCHIVE = ("memory_archive", EXACT)
RESTORE = ("memory_restore", EXACT)
FORGET = ("memory_forget", EXACT)
REVISE = (
    "memory_revise",
    EXACT
    | {"namespace_label": None, "collection_label": None, "title": None, "tags": []}
    | {"content": "coffee"},
)
CHANGES = [ARCHIVE, RESTORE, REVISE, FORGET]
EVERY = [RECALL, RECALL_NAMESPACE, LIST, LIST_NAMESPACE, LIST_PLAIN, LIST_COLLECTION,
         INSPECT, INSPECT_LEGACY, REMEMBER, *CHANGES]  # fmt: skip
OF_NAMESPACE = [RECALL_NAMESPACE, LIST_NAMESPACE, LIST_PLAIN, LIST_COLLECTION, INSPECT, REMEMBER,
                *CHANGES]  # fmt: skip
OF_COLLECTION = [LIST_COLLECTION, INSPECT, REMEMBER, *CHANGES]

Call = tuple[str, dict[str, Any]]
Spoil = Callable[[Path], None]


def aside(path: Path) -> Path:
    """Move `path` out of the way and return where it is now."""
    target = path.parent.parent / f"real-{path.name}"
    path.rename(target)
    return target


def into_symlink(path: Path) -> None:
    target = aside(path)
    path.symlink_to(target)


def into_dangling_symlink(path: Path) -> None:
    aside(path)
    path.symlink_to("nowhere")


def into_symlink_loop(path: Path) -> None:
    aside(path)
    path.symlink_to(path.name)


def into_file(path: Path) -> None:
    aside(path)
    path.write_bytes(b"file")


def into_pipe(path: Path) -> None:
    aside(path)
    os.mkfifo(path)


SPOILS = [into_symlink, into_dangling_symlink, into_symlink_loop, into_file, into_pipe]


@pytest.fixture
def memory(tmp_path: Path) -> Path:
    """A root two folders deep, so that everything can be moved aside within the test's folder."""
    root = tmp_path / "above" / "memory"
    put(root, RECORD)
    write(root / "project" / "old.json", legacy())
    return root


def answer(root: Path, call: Call) -> str:
    tool, arguments = call
    return Caller(root).code(tool, **arguments)


@pytest.mark.parametrize("spoil", SPOILS)
@pytest.mark.parametrize("call", EVERY)
def test_an_unsafe_root_is_unavailable(memory: Path, spoil: Spoil, call: Call) -> None:
    spoil(memory)
    assert answer(memory, call) == UNAVAILABLE


@pytest.mark.parametrize("spoil", SPOILS)
@pytest.mark.parametrize("call", EVERY)
def test_an_unsafe_scope_is_unavailable(memory: Path, spoil: Spoil, call: Call) -> None:
    spoil(memory / "project")
    assert answer(memory, call) == UNAVAILABLE


@pytest.mark.parametrize("spoil", SPOILS)
@pytest.mark.parametrize("call", OF_NAMESPACE)
def test_an_unsafe_namespace_is_unavailable_to_whoever_names_it(
    memory: Path, spoil: Spoil, call: Call
) -> None:
    spoil(memory / "project" / "atlas")
    assert answer(memory, call) == UNAVAILABLE


@pytest.mark.parametrize("spoil", SPOILS)
@pytest.mark.parametrize("call", OF_COLLECTION)
def test_an_unsafe_collection_is_unavailable_to_whoever_names_it(
    memory: Path, spoil: Spoil, call: Call
) -> None:
    spoil(memory / "project" / "atlas" / "decisions")
    assert answer(memory, call) == UNAVAILABLE


@pytest.mark.parametrize("spoil", SPOILS)
def test_wider_calls_go_on_without_an_unsafe_part(memory: Path, spoil: Spoil) -> None:
    put(memory, canonical(2, namespace="borealis", content="tea"))
    spoil(memory / "project" / "atlas")
    caller = Caller(memory)
    recalled = caller.ok("memory_recall", query="tea", scope="project")
    listed = caller.ok("memory_list", scope="project")
    assert [memory["id"][-1] for memory in recalled["memories"]] == ["2"]
    assert listed["page"]["total_count"] == 2
    assert caller.code("memory_inspect", **INSPECT_LEGACY[1]) == "ok"


@pytest.mark.parametrize("spoil", SPOILS)
def test_nothing_is_written_through_an_unsafe_part(memory: Path, spoil: Spoil) -> None:
    for path in (memory / "project" / "atlas", memory / "project", memory):
        spoil(path)
        before = files(memory.parent.parent)
        for call in (REMEMBER, *CHANGES):
            assert answer(memory, call) == UNAVAILABLE
        assert files(memory.parent.parent) == before
        path.unlink()
        (path.parent.parent / f"real-{path.name}").rename(path)


@pytest.mark.parametrize(
    ("call", "expected"),
    [(RECALL, "no_matches"), (LIST, "ok"), (INSPECT, UNAVAILABLE), (INSPECT_LEGACY, "ok"),
     (REMEMBER, "remembered"), *((call, UNAVAILABLE) for call in CHANGES)],
)  # fmt: skip
@pytest.mark.parametrize("spoil", SPOILS)
def test_a_record_that_is_no_regular_file_is_skipped_and_never_absent(
    memory: Path, spoil: Spoil, call: Call, expected: str
) -> None:
    spoil(memory / "project" / "atlas" / "decisions" / f"{RECORD['id']}.json")
    assert answer(memory, call) == expected


@pytest.mark.parametrize("call", EVERY)
def test_a_root_behind_a_link_that_leads_nowhere_is_unavailable_not_empty(
    tmp_path: Path, call: Call
) -> None:
    (tmp_path / "disk").symlink_to("not-mounted")
    assert answer(tmp_path / "disk" / "deep" / "memory", call) == UNAVAILABLE


@pytest.mark.parametrize("call", EVERY)
def test_symlinks_above_the_root_are_the_operators_matter(memory: Path, call: Call) -> None:
    link = memory.parent.parent / "link"
    link.symlink_to("above")
    through = answer(link / "memory", call)
    assert through in {"ok", "remembered", "archived", "already_active", "revised", "not_archived"}


@pytest.mark.parametrize(
    ("call", "expected"),
    [(RECALL, "no_matches"), (RECALL_NAMESPACE, "no_matches"), (LIST, "ok"), (LIST_NAMESPACE, "ok"),
     (LIST_PLAIN, "ok"), (LIST_COLLECTION, "ok"), (INSPECT, "not_found"),
     (INSPECT_LEGACY, "not_found"), (REMEMBER, "remembered"),
     *((call, "not_found") for call in CHANGES)],
)  # fmt: skip
@pytest.mark.parametrize("missing", [".", "project", "project/atlas"])
def test_what_is_missing_is_empty_and_reading_makes_nothing(
    tmp_path: Path, call: Call, expected: str, missing: str
) -> None:
    root = tmp_path / "memory"
    if missing != ".":
        (root / missing).parent.mkdir(parents=True)
    assert answer(root, call) == expected
    assert (root / missing).exists() == (call is REMEMBER)


@pytest.mark.parametrize("mode", [0o000, 0o300, 0o600])
@pytest.mark.parametrize("call", EVERY)
def test_a_scope_that_may_not_be_read_is_unavailable(
    unprivileged_root: Path, call: Call, mode: int
) -> None:
    put(unprivileged_root, RECORD)
    (unprivileged_root / "project").chmod(mode)
    assert answer(unprivileged_root, call) == UNAVAILABLE


@pytest.mark.parametrize(
    ("call", "expected"),
    [(RECALL, "no_matches"), (LIST, "ok"), (INSPECT, UNAVAILABLE), (REMEMBER, "remembered"),
     *((call, UNAVAILABLE) for call in CHANGES)],
)  # fmt: skip
def test_a_record_that_may_not_be_read_is_skipped_and_never_absent(
    unprivileged_root: Path, call: Call, expected: str
) -> None:
    put(unprivileged_root, RECORD).chmod(0)
    assert answer(unprivileged_root, call) == expected


@pytest.mark.parametrize(
    "unsafe",
    ["..", "a/../b", "a%2f..", "a\0b", "CON", "x" * 300, "", ".", "/", "~", "-", "a\n", "é"],
)
def test_no_id_leads_out_of_the_root(root: Path, caller: Caller, unsafe: str) -> None:
    assert caller.code("memory_recall", query="x", scope="project", namespace_id=unsafe) == (
        "invalid_namespace"
    )
    assert caller.code("memory_list", scope="project", namespace_id=unsafe) == "invalid_namespace"
    assert caller.code(
        "memory_list", scope="project", namespace_id="atlas", collection_id=unsafe
    ) == ("invalid_collection")
    for member in ("namespace_id", "collection_id", "id", "scope"):
        spoilt = reference(RECORD) | {member: unsafe}
        assert caller.code("memory_inspect", reference=spoilt) == "invalid_reference"
        for tool, arguments in CHANGES:
            changed = {**arguments, "reference": spoilt}
            assert caller.code(tool, **changed) == "invalid_reference"
    namespace = {"kind": "project", "id": unsafe, "label": None}
    assert caller.code("memory_remember", **DRAFT | {"namespace": namespace}) == (
        "invalid_namespace"
    )
    collection = {"id": unsafe, "label": None}
    assert caller.code("memory_remember", **DRAFT | {"collection": collection}) == (
        "invalid_collection"
    )
    assert not root.exists()


@pytest.mark.parametrize(
    ("call", "state"),
    [(ARCHIVE, "active"), (REVISE, "active"), (RESTORE, "archived"), (FORGET, "archived")],
)
def test_a_folder_that_may_not_be_written_keeps_its_record(
    unprivileged_root: Path, call: Call, state: str
) -> None:
    record = RECORD | {"lifecycle": {"state": state, "revision": 1}}
    path = put(unprivileged_root, record)
    before = files(unprivileged_root)
    path.parent.chmod(0o500)
    assert answer(unprivileged_root, call) == UNAVAILABLE
    assert files(unprivileged_root) == before
