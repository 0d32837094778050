"""Generated from contracts/shared/vocabulary.json by nox -s codegen; do not edit."""

from __future__ import annotations

from typing import Literal

from typing_extensions import TypeAliasType

NamespaceKind = TypeAliasType(
    "NamespaceKind",
    Literal["aspect", "person", "group", "relationship", "domain", "project", "topic", "agent"],
)


MemoryKind = TypeAliasType(
    "MemoryKind",
    Literal[
        "attribute",
        "perspective",
        "summary",
        "preference",
        "practice",
        "decision",
        "constraint",
        "state",
        "event",
        "question",
        "reference",
        "persona",
        "policy",
        "checklist",
        "failure_mode",
    ],
)
