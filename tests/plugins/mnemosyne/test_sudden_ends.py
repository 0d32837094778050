"""Killed, or with a broken disk, at every step: old or new, and nothing forgotten is readable.

Needs an operating system that can fork.
"""

import json
from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path
from shutil import copytree, rmtree
from typing import Any

import pytest

from tests.plugins.mnemosyne.caller import Caller
from tests.plugins.mnemosyne.killing import WAYS, Ending, Executioner
from tests.plugins.mnemosyne.tree import canonical, files, place, put, reference, write

DOOMS = ["kill", "fail", "break"]
UNAVAILABLE = "memory_source_unavailable"
SECRET = "Nobody must read this again."
RECORD = canonical(1, collection="decisions", content=SECRET)
ARCHIVED = RECORD | {"lifecycle": {"state": "archived", "revision": 1}}
DRAFT: dict[str, Any] = {
    "scope": "project",
    "namespace": {"kind": "project", "id": "borealis", "label": None},
    "collection": {"id": "decisions", "label": None},
    "kind": "decision",
    "language": None,
    "title": None,
    "content": "Something new.",
    "tags": [],
    "origin": "explicit_user_statement",
}
EXACT: dict[str, Any] = {"reference": reference(RECORD), "expected_revision": 1}
REVISION = EXACT | {
    "namespace_label": None,
    "collection_label": None,
    "title": "Another title",
    "content": "Another content.",
    "tags": [],
}


@pytest.fixture(scope="module")
def executioner() -> Iterator[Executioner]:
    with Executioner() as one:
        yield one


class Scene:
    """A memory that is set up anew for each step of one call, and what is left after it."""

    def __init__(self, executioner: Executioner, folder: Path, setting: Callable[[Path], object]):
        self.root = folder / "memory"
        self._executioner = executioner
        self._setting = folder / "setting"
        self._setting.mkdir()
        setting(self._setting)

    def endings(self, tool: str, arguments: object, doom: str, way: str) -> Iterator[Ending]:
        """Let the call end at each of its steps in turn; the last ending is the undisturbed."""
        for step in count():
            rmtree(self.root, ignore_errors=True)
            if any(self._setting.iterdir()):
                copytree(self._setting, self.root)
            ending = self._executioner.call(
                self.root, tool, arguments, doom=doom, step=step, way=way
            )
            assert (ending.answer is None) == (doom == "kill" and ending.reached)
            yield ending
            if not ending.reached:
                return

    @property
    def files(self) -> dict[str, bytes]:
        return files(self.root)

    @property
    def records(self) -> list[str]:
        return [name for name in files(self.root) if name.endswith(".json")]

    @property
    def temporaries(self) -> list[str]:
        return [name for name in files(self.root) if name.endswith(".tmp")]


def code_of(ending: Ending) -> str:
    """Return the code or status of the answer, `killed` if there was none."""
    if ending.answer is None:
        return "killed"
    return str(ending.answer.get("code", ending.answer["status"]))


@pytest.mark.parametrize("doom", DOOMS)
@pytest.mark.parametrize("way", WAYS)
def test_a_new_record_is_there_whole_or_not_at_all(
    executioner: Executioner, tmp_path: Path, doom: str, way: str
) -> None:
    scene, seen = Scene(executioner, tmp_path, lambda _: None), set()
    for ending in scene.endings("memory_remember", DRAFT, doom, way):
        code, records = code_of(ending), scene.records
        seen.add((code, len(records)))
        assert set(scene.files) == {*records, *scene.temporaries}
        for name in records:
            record = json.loads((scene.root / name).read_bytes())
            assert (record["content"], record["lifecycle"]["revision"]) == (DRAFT["content"], 1)
        if way == "unnamed" or doom == "fail":
            assert scene.temporaries == [] or (code, doom) == ("creation_outcome_uncertain", "fail")
        if code == "creation_outcome_uncertain":
            assert ending.answer is not None
            told = Caller(scene.root).ok("memory_inspect", reference=ending.answer["reference"])
            assert told["memory"]["content"] == DRAFT["content"]
        again = Caller(scene.root, seed="next").ok("memory_remember", **DRAFT)
        assert again["status"] == ("already_exists" if records else "remembered")
        assert len(scene.files) == len(scene.records) == 1
    expected = {("remembered", 1)}
    if doom == "kill":
        expected |= {("killed", 0), ("killed", 1)}
    else:
        expected |= {(UNAVAILABLE, 0), ("creation_outcome_uncertain", 1)}
    assert seen == expected


