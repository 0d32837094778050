"""From a contract schema with references to one that stands alone."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from posixpath import dirname, normpath
from typing import Literal

Trouble = Literal["remote", "missing", "cycle", "size"]

SUBSCHEMAS_MAX = 20_000
LEVELS_MAX = 48
"""Far above every honest contract; they stop one that would unfold without end."""

SCHEMAS = frozenset(
    (
        "items",
        "additionalProperties",
        "unevaluatedItems",
        "unevaluatedProperties",
        "contains",
        "propertyNames",
        "not",
        "if",
        "then",
        "else",
        "contentSchema",
    )
)
SCHEMA_LISTS = frozenset(("allOf", "anyOf", "oneOf", "prefixItems"))
SCHEMA_MAPS = frozenset(("properties", "patternProperties", "dependentSchemas"))
"""The keywords whose value is a schema, a list of schemas, a map of names to schemas."""

_DEFINITIONS = ("$defs", "definitions")
_Places = tuple[tuple[str, str], ...]


class Unresolvable(ValueError):
    """A reference that leads nowhere.

    `reference` is the text as written, `pointer` the JSON pointer in `path` where it stands,
    `trouble` what is wrong: it leaves the documents, has no target, comes back to itself, or the
    outcome would be too large.
    """

    def __init__(self, reference: str, path: str, pointer: str, trouble: Trouble) -> None:
        super().__init__(f"{path}#{pointer}: {trouble} reference")
        self.reference = reference
        self.path = path
        self.pointer = pointer
        self.trouble = trouble


@dataclass(frozen=True, slots=True)
class Target:
    """Where a reference leads: the document, the pointer in it, and what stands there."""

    path: str
    pointer: str
    schema: object


def resolve(
    schema: Mapping[str, object],
    base: str,
    documents: Mapping[str, object],
    *,
    pointer: str = "",
) -> dict[str, object]:
    """Return `schema` with every `$ref` replaced by what it means, so that it stands alone.

    `base` is the path of the document in which `schema` stands at `pointer`; `documents` maps
    paths to their content, and nothing else is ever looked at. Members keep their authored order.
    What is written beside a `$ref` wins over the same member of its target. `$defs` and the
    `mapping` of a discriminator go: both speak of references only.

    Raises `Unresolvable`.
    """
    place = _Place(base, pointer)
    resolved = _Resolution(documents).schema(dict(schema), place)
    return resolved if isinstance(resolved, dict) else {}


def follow(reference: str, base: str, documents: Mapping[str, object]) -> Target | Trouble:
    """Return where `reference`, written in document `base`, leads, or why nowhere.

    Accepted are `#/pointer` and `relative/path.json#/pointer`. What has a scheme, a host or an
    absolute path is `remote`, whatever it may be.
    """
    path = file_of(reference, base)
    if path is None:
        return "remote"
    fragment = reference.partition("#")[2]
    if path not in documents or not fragment.startswith("/"):
        return "missing"
    found: object = documents[path]
    for token in fragment[1:].split("/"):
        name = token.replace("~1", "/").replace("~0", "~")
        if not isinstance(found, Mapping) or name not in found:
            return "missing"
        found = found[name]
    return Target(path, fragment, found)


def file_of(reference: object, base: str) -> str | None:
    """Return the path of the document that `reference`, written in document `base`, names.

    None where it leaves the documents, or is no text.
    """
    if not isinstance(reference, str):
        return None
    file = reference.partition("#")[0]
    if ":" in file or "\\" in file or file.startswith("/"):
        return None
    return normpath(f"{dirname(base)}/{file}") if file else base


@dataclass(frozen=True, slots=True)
class _Place:
    """Where a subschema stands, how deep, and which references are being unfolded around it."""

    path: str
    pointer: str
    level: int = 0
    unfolding: _Places = ()

    def below(self, *tokens: str | int) -> "_Place":
        names = (str(token).replace("~", "~0").replace("/", "~1") for token in tokens)
        pointer = "/".join((self.pointer, *names))
        return _Place(self.path, pointer, self.level + 1, self.unfolding)

    def at(self, target: Target) -> "_Place":
        here = (target.path, target.pointer)
        return _Place(*here, self.level + 1, (*self.unfolding, here))


@dataclass(slots=True)
class _Resolution:
    documents: Mapping[str, object]
    count: int = field(default=0)

    def schema(self, value: object, place: _Place) -> object:
        """Resolve one schema. What is no object is given back: it has no references."""
        if not isinstance(value, dict):
            return value
        self.count += 1
        if self.count > SUBSCHEMAS_MAX or place.level > LEVELS_MAX:
            raise Unresolvable("", place.path, place.pointer, "size")
        own = {
            name: self.member(name, item, place)
            for name, item in value.items()
            if name != "$ref" and name not in _DEFINITIONS
        }
        reference = value.get("$ref")
        return {**self.target(reference, place), **own} if isinstance(reference, str) else own

    def target(self, reference: str, place: _Place) -> dict[str, object]:
        at = f"{place.pointer}/$ref"
        found = follow(reference, place.path, self.documents)
        if not isinstance(found, Target):
            raise Unresolvable(reference, place.path, at, found)
        if (found.path, found.pointer) in place.unfolding:
            raise Unresolvable(reference, place.path, at, "cycle")
        resolved = self.schema(found.schema, place.at(found))
        if not isinstance(resolved, dict):
            raise Unresolvable(reference, place.path, at, "missing")
        return resolved

    def member(self, name: str, item: object, place: _Place) -> object:
        if name in SCHEMAS:
            return self.schema(item, place.below(name))
        if name in SCHEMA_LISTS and isinstance(item, list):
            return [
                self.schema(found, place.below(name, position))
                for position, found in enumerate(item)
            ]
        if name in SCHEMA_MAPS and isinstance(item, dict):
            return {key: self.schema(found, place.below(name, key)) for key, found in item.items()}
        if name == "discriminator" and isinstance(item, dict):
            return {key: found for key, found in item.items() if key != "mapping"}
        return item
