"""Generated from contracts/tools/mnemosyne/memory_remember.json by nox -s codegen; do not edit."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import MISSING, Field

from mymcp.contract.model import ContractModel

from ...shared.identifier import Identifier
from ...shared.instant import Instant
from ...shared.lifecycle import Lifecycle
from ...shared.provenance import PublicOrigin
from ...shared.reference import CanonicalReference
from ...shared.scope import Scope
from ...shared.text import Content, Label, Language, Tag, Title
from ...shared.vocabulary import MemoryKind, NamespaceKind


class Namespace(ContractModel):
    """Whom or what within the scope it is about."""

    kind: NamespaceKind
    """What the namespace stands for; the scope decides. self: aspect. relationship: person, group
    or relationship. preference and practice: domain. project: project. knowledge: topic. agent:
    agent."""

    id: Identifier
    """Name of the namespace: 1 to 64 of a-z, 0-9, _ and -, first and last a letter or digit."""

    label: Label | None
    """Name for people, at most 100 characters, or null."""


class Collection(ContractModel):
    """A collection within the namespace."""

    id: Identifier
    """Name of the collection: 1 to 64 of a-z, 0-9, _ and -, first and last a letter or digit."""

    label: Label | None
    """Name for people, at most 100 characters, or null."""


class MemoryRememberRequest(ContractModel):
    scope: Scope
    """What the memory is about. self: facts about the user. relationship: people and groups, from
    the user's side. preference: choices to honour. practice: how the user really works.
    project: one project. knowledge: material of use beyond one project. agent: refinements of
    one named AI agent."""

    namespace: Namespace
    collection: Collection | None
    """Collection within the namespace, or null."""

    kind: MemoryKind
    """What sort of statement it is; the scope decides which are possible. self: attribute (a
    lasting fact about the user, not a preference). relationship: perspective (how the user sees
    a person or group), summary (lasting context from the user's side, no biography).
    preference: preference (a choice to honour). practice: practice (how the user really works,
    not how they would like to). project: decision (a choice and why), constraint (a boundary or
    requirement), state (how things stand; revise it when they change), event (something that
    happened at a known time; needs occurred_at), question (open, could change direction),
    reference (material of this project), summary (lasting overview; it replaces none of the
    others). knowledge: reference (approved material of use beyond one project, not general
    knowledge), summary (such material as an overview of a topic). agent: persona (how it
    behaves by default), policy (a rule it works by), checklist (checks to repeat), failure_mode
    (a failure that recurs and what helps); approved refinements of one named agent, never its
    boot configuration."""

    language: Language | None
    """Language of the content, such as en or pt-br; null if unknown."""

    title: Title | None
    """Short title of at most 200 characters, or null."""

    content: Content
    """One statement that can be understood alone, in plain text, at most 4,000 characters, in
    words that somebody will look for it with."""

    tags: Annotated[list[Tag], Field(max_length=10, min_length=0)]
    """Up to 10 tags of at most 50 characters, different also when letter case is ignored; may be
    empty."""

    origin: PublicOrigin
    occurred_at: Instant | MISSING = MISSING
    """When it happened, in UTC: YYYY-MM-DDTHH:MM:SSZ. Required for kind event, refused for all
    others."""


class MemoryRememberResult(ContractModel):
    status: Literal["remembered", "already_exists", "existing_archived"]
    """remembered: stored now. already_exists: an equal memory is there. existing_archived: an
    equal one is archived."""

    reference: CanonicalReference
    lifecycle: Lifecycle
    """State and revision of the record."""
