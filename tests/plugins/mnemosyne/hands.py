"""What people do to the files of a memory, as rules of a state machine.

Rules are few and each has many deeds: which of its rules a run uses is drawn for the whole run.
"""

import os
import tempfile
from itertools import product
from pathlib import Path
from shutil import rmtree
from typing import Any, Literal

from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, rule

from tests.plugins.mnemosyne import memory_model as model
from tests.plugins.mnemosyne.disk import WAYS, Disk, File, Names, Way
from tests.plugins.mnemosyne.handwriting import BREAKS, FORMS, Form, spelt
from tests.plugins.mnemosyne.memory_model import ROOT, Json, MemoryModel
from tests.plugins.mnemosyne.tree import canonical, legacy, memory_id

SCOPES = ("project", "self")
NAMESPACES = ("atlas", "borealis")
COLLECTIONS = (None, "north", "south")
WORDS = range(6)
LEGACY_IDS = ("old", "..")
TITLES = (None, "Café au lait")
TAGS: tuple[list[str], ...] = ([], ["Tea", "green leaf"], ["Green Leaf", "TEA"])
OUTSIDE: Names = ("aside",)
DEEP = ("a", "b", "c", "d", "e")
FILE_NAMES = (
    "note.json",
    ".hidden.json",
    ".json",
    "X.JSON",
    "notes.txt",
    f"{memory_id(1)}.json",
    f"{memory_id(2)}.json",
)
FOLDER_NAMES = ("atlas", "borealis", "north", "south", "project", "self", "c", "memory")
STAND_INS = ("nothing", "symlink", "loop", "nowhere", "file", "pipe", "folder")

FileDeed = Literal["edit", "spoil", "mend", "touch"]
NameDeed = Literal["move", "move over", "exchange", "link", "symlink", "remove", "leave temporary"]
FolderDeed = Literal["take away", "bring back", "bring all back", "move", "remove"]

scopes = st.sampled_from(SCOPES)
namespaces = st.sampled_from(NAMESPACES)
collections = st.sampled_from(COLLECTIONS)
words = st.sampled_from(WORDS)
titles = st.sampled_from(TITLES)
tag_lists = st.sampled_from(TAGS)
choices = st.integers(0, 2**16)
"""One of however many there are: taken modulo their number."""
looks = st.sampled_from((True, True, True, False))
"""Whether the read tools are asked after this step."""


