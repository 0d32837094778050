"""The schemas of a contract file, as authored, with their places.

Contracts may hold anything: every reader here takes any JSON value and never raises.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Literal, TypeGuard

from codegen.catalog import Document
from codegen.dialect.finding import Place

Role = Literal[
    "input", "result", "record", "manifest", "config", "credential", "detail", "definition"
]
Object = Mapping[str, object]

NULL: Object = {"type": "null"}
RULED: frozenset[Role] = frozenset(("input", "record", "manifest", "config", "credential"))
"""Roles whose root is read with rules across members beside the model."""

_ROOTS: Mapping[str, tuple[Role, ...]] = {
    "tool": ("input", "result"),
    "record": ("record",),
    "manifest_schema": ("manifest",),
    "config": ("config",),
    "credential": ("credential",),
}


@dataclass(frozen=True, slots=True)
class Root:
    """A schema that stands for itself: of arguments, of a record, of a named definition."""

    role: Role
    place: Place
    schema: object


@dataclass(frozen=True, slots=True)
class Site:
    """One authored subschema. `rule` marks the members of `allOf` and rule definitions."""

    place: Place
    schema: object
    root: Root
    rule: bool = False

    @property
    def is_root(self) -> bool:
        """Whether the subschema is its root."""
        return self.place == self.root.place

    @property
    def keywords(self) -> Object:
        """The members of the schema; empty for what is no object."""
        return as_object(self.schema)


def as_object(value: object) -> Object:
    """Return `value` if it is an object, else an empty one."""
    return value if isinstance(value, dict) else {}


def as_list(value: object) -> list[object]:
    """Return `value` if it is an array, else an empty one."""
    return value if isinstance(value, list) else []


def are_texts(value: object) -> TypeGuard[list[str]]:
    """Tell whether `value` is an array of strings."""
    return isinstance(value, list) and all(isinstance(item, str) for item in value)


def is_count(value: object) -> TypeGuard[int]:
    """Tell whether `value` is a whole number of 0 or more; `true` is none."""
    return type(value) is int and value >= 0


def roots_of(document: Document) -> Iterator[Root]:
    """Yield the roots of a document: its schemas by role, those of error details, its `$defs`."""
    place = Place(document.path)
    for role in _ROOTS.get(document.kind, ()):
        if role in document.members:
            yield Root(role, place.below(role), document.members[role])
    for position, entry in enumerate(as_list(document.members.get("errors"))):
        for name, schema in as_object(as_object(entry).get("details")).items():
            yield Root("detail", place.below("errors", position, "details", name), schema)
    if document.kind not in ("meta", "policy", "profile", "plugin", "stray"):
        for name, schema in as_object(document.members.get("$defs")).items():
            yield Root("definition", place.below("$defs", name), schema)


def sites_of(root: Root) -> Iterator[Site]:
    """Yield every subschema of `root`, outer ones first."""
    if root.role == "definition" and is_rule(root.schema):
        yield Site(root.place, root.schema, root, rule=True)
    else:
        yield from _sites(root.schema, root.place, root)


def is_rule(schema: object) -> bool:
    """Tell whether a definition is a rule across members, and so describes no value."""
    keywords = as_object(schema)
    if {"type", "$ref", "oneOf", "enum", "const", "properties"} & keywords.keys():
        return False
    if {"dependentRequired", "not", "if"} & keywords.keys():
        return True
    branches = as_list(keywords.get("anyOf"))
    return bool(branches) and all("properties" in as_object(branch) for branch in branches)


def _sites(schema: object, place: Place, root: Root) -> Iterator[Site]:
    yield Site(place, schema, root)
    keywords = as_object(schema)
    for name, inner in as_object(keywords.get("properties")).items():
        yield from _sites(inner, place.below("properties", name), root)
    if "items" in keywords:
        yield from _sites(keywords["items"], place.below("items"), root)
    for keyword in ("anyOf", "oneOf"):
        for position, inner in enumerate(as_list(keywords.get(keyword))):
            if inner != NULL:
                yield from _sites(inner, place.below(keyword, position), root)
    for position, inner in enumerate(as_list(keywords.get("allOf"))):
        yield Site(place.below("allOf", position), inner, root, rule=True)
