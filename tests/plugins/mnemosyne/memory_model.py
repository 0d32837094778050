"""What the tools must answer, by the plainest reading of what lies on the disk.

No index, no stamps, nothing kept: every question walks the picture of the disk. What bytes mean is
known from where they were made; bytes of which nothing is known are no record.
"""

import json
import re
from collections import Counter
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Any

from tests.plugins.mnemosyne.disk import Disk, File, Names, Symlink
from tests.plugins.mnemosyne.tree import reference

Json = dict[str, Any]
ROOT: Names = ("memory",)
RESULTS_MAX = 5
COMMON_WORD = "granite"
_TEMPORARY = re.compile(r"\.(mem_[0-9a-f]{32})\.[A-Za-z0-9_-]{1,64}\.tmp")
_SCOPES = ("self", "relationship", "preference", "practice", "project", "knowledge", "agent")


def word(number: int) -> str:
    """Return one of many words of equal length, none of which is like another."""
    digest = sha256(str(number).encode()).digest()[:6]
    return "".join("bdfgklmnprtvzsch"[byte % 16] + "aiou"[byte // 16 % 4] for byte in digest)


class Refused(Exception):
    """The tool must answer this code and change nothing."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


@dataclass(frozen=True)
class Selection:
    """What a call selects: `names` from the root, `levels` of folders below are walked."""

    names: Names
    levels: int
    exact: bool = False
    versions: tuple[int, ...] = (2,)


def scope(name: str) -> Selection:
    return Selection((name,), 4, versions=(1, 2))


def listed(request: Json) -> Selection:
    """Return what a call of list with these arguments selects."""
    if "namespace_id" not in request:
        return scope(request["scope"])
    names = (request["scope"], request["namespace_id"])
    if "collection_id" not in request:
        return Selection(names, 1)
    if request["collection_id"] is None:
        return Selection(names, 0, exact=True)
    return Selection((*names, request["collection_id"]), 0, exact=True)


@dataclass(frozen=True)
class Held:
    """A valid record at `names` below the root."""

    names: Names
    record: Json
    data: bytes

    @property
    def location(self) -> str:
        return "/".join(self.names[1:])

    @property
    def is_active(self) -> bool:
        return self.record["schema_version"] == 1 or _state(self.record) == "active"

    @property
    def reference(self) -> Json:
        if self.record["schema_version"] == 2:
            return reference(self.record)
        return {"schema_version": 1, "scope": self.names[0], "id": self.record["id"]}

    @property
    def position(self) -> tuple[int, str, str, str, str]:
        """Where it stands in a listing."""
        record = self.record
        if record["schema_version"] == 1:
            return 1, "", "", record["id"], self.location
        collection = record["collection"]
        inner = "" if collection is None else collection["id"]
        return 2, record["namespace"]["id"], inner, record["id"], self.location


@dataclass
class Survey:
    """What a selection holds, in discovery order."""

    held: list[Held] = field(default_factory=list)
    candidates: int = 0
    skipped: int = 0


class MemoryModel:
    """The memory in the folder `ROOT` of `disk`; no selection may hold more than `limit` files."""

    def __init__(self, disk: Disk) -> None:
        self.disk = disk
        self.limit = 1_000
        self.meanings: dict[bytes, Json] = {}

    def mean(self, data: bytes, record: Json) -> bytes:
        """Let `data` be read as `record`, which is normalised; return `data`."""
        self.meanings[data] = record
        return data

    def survey(self, selection: Selection) -> Survey:
        """Return what a call sees of `selection`, or raise `Refused`."""
        found = Survey()
        if self._is_there(selection.names):
            self._walk(selection.names, selection.levels, selection, found)
        if found.candidates > self.limit:
            raise Refused("candidate_limit_exceeded")
        return found

    def listing(self, selection: Selection) -> tuple[list[Held], int]:
        """Return what is listed of `selection`, in order, and how much was skipped."""
        survey = self.survey(selection)
        wanted = [one for one in survey.held if one.record["schema_version"] in selection.versions]
        return sorted(wanted, key=lambda one: one.position), survey.skipped

    def record(self, names: Names) -> Held:
        """Return the version-2 record at exactly `names`, or raise `Refused`."""
        node = self.disk.node((*ROOT, *names)) if self._is_there(names[:-1]) else None
        if node is None:
            raise Refused("not_found")
        meaning = self.meanings.get(node.data) if isinstance(node, File) else None
        if meaning is None or not _fits(meaning, names):
            raise Refused("memory_source_unavailable")
        if meaning["schema_version"] == 1:
            raise Refused("not_found")
        assert isinstance(node, File)
        return Held(names, meaning, node.data)

    def legacy(self, in_scope: str, identifier: str) -> Held:
        """Return the version-1 record of a scope with this id, or raise `Refused`."""
        found = [
            one
            for one in self.survey(scope(in_scope)).held
            if (one.record["schema_version"], one.record["id"]) == (1, identifier)
        ]
        if len(found) != 1:
            raise Refused("ambiguous_reference" if found else "not_found")
        return found[0]

    def sweep(self) -> None:
        """Forget what killed processes left behind, as the first writer of a process does."""
        for name in _SCOPES:
            for names, node in list(self.disk.walk((*ROOT, name))):
                is_near = len(names) <= len(ROOT) + 4
                if is_near and isinstance(node, File) and _TEMPORARY.fullmatch(names[-1]):
                    self.disk.erase(names)

    def discard(self, names: Names) -> None:
        """Forget the temporaries of the record at `names`."""
        folder = self.disk.node((*ROOT, *names[:-1]))
        assert isinstance(folder, dict)
        for name, node in list(folder.items()):
            found = _TEMPORARY.fullmatch(name)
            if found and f"{found[1]}.json" == names[-1] and isinstance(node, File):
                del folder[name]

    def require_root(self) -> bool:
        """Tell whether there is a root; raise `Refused` if something else is there."""
        return self._is_there(())

    def _is_there(self, names: Names) -> bool:
        """Tell whether the folder `names` exists; raise `Refused` where it is something else."""
        path = (*ROOT, *names)
        for length in range(len(ROOT), len(path) + 1):
            node = self.disk.node(path[:length])
            if node is None:
                return False
            if not isinstance(node, dict):
                raise Refused("memory_source_unavailable")
        return True

    def _walk(self, names: Names, levels: int, selection: Selection, found: Survey) -> None:
        folder = self.disk.node((*ROOT, *names))
        assert isinstance(folder, dict)
        for name in sorted(folder):
            node, path = folder[name], (*names, name)
            if isinstance(node, Symlink):
                found.skipped += 1
            elif isinstance(node, dict):
                if levels:
                    self._walk(path, levels - 1, selection, found)
                elif not selection.exact:
                    found.skipped += 1
            elif isinstance(node, File) and name.endswith(".json") and name != ".json":
                found.candidates += 1
                meaning = self.meanings.get(node.data)
                if meaning is None or not _fits(meaning, path):
                    found.skipped += 1
                else:
                    found.held.append(Held(path, meaning, node.data))


# Answers.


def page(items: list[Held], skipped: int, offset: int, size: int) -> Json:
    """Return a page of list; whether there is a cursor is told by `truncated`."""
    ids = Counter(one.record["id"] for one in items if one.record["schema_version"] == 1)
    shown = items[offset : offset + size]
    return {
        "status": "ok",
        "memories": [_item(one, ids) for one in shown],
        "page": {
            "number": offset // size + 1,
            "count": len(shown),
            "total_count": len(items),
            "total_pages": -(-len(items) // size),
            "truncated": offset + size < len(items),
            "skipped_count": skipped,
        },
    }


def recalled(survey: Survey, versions: tuple[int, ...], asked: Json) -> Json:
    """Return what recall answers to one word and one tag, neither of which is in any title.

    All records that match have equal points, so the order is known: changed last, then by place.
    """
    query, tags = asked["query"], [tag.casefold() for tag in asked.get("tags", ())]
    wanted = [one for one in survey.held if one.record["schema_version"] in versions]
    found = [one for one in wanted if _matches(one.record, query, tags)]
    active = [one for one in found if one.is_active]
    active.sort(key=lambda one: one.location)
    active.sort(key=lambda one: str(one.record.get("updated_at", "")), reverse=True)
    return {
        "status": "ok" if active else "no_matches",
        "memories": [_recalled(one, query, tags) for one in active[:RESULTS_MAX]],
        "total_matches": len(active),
        "archived_matches": len(found) - len(active),
        "skipped_count": survey.skipped,
    }


def inspected(one: Held) -> Json:
    """Return what inspect answers."""
    record = one.record
    if record["schema_version"] == 1:
        record = {"title": None, "tags": []} | record
    return {"status": "ok", "memory": {"reference": one.reference, **record}}


def twin(survey: Survey, draft: Json) -> Held | None:
    """Return the first record that says what `draft` says of the same."""
    same = (one for one in survey.held if _statement(one.record) == _statement(draft))
    return next(same, None)


def written(record: Json) -> bytes:
    """Return the bytes of a record as the tools write it."""
    return (json.dumps(record, ensure_ascii=False, indent=2) + "\n").encode()


def _item(one: Held, ids: Counter[str]) -> Json:
    record = one.record
    item = {"reference": one.reference, "title": record.get("title"), "inspectability": "exact"}
    if record["schema_version"] == 2:
        return item | {"kind": record["kind"], "lifecycle": {"state": _state(record)}}
    return item | {"inspectability": "ambiguous"} if ids[record["id"]] > 1 else item


def _recalled(one: Held, query: str, tags: list[str]) -> Json:
    record = one.record
    has_word = query in _words(record)
    has_tags = {tag.casefold() for tag in record.get("tags", ())}
    answer = {
        "reference": one.reference,
        "id": record["id"],
        "scope": one.names[0],
        "title": record.get("title"),
        "content": record["content"],
        "tags": record.get("tags", []),
        "match": {
            "terms": [query] if has_word else [],
            "tags": sorted(set(tags) & has_tags),
            "how": "exact",
            "fuzzy": [],
        },
    }
    if record["schema_version"] == 2:
        answer |= {"kind": record["kind"], "updated_at": record["updated_at"]}
        answer["revision"] = record["lifecycle"]["revision"]
    return answer


def _matches(record: Json, query: str, tags: list[str]) -> bool:
    has_tags = {tag.casefold() for tag in record.get("tags", ())}
    return query in _words(record) or bool(has_tags & set(tags))


def _words(record: Json) -> list[str]:
    return re.findall("[a-z]+", record["content"].lower())


def _statement(told: Json) -> tuple[object, ...]:
    if told.get("schema_version") == 1:
        return ()
    collection = told["collection"]
    return (
        told["scope"],
        told["namespace"]["kind"],
        told["namespace"]["id"],
        None if collection is None else collection["id"],
        told["kind"],
        told.get("occurred_at"),
        told["title"],
        told["content"],
        sorted(tag.casefold() for tag in told["tags"]),
    )


def _fits(record: Json, names: Names) -> bool:
    """Tell whether a record may lie at `names`; version 1 may lie anywhere."""
    return record["schema_version"] == 1 or place_of(record) == names


def place_of(record: Json) -> Names:
    """Return where a version-2 record belongs."""
    collection = record["collection"]
    inner = () if collection is None else (collection["id"],)
    return (record["scope"], record["namespace"]["id"], *inner, f"{record['id']}.json")


def _state(record: Json) -> str:
    return str(record["lifecycle"]["state"])


def place_of_reference(found: Json) -> Names:
    """Return where the record lies that a version-2 reference names."""
    inner = () if found["collection_id"] is None else (found["collection_id"],)
    return (found["scope"], found["namespace_id"], *inner, f"{found['id']}.json")


def reference_at(names: Names) -> Json:
    """Return the version-2 reference that names a place."""
    return {
        "schema_version": 2,
        "scope": names[0],
        "namespace_id": names[1],
        "collection_id": names[2] if len(names) == 4 else None,
        "id": names[-1].removesuffix(".json"),
    }
