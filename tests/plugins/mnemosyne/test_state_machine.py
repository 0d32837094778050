"""All eight tools against a model, while people edit, break, move, link and remove the files.

One server lives through a whole run, so whatever it keeps in memory must never answer for files
that changed; another one over the same root writes now and then and is started anew. After every
step the disk is compared with what it must hold, byte for byte: so no refused call wrote, nothing
of a forgotten record is left, no temporary stays, and nothing strayed into other folders. After
most steps, so that changes also heap up between two calls, every question that the read tools can
be asked is asked and compared.

The run is the same each time and bounded. `MNEMOSYNE_MACHINE_EXAMPLES=1000` makes it long and
different each time.
"""

import json
import os
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from itertools import product
from typing import Literal

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import initialize, invariant, rule

from tests.plugins.mnemosyne import memory_model as model
from tests.plugins.mnemosyne.caller import Caller
from tests.plugins.mnemosyne.disk import File, Names
from tests.plugins.mnemosyne.hands import (
    COLLECTIONS,
    LEGACY_IDS,
    NAMESPACES,
    SCOPES,
    WORDS,
    Hands,
    choices,
    chosen,
    collections,
    looks,
    namespaces,
    scopes,
    tag_lists,
    text,
    titles,
    words,
)
from tests.plugins.mnemosyne.memory_model import ROOT, Held, Json, Refused
from tests.plugins.mnemosyne.tree import canonical, memory_id

EXAMPLES = os.environ.get("MNEMOSYNE_MACHINE_EXAMPLES")

UNKNOWN_WORD = "qwyxqwyxqwyx"
STATEMENT = ("scope", "namespace", "collection", "kind", "title", "content", "occurred_at")
ANEW = 2
"""The second server, started anew."""
REVISIONS = (0, 0, 0, 0, 0, 1, -1)
"""What is added to the revision that is expected."""

servers = st.sampled_from((0, 0, 0, 1, ANEW))
passing = st.sampled_from((0, 90, 86_400, -1, -7_200, -86_400))
"""Seconds by which the clock goes on, or back, before a call that writes."""
ChangingTool = Literal["archive", "restore", "revise", "forget"]
OUTCOMES: dict[ChangingTool, tuple[str, str]] = {
    "archive": ("archived", "already_archived"),
    "restore": ("restored", "already_active"),
    "revise": ("revised", "already_current"),
    "forget": ("forgotten", ""),
}
"""The status when the tool changed something, and when there was nothing to change."""


@dataclass(frozen=True)
class Walk:
    """A cursor that a server gave, and what was selected then."""

    server: int
    request: Json
    cursor: str
    offset: int
    size: int
    seen: list[Held]


