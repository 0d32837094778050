"""Names that become Python: of files, of tools, of the classes at the roots of formats.

Part of D19. What the generator makes of two names must never be one, because the later import
would win without a word.
"""

import re
from collections.abc import Iterator
from keyword import iskeyword

from codegen.catalog import Document, Kind
from codegen.dialect.finding import Finding
from codegen.dialect.objects import MEMBER_NAME
from codegen.dialect.sites import Role, as_object
from codegen.dialect.subject import Subject

STEM = re.compile(r"[a-z][a-z0-9]*(?:[-_][a-z0-9]+)*")

RESERVED_TOOLS = frozenset(("capabilities", "declared", "index", "tool"))
"""`CAPABILITIES`, `DeclaredError` and `ToolError` stand in generated modules, `index` is a page."""

RESERVED_CLASSES = frozenset(
    (
        "Allows",
        "Distinct",
        "Excludes",
        "NativeInteger",
        "PresentExactlyWhen",
        "Reader",
        "RequiredWithText",
        "Requires",
    )
)
"""What the generated modules of readers import beside the models."""

SCHEMAS: dict[Kind, Role] = {
    "record": "record",
    "manifest_schema": "manifest",
    "config": "config",
    "credential": "credential",
}
"""The member of each format that holds its schema."""


def names_are_free(subject: Subject) -> Iterator[Finding]:
    """Yield the names of a file, a tool or a format that cannot stand or are taken."""
    match subject.document.kind:
        case "tool":
            yield from _tool(subject)
        case "shared" | "plugin" | "policy" | "profile":
            yield from _stem(subject)
        case "record" | "manifest_schema" | "config" | "credential":
            yield from _stem(subject)
            yield from _class(subject)


def class_prefix(name: str) -> str:
    """Return the CamelCase of a snake_case name: `memory_list` gives `MemoryList`."""
    return "".join(word.capitalize() for word in name.split("_"))


def _tool(subject: Subject) -> Iterator[Finding]:
    name, place = subject.document.stem, subject.place.below("name")
    if not MEMBER_NAME.fullmatch(name):
        remedy = "write lower-case words joined by single underscores, in the file name, too"
        yield place.breaks("D19", "no snake_case name", remedy)
        return
    if iskeyword(name):
        yield place.breaks("D19", "a keyword of Python", "choose another name")
    elif name in RESERVED_TOOLS:
        message = "a name that generated modules have for themselves"
        yield place.breaks("D19", message, "choose another name")
    for other in _earlier(subject):
        if other.stem != name and class_prefix(other.stem) == class_prefix(name):
            message = f"{other.path} gives the same class names"
            yield place.breaks("D19", message, "choose another name")


def _stem(subject: Subject) -> Iterator[Finding]:
    stem, place = subject.document.stem, subject.place
    if not STEM.fullmatch(stem):
        remedy = "name it in lower-case words joined by single hyphens or underscores"
        yield place.breaks("D19", "no file name that becomes a module", remedy)
        return
    if iskeyword(_module(stem)):
        yield place.breaks("D19", "the file is named after a keyword of Python", "rename it")
    for other in _earlier(subject):
        if _module(other.stem) == _module(stem):
            yield place.breaks("D19", f"{other.path} becomes the same module", "rename one of them")


def _class(subject: Subject) -> Iterator[Finding]:
    title, place = _title(subject.document), subject.place.below(SCHEMAS[subject.document.kind])
    if title is None:
        return
    if title in RESERVED_CLASSES or title == _module(subject.document.stem).upper():
        message = "a name that generated modules have for themselves"
        yield place.below("title").breaks("D19", message, "choose another title")
    for other in subject.context.catalog.documents:
        if other.path < subject.document.path and _title(other) == title:
            message = f"{other.path} has a class of this name"
            yield place.below("title").breaks("D19", message, "choose another title")


def _title(document: Document) -> str | None:
    role = SCHEMAS.get(document.kind)
    title = as_object(document.members.get(role)).get("title") if role else None
    return title if isinstance(title, str) else None


def _earlier(subject: Subject) -> Iterator[Document]:
    """Yield the documents of the same kind that come before, so that a clash is said once."""
    document = subject.document
    for other in subject.context.catalog.of(document.kind):
        if other.path < document.path:
            yield other


def _module(stem: str) -> str:
    return stem.replace("-", "_")