@pytest.mark.parametrize("doom", DOOMS)
@pytest.mark.parametrize(
    ("tool", "arguments", "done"),
    [("memory_revise", REVISION, "revised"), ("memory_archive", EXACT, "archived")],
)
def test_a_changed_record_is_the_old_or_the_new_one(
    executioner: Executioner,
    tmp_path: Path,
    tool: str,
    arguments: dict[str, Any],
    done: str,
    doom: str,
) -> None:
    scene, seen = Scene(executioner, tmp_path, lambda root: put(root, RECORD)), set()
    path = place(scene.root, RECORD)
    (undisturbed,) = (
        path.read_bytes()
        for ending in scene.endings(tool, arguments, "fail", WAYS[0])
        if not ending.reached
    )
    for ending in scene.endings(tool, arguments, doom, WAYS[0]):
        code, now = code_of(ending), path.read_bytes()
        assert now in {json.dumps(RECORD, ensure_ascii=False).encode(), undisturbed}
        seen.add((code, now == undisturbed))
        assert set(scene.files) == {str(path.relative_to(scene.root)), *scene.temporaries}
        if doom == "fail":
            assert scene.temporaries == []
        next_server = Caller(scene.root, seed="next")
        again = next_server.code(tool, **arguments)
        assert again == ("revision_conflict" if now == undisturbed else done)
        assert scene.temporaries == []
    expected = {(done, True)}
    if doom == "kill":
        expected |= {("killed", False), ("killed", True)}
    else:
        expected |= {(UNAVAILABLE, False), ("replacement_outcome_uncertain", True)}
    assert seen == expected


def just_the_record(root: Path) -> None:
    put(root, ARCHIVED)


def with_leftovers(root: Path) -> None:
    """Leave what servers that were killed while they created and revised the record leave."""
    path = put(root, ARCHIVED)
    write(path.with_name(f".{RECORD['id']}.0123456789abcdef.tmp"), path.read_bytes())
    write(path.with_name(f".{RECORD['id']}.fedcba9876543210.tmp"), path.read_bytes()[:-20])


@pytest.mark.parametrize("doom", DOOMS)
@pytest.mark.parametrize("setting", [just_the_record, with_leftovers])
def test_a_forgotten_record_is_whole_or_nothing_of_it_can_be_read(
    executioner: Executioner, tmp_path: Path, setting: Callable[[Path], None], doom: str
) -> None:
    scene, seen = Scene(executioner, tmp_path, setting), set()
    path = place(scene.root, RECORD)
    for ending in scene.endings("memory_forget", EXACT, doom, WAYS[0]):
        code, is_there = code_of(ending), path.exists()
        seen.add((code, is_there))
        if is_there:
            assert path.read_bytes() == json.dumps(ARCHIVED, ensure_ascii=False).encode()
        else:
            assert scene.files == {}
        again = Caller(scene.root, seed="next").code("memory_forget", **EXACT)
        assert again == ("forgotten" if is_there else "not_found")
        assert scene.files == {}
    expected = {("forgotten", False)}
    if doom == "kill":
        expected |= {("killed", True), ("killed", False)}
    else:
        expected |= {(UNAVAILABLE, True), ("deletion_outcome_uncertain", False)}
    assert seen == expected


def test_every_step_of_a_call_was_reached(executioner: Executioner, tmp_path: Path) -> None:
    """Hold the harness itself: it must see the steps that the operation has."""
    scene = Scene(executioner, tmp_path, lambda root: put(root, RECORD))
    steps = {
        tool: len(list(scene.endings(tool, arguments, "kill", way))) - 1
        for tool, arguments, way in (
            ("memory_revise", REVISION, WAYS[0]),
            ("memory_remember", DRAFT | {"collection": None}, "linked"),
        )
    }
    # open, chmod, write and its middle, sync, rename, sync
    assert steps["memory_revise"] == 7
    # scope is there; folder, sync; open, chmod, write, middle, sync, link, unlink, sync
    assert steps["memory_remember"] == 1 + 2 + 8