class Memory(Hands):
    def __init__(self) -> None:
        super().__init__()
        self.now = datetime(2026, 11, 30, 9, 8, 7, 654321, tzinfo=UTC)
        self.walks: list[Walk] = []
        self.begun: list[Walk] = []
        self.servers: list[Caller] = []
        self._starts = 0
        self._swept: set[Caller] = set()

    @initialize(limit=st.sampled_from((1_000, 1_000, 1_000, 9)), is_small=st.booleans())
    def start(self, limit: int, is_small: bool) -> None:
        self.model.limit = limit
        self.servers = [self._server(), self._server()]
        self.fill(is_small=is_small)

    def teardown(self) -> None:
        if self.servers:  # a run may end before it started
            self._look(self._server())
        super().teardown()

    # The tools that write.

    @rule(
        scope=scopes, namespace=namespaces, collection=collections, is_event=st.booleans(),
        number=words, title=titles, tags=tag_lists, known=st.sampled_from((None, None, 0, 1, 2)),
        server=servers, seconds=passing, look=looks,
    )  # fmt: skip
    def remember(
        self, scope: str, namespace: str, collection: str | None, is_event: bool, number: int,
        title: str | None, tags: list[str], known: int | None, server: int, seconds: int,
        look: bool,
    ) -> None:  # fmt: skip
        """Remember something new; or say again what a `known` record says."""
        records = self._records()
        if known is not None and records:
            draft = self._said_again(chosen(records, known + number))
        else:
            full = canonical(scope=scope, namespace=namespace, collection=collection)
            draft = {name: full[name] for name in ("scope", "namespace", "collection", "kind")}
            draft |= {"title": title, "content": text(number), "tags": tags}
            if is_event and scope == "project":
                draft |= {"kind": "event", "occurred_at": "2026-01-02T03:04:05Z"}
        self._remember(draft, server, seconds, look)

    def _said_again(self, record: Json) -> Json:
        """Return what a record says, with its tags in another order and other letters."""
        draft = {name: record[name] for name in STATEMENT if name in record}
        return draft | {"tags": [tag.swapcase() for tag in reversed(record["tags"])]}

    def _remember(self, draft: Json, server: int, seconds: int, look: bool) -> None:
        server = self._begin(server, seconds, look)
        arguments = draft | {"language": None, "origin": "explicit_user_statement"}
        answer = self._call(server, "memory_remember", arguments)
        assert answer == expected(lambda: self._remembered(server, draft, answer))

    def _remembered(self, server: int, draft: Json, answer: Json) -> Json:
        self.model.require_root()
        self._hold(server)
        self.disk.draw_folder(ROOT)
        survey = self.model.survey(model.scope(draft["scope"]))
        known = model.twin(survey, draft)
        if known is not None:
            is_active = known.record["lifecycle"]["state"] == "active"
            status = "already_exists" if is_active else "existing_archived"
            return {
                "status": status,
                "reference": known.reference,
                "lifecycle": known.record["lifecycle"],
            }
        if survey.candidates >= self.model.limit:
            raise Refused("candidate_limit_exceeded")
        record = self._new(draft, identifier=answer.get("reference", {}).get("id", memory_id(0)))
        names = model.place_of(record)
        if not self.disk.may_hold((*ROOT, *names)):
            raise Refused("memory_source_unavailable")
        assert names not in self.places
        self._draw(names, record)
        return {
            "status": "remembered",
            "reference": Held(names, record, b"").reference,
            "lifecycle": {"state": "active", "revision": 1},
        }

    def _new(self, draft: Json, identifier: str) -> Json:
        event = {name: draft[name] for name in ("occurred_at",) if name in draft}
        return {
            "schema_version": 2,
            "id": identifier,
            **{name: draft[name] for name in ("scope", "namespace", "collection", "kind")},
            "language": "und",
            **{name: draft[name] for name in ("title", "content", "tags")},
            "provenance": {
                "origin": "explicit_user_statement",
                "recorded_via": "memory_remember",
            },
            "lifecycle": {"state": "active", "revision": 1},
            "created_at": instant(self.now),
            "updated_at": instant(self.now),
            **event,
        }

    @rule(
        tool=st.sampled_from(ChangingTool.__args__), which=choices, is_record=st.booleans(),
        revision=st.sampled_from(REVISIONS), number=words, title=titles, tags=tag_lists,
        label=st.sampled_from((None, "North")), leftover=st.sampled_from((None, None, False, True)),
        server=servers, seconds=passing, look=looks,
    )  # fmt: skip
    def change(
        self, tool: ChangingTool, which: int, is_record: bool, revision: int, number: int,
        title: str | None, tags: list[str], label: str | None, leftover: bool | None,
        server: int, seconds: int, look: bool,
    ) -> None:  # fmt: skip
        server = self._begin(server, seconds, look)
        state = "archived" if tool == "forget" else None
        records = self._records(state) if is_record else []
        names = chosen([model.place_of(one) for one in records] or sorted(self.places), which)
        if leftover is not None and isinstance(self.disk.node((*ROOT, *names)), File):
            self.leave_temporary((*ROOT, *names), is_link=leftover)
        with suppress(Refused):
            revision += self.model.record(names).record["lifecycle"]["revision"]
        arguments = {"reference": model.reference_at(names), "expected_revision": max(revision, 1)}
        if tool == "revise":
            arguments |= {"title": title, "content": text(number), "tags": tags}
            arguments |= {"namespace_label": "A", "collection_label": label}
        answer = self._call(server, f"memory_{tool}", arguments)
        assert answer == expected(lambda: self._changed(server, names, arguments, tool))

    def _changed(self, server: int, names: Names, arguments: Json, tool: ChangingTool) -> Json:
        """Draw what the tool must have done, and return what it must answer."""
        if self.model.require_root():
            self._hold(server)
        record = self.model.record(names).record
        lifecycle = record["lifecycle"]
        if lifecycle["revision"] != arguments["expected_revision"]:
            raise Refused("revision_conflict")
        done, current = OUTCOMES[tool]
        answer = {"status": done, "reference": arguments["reference"]}
        if tool == "forget":
            if lifecycle["state"] != "archived":
                raise Refused("not_archived")
            self.model.discard(names)
            self.disk.erase((*ROOT, *names))
            return answer
        desired = _desired(record, arguments, tool)
        if desired == record:
            return answer | {"status": current, "lifecycle": lifecycle}
        desired["lifecycle"] |= {"revision": lifecycle["revision"] + 1}
        desired["updated_at"] = max(instant(self.now), record["updated_at"])
        self._draw(names, desired)
        return answer | {"lifecycle": desired["lifecycle"]}

    # Paging.

    @rule(
        deed=st.sampled_from(("begin", "go on", "go on", "go astray")), which=choices,
        size=st.integers(1, 3), server=servers,
    )  # fmt: skip
    def walk(self, deed: str, which: int, size: int, server: int) -> None:
        """Ask for pages, in turns with everything else that happens."""
        server = self._begin(server, 0, look=True)
        if deed == "begin" or not self.walks:
            self._keep(self._first_page(self._long_selection(which, size), size, server))
        elif deed == "go on":
            self._keep(self._go_on(self.walks[-1 - which % min(2, len(self.walks))]))
        else:
            self._go_astray(chosen(self.walks, which), chosen(REQUESTS, which))

    def _keep(self, walk: Walk | None) -> None:
        if walk is not None:
            self.walks = [*self.walks[-5:], walk]

    def _long_selection(self, which: int, size: int) -> Json:
        """Return a request for more than one page, if there is one."""
        with suppress(Refused):
            long = [one for one in REQUESTS if len(self.model.listing(model.listed(one))[0]) > size]
            return chosen(long or REQUESTS, which)
        return chosen(REQUESTS, which)

    def _first_page(self, request: Json, size: int, server: int) -> Walk | None:
        answer = self._call(server, "memory_list", request | {"page_size": size})
        with suppress(Refused):
            items, skipped = self.model.listing(model.listed(request))
            return self._further(answer, Walk(server, request, "", 0, size, items), skipped)
        assert answer == expected(lambda: self._listed(request))
        return None

    def _go_on(self, walk: Walk) -> Walk | None:
        """Use a cursor: it is stale exactly if what was selected is no longer what it was."""
        answer = self._call(walk.server, "memory_list", walk.request | {"cursor": walk.cursor})
        with suppress(Refused):
            items, skipped = self.model.listing(model.listed(walk.request))
            if items == walk.seen:
                return self._further(answer, walk, skipped)
            assert answer == {"code": "stale_cursor"}, walk
            return None
        assert answer == expected(lambda: self._listed(walk.request))
        return None

    def _go_astray(self, walk: Walk, request: Json) -> None:
        """Use a cursor for another selection, and at another server."""
        arguments = request | {"cursor": walk.cursor}
        if request != walk.request:
            assert self._call(walk.server, "memory_list", arguments) == {"code": "invalid_cursor"}
        assert self._call(1 - walk.server, "memory_list", arguments) == {"code": "stale_cursor"}

    def _further(self, answer: Json, walk: Walk, skipped: int) -> Walk | None:
        """Compare a page; return where it leads."""
        cursor = answer.get("page", {}).pop("next_cursor", None)
        assert answer == model.page(walk.seen, skipped, walk.offset, walk.size)
        assert (cursor is not None) == answer["page"]["truncated"]
        return cursor and replace(walk, cursor=cursor, offset=walk.offset + walk.size)

    # What must hold after every step.

    @invariant()
    def the_disk_holds_what_it_must(self) -> None:
        assert self.disk.found() == self.disk.expected()

    @invariant()
    def every_question_is_answered_from_the_files(self) -> None:
        if self.is_looking:
            self._look(self.servers[0])
            for walk in self.begun:
                self._go_on(walk)
            walks = [self._first_page({"scope": scope}, 1, 0) for scope in SCOPES]
            self.begun = [walk for walk in walks if walk is not None]
        self.is_looking = True

    def _look(self, caller: Caller) -> None:
        for names in self._files():
            record = self._meaning(names)
            if record is not None and record["schema_version"] == 2:
                self.places.add(model.place_of(record))
        for request in REQUESTS:
            self._compare(caller, "memory_list", request, self._listed)
        for request in RECALLS:
            self._compare(caller, "memory_recall", request, self._recalled)
        for reference in map(model.reference_at, sorted(self.places)):
            self._compare(caller, "memory_inspect", {"reference": reference}, self._inspected)
        for scope, identifier in product(SCOPES, LEGACY_IDS):
            reference = {"schema_version": 1, "scope": scope, "id": identifier}
            self._compare(caller, "memory_inspect", {"reference": reference}, self._inspected)

    def _compare(
        self, caller: Caller, tool: str, request: Json, ask: Callable[[Json], Json]
    ) -> None:
        answer = answer_of(caller, tool, request)
        answer.get("page", {}).pop("next_cursor", None)
        assert answer == expected(lambda: ask(request)), (tool, request)

    def _listed(self, request: Json) -> Json:
        items, skipped = self.model.listing(model.listed(request))
        return model.page(items, skipped, 0, 50)

    def _recalled(self, request: Json) -> Json:
        selection = model.scope(request["scope"])
        if "namespace_id" in request:
            selection = model.Selection((request["scope"], request["namespace_id"]), 3)
        return model.recalled(self.model.survey(selection), selection.versions, request)

    def _inspected(self, request: Json) -> Json:
        reference = request["reference"]
        if reference["schema_version"] == 1:
            return model.inspected(self.model.legacy(reference["scope"], reference["id"]))
        return model.inspected(self.model.record(model.place_of_reference(reference)))

    # What there is to choose from.

    def _server(self) -> Caller:
        self._starts += 1
        return Caller(self.disk.real(ROOT), seed=str(self._starts), clock=lambda: self.now,
                      candidate_limit=self.model.limit)  # fmt: skip

    def _begin(self, server: int, seconds: int, look: bool) -> int:
        """Let time pass and return the number of a server that runs, new if that is asked."""
        self.is_looking = look
        self.now += timedelta(seconds=seconds)
        if server == ANEW:
            server = 1
            self.servers[server] = self._server()
            self.walks = [walk for walk in self.walks if walk.server != server]
        return server

    def _hold(self, server: int) -> None:
        """Draw what the first write of a server does to the root."""
        caller = self.servers[server]
        if caller not in self._swept:
            self._swept.add(caller)
            self.model.sweep()

    def _call(self, server: int, tool: str, arguments: Json) -> Json:
        return answer_of(self.servers[server], tool, arguments)

    def _draw(self, names: Names, record: Json) -> None:
        """Draw a record that a tool wrote."""
        self.places.add(names)
        data = self.model.mean(model.written(record), record)
        self.disk.draw((*ROOT, *names), File(data))

    def _records(self, state: str | None = None) -> list[Json]:
        """Return the valid version-2 records in their places, of one state if that is asked."""
        found = []
        for names in sorted(self.places):
            with suppress(Refused):
                record = self.model.record(names).record
                if state in {None, record["lifecycle"]["state"]}:
                    found.append(record)
        return found


