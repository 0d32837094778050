"""From any JSON Schema 2020-12 to one that the publication passes understand.

Contracts are written in a closed dialect; schemas of external plugins are not. This brings them
down to it: references inlined, conjunctions merged, one type for each schema, unions below the root
only. What a grammar cannot say is dropped, which only widens, with two exceptions: an object that
names properties is closed, and a schema without a type is taken for the type that its keywords
speak of. The server judges calls by the original schema.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final

from mymcp.schema.publication import Loss, Schema
from mymcp.schema.resolution import Target, follow
from mymcp.schema.scalars import (
    HEADER,
    NUMBER_KEYWORDS,
    described,
    drop_contradiction,
    integer_of,
    plain_of,
    text_of,
    type_of,
    values_of,
    whole,
)

SUBSCHEMAS_MAX: Final = 2_000
LEVELS_MAX: Final = 24
BRANCHES_MAX: Final = 16
PROPERTIES_MAX: Final = 50
"""Beyond these a part is published as anything."""

_STEP: Final = "foreign"
_portable_name: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_]{0,63}").fullmatch
_SCALARS: Final = ("string", "number", "boolean")
_TYPES: Final = frozenset({"null", "boolean", "integer", "number", "string", "array", "object"})
_OWN_KEYWORDS: Final = {
    "object": ("properties", "required", "additionalProperties", "patternProperties"),
    "array": ("items", "prefixItems", "minItems", "maxItems"),
    "string": ("pattern", "format", "minLength", "maxLength"),
    "number": NUMBER_KEYWORDS,
}
_ANNOTATIONS: Final = ("description", "title", "default", HEADER)
_SILENT: Final = frozenset(
    (
        *("$schema", "$id", "$anchor", "$dynamicAnchor", "$comment", "$defs", "definitions"),
        *("$vocabulary", "examples", "deprecated", "readOnly", "writeOnly"),
        *("type", "const", "enum", "anyOf", "oneOf", *_ANNOTATIONS),
        *(word for words in _OWN_KEYWORDS.values() for word in words),
    )
)
"""Keywords whose fate is told elsewhere, or whose absence changes nothing."""


@dataclass(frozen=True, slots=True)
class Widened:
    """A schema of the dialect, and what it lost, in the order in which that was found."""

    schema: Schema
    losses: tuple[Loss, ...]


def widen(schema: Mapping[str, object]) -> Widened:
    """Return what grammars can say of `schema`, a valid schema of arguments: an object at its root.

    Never raises for a schema that JSON can say.
    """
    work = _Widening({"": dict(schema)})
    return Widened(work.root(dict(schema)), tuple(work.losses))


@dataclass(frozen=True, slots=True)
class _Place:
    """Where a schema stands, how deep, and which references are being unfolded around it."""

    pointer: str = ""
    level: int = 0
    unfolding: frozenset[str] = frozenset()

    def below(self, *tokens: str) -> "_Place":
        names = (token.replace("~", "~0").replace("/", "~1") for token in tokens)
        return _Place("/".join((self.pointer, *names)), self.level + 1, self.unfolding)


@dataclass(slots=True)
class _Widening:
    documents: Mapping[str, object]
    losses: list[Loss] = field(default_factory=list)
    count: int = 0

    def root(self, schema: Schema) -> Schema:
        merged, place = self.merged(schema, _Place())
        for keyword in ("anyOf", "oneOf"):
            branches = merged.pop(keyword, None)
            if isinstance(branches, list):
                self.lose(place, keyword)
                self.unite(merged, branches, place)
        return self.record(merged, place)

    def unite(self, merged: Schema, branches: list[object], place: _Place) -> None:
        """Give `merged` all properties of `branches`, and require what all of them require."""
        parts = [self.merged(one, place)[0] for one in branches if isinstance(one, dict)]
        offered: dict[str, list[object]] = {}
        for part in parts:
            for name, inner in _members(part.get("properties")).items():
                offered.setdefault(name, []).append(inner)
        own = dict(_members(merged.get("properties")))
        for name, found in offered.items():
            different = [one for number, one in enumerate(found) if one not in found[:number]]
            # A branch that does not speak of a property of its own accepts anything there.
            own.setdefault(name, different[0] if len(different) == 1 else {"anyOf": different})
        merged["properties"] = own
        common = [set(_texts(part.get("required"))) for part in parts]
        if common:
            required = [*_texts(merged.get("required"))]
            merged["required"] = required + sorted(set.intersection(*common) - set(required))

    def schema(self, value: object, place: _Place) -> Schema:
        """Return what can be said of `value` below the root."""
        self.count += 1
        if not isinstance(value, dict) or not value:
            return _anything(value)
        if self.count > SUBSCHEMAS_MAX or place.level > LEVELS_MAX:
            self.lose(place, "depth")
            return _anything(value)
        merged, place = self.merged(value, place)
        for keyword in ("anyOf", "oneOf"):
            branches = merged.pop(keyword, None)
            if isinstance(branches, list):
                return self.union(merged, keyword, branches, place)
        types = _types_of(merged)
        if not types:
            return _anything(merged)
        if len(types) > 1 or types == ["null"]:
            return _union((self.typed(merged, name, place) for name in types), merged)
        return self.typed(merged, types[0], place)

    def merged(self, value: Schema, place: _Place) -> tuple[Schema, _Place]:
        """Return `value` with what it refers to and all of its `allOf` as one schema.

        The place is that of its parts: there, what was unfolded here is not unfolded again.
        """
        result: Schema = {}
        unfolded: set[str] = set()
        for part in self.parts(value, place, unfolded):
            for keyword, item in part.items():
                self.add(result, keyword, item, place)
        for keyword in [name for name in result if name not in _SILENT]:
            self.lose(place, keyword)
            del result[keyword]
        return result, _Place(place.pointer, place.level, place.unfolding | unfolded)

    def parts(self, value: Schema, place: _Place, unfolded: set[str]) -> Iterator[Schema]:
        self.count += 1
        if self.count > SUBSCHEMAS_MAX:
            self.lose(place, "depth")
            return
        yield {name: item for name, item in value.items() if name not in ("$ref", "allOf")}
        reference = value.get("$ref")
        if isinstance(reference, str):
            yield from self.target(reference, place, unfolded)
        several = value.get("allOf")
        for one in several if isinstance(several, list) else ():
            if isinstance(one, dict):
                yield from self.parts(one, place, unfolded)

    def target(self, reference: str, place: _Place, unfolded: set[str]) -> Iterator[Schema]:
        """Yield the parts of what `reference` means; where that comes back, at least its type."""
        found = follow(reference, "", self.documents)
        schema = found.schema if isinstance(found, Target) else None
        if reference == "#":
            schema = self.documents[""]
        if not isinstance(schema, dict):
            self.lose(place, "$ref")
        elif reference == "#" or reference in unfolded or reference in place.unfolding:
            self.lose(place, "$ref")
            if schema.get("type") == "object":
                yield {"type": "object"}
        else:
            unfolded.add(reference)
            yield from self.parts(schema, place, unfolded)

    def add(self, result: Schema, keyword: str, item: object, place: _Place) -> None:
        """Add a keyword of one more part: all parts hold, so any one of two may be left out."""
        known = result.get(keyword)
        if keyword not in result or known == item:
            result[keyword] = item
        elif keyword == "properties" and isinstance(known, dict) and isinstance(item, dict):
            both = {name: {"allOf": [known[name], item[name]]} for name in known if name in item}
            result[keyword] = {**known, **item, **both}
        elif keyword == "required":
            result[keyword] = [*dict.fromkeys([*_texts(known), *_texts(item)])]
        elif keyword == "type":
            result[keyword] = [name for name in _named(known) if name in _named(item)] or known
        elif keyword == "additionalProperties":
            result[keyword] = False if False in (known, item) else known
        elif keyword in ("items", "contains") and isinstance(item, dict):
            result[keyword] = {"allOf": [known, item]}
        elif keyword not in ("description", "title", "$defs", "default", "examples"):
            self.lose(place, keyword)

    def union(self, merged: Schema, keyword: str, branches: list[object], place: _Place) -> Schema:
        if len(branches) > BRANCHES_MAX:
            self.lose(place, keyword)
            return self.schema(merged, place) if _types_of(merged) else _anything(merged)
        own = {name: item for name, item in merged.items() if name not in _ANNOTATIONS}
        whole = [{"allOf": [one, own]} if own else one for one in branches]
        found = (
            self.schema(one, place.below(keyword, str(position)))
            for position, one in enumerate(whole)
        )
        return _union(found, merged)

    def typed(self, merged: Schema, name: str, place: _Place) -> Schema:
        """Return what can be said of `merged` as far as values of type `name` go."""

        def lose(what: str) -> None:
            self.lose(place, what)

        match name:
            case "object":
                return self.record(merged, place)
            case "array":
                return self.sequence(merged, place)
            case "string":
                return text_of(merged, lose)
            case "integer":
                return integer_of(merged, lose)
            case "null":
                return {"type": "null"}
        return plain_of(name, merged, lose)

    def record(self, merged: Schema, place: _Place) -> Schema:
        properties = dict(_members(merged.get("properties")))
        required = _texts(merged.get("required"))
        properties |= {name: True for name in required if name not in properties}
        for keyword in ("patternProperties", "enum", "const"):
            if keyword in merged:
                self.lose(place, keyword)
        is_closed = (
            merged.get("additionalProperties") is False and "patternProperties" not in merged
        )
        if place.level and not self.is_worth_naming(properties, place, is_closed=is_closed):
            return described({"type": "object"}, merged)
        if not is_closed:
            self.lose(place, "additionalProperties")
        inner = {
            name: self.schema(one, place.below("properties", name))
            for name, one in properties.items()
        }
        result: Schema = {"type": "object", "properties": inner}
        if required:
            result["required"] = required
        return described({**result, "additionalProperties": False}, merged)

    def is_worth_naming(
        self, properties: Mapping[str, object], place: _Place, *, is_closed: bool
    ) -> bool:
        """Tell whether an object below the root is told by its properties, or left open."""
        if len(properties) <= PROPERTIES_MAX and all(map(_portable_name, properties)):
            return is_closed or bool(properties)
        self.lose(place, "properties")
        return False

    def sequence(self, merged: Schema, place: _Place) -> Schema:
        items, first = merged.get("items", True), merged.get("prefixItems")
        if isinstance(first, list) and first:
            self.lose(place, "prefixItems")
            items = {"anyOf": [*first, items]} if items is not False else {"anyOf": first}
        for keyword in ("enum", "const"):
            if keyword in merged:
                self.lose(place, keyword)
        result: Schema = {"type": "array", "items": self.schema(items, place.below("items"))}
        if items is True:
            result["items"] = _anything(None, levels=0)
        for keyword in ("minItems", "maxItems"):
            if (bound := whole(merged.get(keyword))) is not None:
                result[keyword] = bound
        drop_contradiction(result, "minItems", "maxItems", lambda what: self.lose(place, what))
        return described(result, merged)

    def lose(self, place: _Place, what: str) -> None:
        loss = Loss(place.pointer, _STEP, what)
        if loss not in self.losses[-8:]:
            self.losses.append(loss)


def _types_of(merged: Schema) -> list[str]:
    """Return the types that `merged` declares, else those of its values or its keywords."""
    declared = _named(merged.get("type"))
    values = values_of(merged)
    if values:
        kinds = list(dict.fromkeys(type_of(value) for value in values))
        wide = set(declared) | ({"integer"} if "number" in declared else set())
        return [kind for kind in kinds if not declared or kind in wide] or kinds
    if declared:
        return declared
    spoken = [name for name, own in _OWN_KEYWORDS.items() if any(word in merged for word in own)]
    return spoken[:1]


def _anything(value: object, *, levels: int = 1) -> Schema:
    """Return a schema of whatever JSON can say, arrays of arrays left out."""
    branches: list[object] = [{"type": name} for name in _SCALARS]
    branches.append({"type": "object"})
    if levels:
        branches.append({"type": "array", "items": _anything(None, levels=0)})
    branches.append({"type": "null"})
    return described({"anyOf": branches}, value if isinstance(value, dict) else {})


def _union(branches: Iterable[Schema], merged: Schema) -> Schema:
    flat: list[object] = []
    for branch in branches:
        inner = branch.get("anyOf")
        for one in inner if isinstance(inner, list) else [branch]:
            if one not in flat:
                flat.append(one)
    if len(flat) == 1 and isinstance(flat[0], dict) and flat[0] != {"type": "null"}:
        return described(flat[0], merged)
    stripped = [
        {name: item for name, item in one.items() if name != HEADER}
        for one in flat
        if isinstance(one, dict)
    ]
    return described({"anyOf": stripped}, merged)


def _named(value: object) -> list[str]:
    names = value if isinstance(value, list) else [value]
    return [name for name in names if isinstance(name, str) and name in _TYPES]


def _members(value: object) -> Mapping[str, object]:
    return value if isinstance(value, dict) else {}


def _texts(value: object) -> list[str]:
    return [one for one in value if isinstance(one, str)] if isinstance(value, list) else []
