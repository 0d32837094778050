"""Generated from contracts/records by nox -s codegen; do not edit."""

from mymcp.contract.reader import Reader
from mymcp.contract.rules import Allows, Distinct, NativeInteger, PresentExactlyWhen
from mymcp.contract.text import collapsed

from .models.records.memory_v1 import MemoryRecordV1
from .models.records.memory_v2 import MemoryRecordV2

MEMORY_V1 = Reader(
    MemoryRecordV1, rules=(NativeInteger(path=("schema_version",)), Distinct(path=("tags",)))
)
"""Memory record, version 1. Contract: contracts/records/memory-v1.json."""

MEMORY_V2 = Reader(
    MemoryRecordV2,
    rules=(
        Allows(
            rule="namespace_kind_of_scope",
            key=("scope",),
            path=("namespace", "kind"),
            table={
                "self": frozenset(("aspect",)),
                "relationship": frozenset(("group", "person", "relationship")),
                "preference": frozenset(("domain",)),
                "practice": frozenset(("domain",)),
                "project": frozenset(("project",)),
                "knowledge": frozenset(("topic",)),
                "agent": frozenset(("agent",)),
            },
        ),
        Allows(
            rule="kind_of_scope",
            key=("scope",),
            path=("kind",),
            table={
                "self": frozenset(("attribute",)),
                "relationship": frozenset(("perspective", "summary")),
                "preference": frozenset(("preference",)),
                "practice": frozenset(("practice",)),
                "project": frozenset(
                    ("constraint", "decision", "event", "question", "reference", "state", "summary")
                ),
                "knowledge": frozenset(("reference", "summary")),
                "agent": frozenset(("checklist", "failure_mode", "persona", "policy")),
            },
        ),
        PresentExactlyWhen(
            rule="occurred_at_of_event", name="occurred_at", key=("kind",), text="event"
        ),
        NativeInteger(path=("schema_version",)),
        Distinct(path=("tags",), normalise=collapsed, casefold=True),
    ),
)
"""Memory record, version 2. Contract: contracts/records/memory-v2.json."""