REQUESTS = [
    {"scope": scope, **({} if namespace is None else {"namespace_id": namespace}), **collection}
    for scope in (*SCOPES, "knowledge")
    for namespace in (None, *(NAMESPACES if scope in SCOPES else ()))
    for collection in ({}, *({"collection_id": name} for name in COLLECTIONS if namespace))
]
"""Everything that can be listed."""
RECALLS = [
    *(
        {"query": query, "scope": scope}
        for scope in SCOPES
        for query in (*map(model.word, WORDS), model.COMMON_WORD, UNKNOWN_WORD)
    ),
    *(
        {"query": model.COMMON_WORD, "scope": scope, "namespace_id": namespace}
        for scope in SCOPES
        for namespace in NAMESPACES
    ),
    *({"query": UNKNOWN_WORD, "scope": scope, "tags": ["tea"]} for scope in SCOPES),
]


def instant(now: datetime) -> str:
    return now.strftime("%Y-%m-%dT%H:%M:%SZ")


def answer_of(caller: Caller, tool: str, arguments: Json) -> Json:
    """Return the result of a call; of an error its code."""
    outcome = caller.tools[tool].call(arguments)
    answer = json.loads(outcome.text)
    return {"code": answer["code"]} if outcome.is_error else dict(answer)


def expected(ask: Callable[[], Json]) -> Json:
    """Return what `ask` says; if it is refused, the code."""
    try:
        return ask()
    except Refused as refused:
        return {"code": refused.code}


def _desired(record: Json, arguments: Json, tool: str) -> Json:
    if tool in {"archive", "restore"}:
        state = "archived" if tool == "archive" else "active"
        return {**record, "lifecycle": record["lifecycle"] | {"state": state}}
    collection, label = record["collection"], arguments["collection_label"]
    if collection is None and label is not None:
        raise Refused("invalid_collection")
    return {
        **record,
        "namespace": record["namespace"] | {"label": arguments["namespace_label"]},
        "collection": None if collection is None else collection | {"label": label},
        **{name: arguments[name] for name in ("title", "content", "tags")},
    }


TestMemory = Memory.TestCase
TestMemory.settings = settings(
    max_examples=int(EXAMPLES or 36),
    stateful_step_count=50,
    derandomize=EXAMPLES is None,
    database=None,
    deadline=None,
    suppress_health_check=list(HealthCheck),
)
