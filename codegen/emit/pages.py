"""What the templates of pages are given: finished texts in Markdown, nothing left to decide."""

from dataclasses import dataclass

from codegen.compilation import Tool
from codegen.emit.prose import Fields


@dataclass(frozen=True, slots=True)
class ErrorRow:
    """One declared error: its place in the order, and its cells."""

    number: int
    code: str
    status: str
    field: str
    when: str
    message: str


@dataclass(frozen=True, slots=True)
class Version:
    """One accepted version, as cells."""

    version: str
    since: str
    reason: str


@dataclass(frozen=True, slots=True)
class ToolPage:
    """Everything on the page of one tool."""

    header: str
    tool: Tool
    title: str
    description: str
    effects: str
    consent: str
    gate: str
    arguments: Fields
    rules: tuple[str, ...]
    result: Fields
    errors: tuple[ErrorRow, ...]
    details: tuple[str, ...]
    log: tuple[str, ...]
    losses: tuple[str, ...]
    examples: tuple[tuple[str, str, str], ...]
    history: tuple[Version, ...]


@dataclass(frozen=True, slots=True)
class FormatPage:
    """Everything on the page of one format of records, manifests or settings files."""

    header: str
    title: str
    description: str
    fields: Fields
    rules: tuple[str, ...]
    history: tuple[Version, ...]


@dataclass(frozen=True, slots=True)
class ToolRow:
    """One tool in the index, as cells."""

    name: str
    version: str
    title: str
    effect: str
    gate: str


@dataclass(frozen=True, slots=True)
class PluginPart:
    """One plugin in the index."""

    heading: str
    description: str
    tools: tuple[ToolRow, ...]