class Hands(RuleBasedStateMachine):
    """A memory on a disk, its model, and the hands."""

    def __init__(self) -> None:
        super().__init__()
        self.disk = Disk(Path(tempfile.mkdtemp()))
        self.model = MemoryModel(self.disk)
        self.disk.make_folder(OUTSIDE)
        self.is_looking = True
        self.places: set[Names] = set()
        """Where version-2 records have ever been."""
        self._away: list[tuple[Names, Names]] = []
        self._count = 0

    def teardown(self) -> None:
        rmtree(self.disk.base)

    def fill(self, *, is_small: bool) -> None:
        """Write the files that are there at first."""
        self._put(canonical(9, scope="knowledge", content=text(0)), "indented")
        spots = list(product(SCOPES, NAMESPACES, COLLECTIONS))
        for number, (scope, namespace, collection) in enumerate(spots[:3] if is_small else spots):
            record = canonical(
                number % 5 + 1,
                scope=scope,
                namespace=namespace,
                collection=collection,
                state="archived" if number % 4 == 1 else "active",
                content=text(number % len(WORDS)),
            )
            self._put(record, "indented")
        for number, identifier in enumerate((LEGACY_IDS[0], *LEGACY_IDS)):
            old = legacy(identifier, content=text(number))
            self._write((*ROOT, SCOPES[0], f"note-{number}.json"), old, "indented")

    @rule(
        scope=scopes, namespace=namespaces, collection=collections, identifier=st.integers(1, 5),
        number=words, title=titles, tags=tag_lists, form=st.sampled_from(FORMS), look=looks,
        state=st.sampled_from(("active", "archived")),
        levels=st.sampled_from((None, None, *range(len(DEEP) + 1))),
        name=st.sampled_from(FILE_NAMES),
    )  # fmt: skip
    def write(
        self, scope: str, namespace: str, collection: str | None, identifier: int, number: int,
        title: str | None, tags: list[str], form: Form, look: bool, state: str,
        levels: int | None, name: str,
    ) -> None:  # fmt: skip
        """Write a record where it belongs; or one of version 1, `levels` below its scope."""
        self.is_looking = look
        if levels is None:
            said = {"content": text(number), "title": title, "tags": tags, "state": state}
            place = {"scope": scope, "namespace": namespace, "collection": collection}
            self._put(canonical(identifier, **place, **said), form)
        else:
            old = legacy(LEGACY_IDS[identifier % 2], content=text(number), tags=["tea"])
            folders = ((namespace, *DEEP) if collection else DEEP)[:levels]
            self._write((*ROOT, scope, *folders, name), old, form)

    @rule(
        deed=st.sampled_from(FileDeed.__args__), which=choices, number=words,
        how=st.sampled_from(sorted(BREAKS)), way=st.sampled_from(WAYS), look=looks,
    )  # fmt: skip
    def change_a_file(
        self, deed: FileDeed, which: int, number: int, how: str, way: Way, look: bool
    ) -> None:
        """Edit what a record says, keeping the size of its file; or make it invalid, or valid."""
        self.is_looking = look
        is_meant = {
            "edit": lambda names: self._meaning(names) is not None,
            "mend": lambda names: names[1:] in self.places and self._meaning(names) is None,
        }
        found = [names for names in self._files() if is_meant.get(deed, bool)(names)]
        if not found:
            return
        names = chosen(found, which)
        file = self.disk.node(names)
        assert isinstance(file, File)
        if deed == "touch":
            self.disk.real(names).chmod(0o600 + number)
            os.utime(self.disk.real(names))
        elif deed == "spoil":
            self.disk.edit(names, BREAKS[how](file.data), way)
        elif deed == "mend":
            self.disk.edit(names, self._spelt(record_at(names[1:], number)), way)
        else:
            said = self.model.meanings[file.data] | {"content": text(number)}
            self.disk.edit(names, self._spelt(said), way)

    @rule(
        deed=st.sampled_from(NameDeed.__args__), which=choices, where=choices,
        name=st.sampled_from((None, None, None, None, *FILE_NAMES)), look=looks,
    )  # fmt: skip
    def change_a_name(
        self, deed: NameDeed, which: int, where: int, name: str | None, look: bool
    ) -> None:
        self.is_looking = look
        files = self._files()
        if not files:
            return
        source = chosen(files, which)
        near = [names for names in self._folders() if names[:2] == source[:2]]
        folders = near if near and where % 3 else self._folders()
        target = (*chosen(folders, where // 3), name or source[-1])
        there = self.disk.node(target)
        if deed == "remove":
            found = [names for names, node in self.disk.walk() if not isinstance(node, dict)]
            self.disk.remove(chosen(found, which))
        elif deed == "leave temporary":
            self.leave_temporary(source, is_link=name is None)
        elif deed == "exchange":
            self._exchange(source, chosen(files, where))
        elif deed == "move" and there is None:
            self.disk.move(source, target)
        elif deed == "move over":
            self.disk.move(source, chosen(files, where))
        elif deed == "link" and there is None:
            self.disk.link(source, target)
            # A link made where nobody looks tells nobody; the mode of the file does.
            self.disk.real(source).chmod(0o640)
        elif deed == "symlink" and there is None:
            leads_to = chosen([*files, *self._folders()], where)
            self.disk.symlink(target, str(self.disk.real(leads_to)))

    def _exchange(self, one: Names, other: Names) -> None:
        if self.disk.node(one) is not self.disk.node(other):
            between = (*OUTSIDE, "between")
            self.disk.move(one, between)
            self.disk.move(other, one)
            self.disk.move(between, other)

    @rule(
        deed=st.sampled_from(FolderDeed.__args__), which=choices, where=choices, look=looks,
        name=st.sampled_from(FOLDER_NAMES), stand_in=st.sampled_from(STAND_INS),
    )  # fmt: skip
    def change_a_folder(
        self, deed: FolderDeed, which: int, where: int, name: str, stand_in: str, look: bool
    ) -> None:
        """Move or remove a folder; or take anything away for a while, with something in place."""
        self.is_looking = look
        folders = self._folders()
        source = chosen(folders, which)
        if deed == "take away":
            self._take_away(which, stand_in)
        elif deed == "bring back" and self._away:
            self._bring_back(*chosen(self._away, which))
        elif deed == "bring all back":
            while self._away:
                self._bring_back(*self._away.pop())
        elif deed == "remove" and source not in {OUTSIDE, ROOT}:
            self.disk.remove(source)
        elif deed == "move" and source != OUTSIDE:
            target = (*chosen(folders, where), name)
            if target[: len(source)] != source and self.disk.node(target) is None:
                self.disk.move(source, target)

    def _take_away(self, which: int, stand_in: str) -> None:
        inside = [names for names, _ in self.disk.walk() if names[:1] == ROOT]
        if not inside:
            return
        names = chosen(inside, which)
        self._count += 1
        aside = (*OUTSIDE, f"{self._count}-{names[-1]}")
        self.disk.move(names, aside)
        self._away.append((names, aside))
        if stand_in == "symlink":
            self.disk.symlink(names, str(self.disk.real(aside)))
        elif stand_in in {"loop", "nowhere"}:
            self.disk.symlink(names, names[-1] if stand_in == "loop" else "nowhere")
        elif stand_in == "file":
            self.disk.write(names, b"file")
        elif stand_in == "pipe":
            self.disk.pipe(names)
        elif stand_in == "folder":
            self.disk.make_folder(names)

    def _bring_back(self, names: Names, aside: Names) -> None:
        if self.disk.node(aside) is None or not self.disk.may_hold(names):
            return
        if self.disk.node(names) is not None:
            self.disk.remove(names)
        self.disk.make_folder(names[:-1])
        self.disk.move(aside, names)

    def leave_temporary(self, names: Names, *, is_link: bool) -> None:
        """Leave what a server leaves that was killed while it wrote the file at `names`."""
        file = self.disk.node(names)
        assert isinstance(file, File)
        self._count += 1
        temporary = (*names[:-1], f".{names[-1].removesuffix('.json')}.{self._count:x}.tmp")
        if self.disk.node(temporary) is None and is_link:
            self.disk.link(names, temporary)
        elif self.disk.node(temporary) is None:
            self.disk.write(temporary, file.data)

    def _put(self, record: Json, form: Form) -> None:
        """Write a record where it belongs."""
        names = model.place_of(record)
        self.places.add(names)
        self._write((*ROOT, *names), record, form)

    def _write(self, names: Names, record: Json, form: Form) -> None:
        """Write a record to wherever only folders lead."""
        if self.disk.may_hold(names) and not isinstance(self.disk.node(names), dict):
            self.disk.write(names, self._spelt(record, form))

    def _spelt(self, record: Json, form: Form = "indented") -> bytes:
        return self.model.mean(spelt(record, form), record)

    def _meaning(self, names: Names) -> Json | None:
        file = self.disk.node(names)
        return self.model.meanings.get(file.data) if isinstance(file, File) else None

    def _files(self) -> list[Names]:
        return [names for names, node in self.disk.walk() if isinstance(node, File)]

    def _folders(self) -> list[Names]:
        return [names for names, node in self.disk.walk() if isinstance(node, dict)]


def text(number: int) -> str:
    """Return one of many contents of equal length; each has a word of its own."""
    return f"{model.COMMON_WORD.capitalize()} {model.word(number)}."


def chosen(found: Any, which: int) -> Any:
    return found[which % len(found)]


def record_at(names: Names, number: int) -> Json:
    """Return a valid record for a place below the root."""
    identifier = int(names[-1].removeprefix("mem_").removesuffix(".json"), 16)
    collection = names[2] if len(names) == 4 else None
    return canonical(identifier, scope=names[0], namespace=names[1], collection=collection,
                     content=text(number))  # fmt: skip
