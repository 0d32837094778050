"""The rules of a contract that a model cannot hold, read from their JSON Schema shapes.

Works on a resolved schema. The shapes are those of `contracts/README.md`, D13 (rules across
fields), D06 (distinct items) and the integer constants, which Python confuses with booleans.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import cast

from mymcp.contract import text
from mymcp.contract.rules import (
    Allows,
    Distinct,
    Excludes,
    NativeInteger,
    Path,
    PresentExactlyWhen,
    RequiredWithText,
    Requires,
    Rule,
)

Schema = Mapping[str, object]

NORMALISATIONS = {"trimmed": text.trimmed, "collapsed": text.collapsed, "lowered": text.lowered}
"""The functions that `x-normalise` names."""


class UnknownShapeError(ValueError):
    """A member of `allOf` that is none of the shapes. The linter refuses such a contract first."""


@dataclass(frozen=True, slots=True)
class Extracted:
    """What one root schema gives its reader: `rules` in order, and the paths of tagged unions."""

    rules: tuple[Rule, ...]
    unions: frozenset[Path]


def extract(schema: Schema) -> Extracted:
    """Return the rules and union paths of a resolved root `schema`.

    Cross-field rules come first, in authored order, then the rules of single members in the order
    of the properties.
    """
    across = [rule for shape in _schemas(schema.get("allOf")) for rule in _across(shape)]
    members = dict.fromkeys(_members(schema, ()))
    return Extracted((*across, *members), frozenset(_unions(schema, ())))


def is_rule(schema: Schema) -> bool:
    """Tell whether a definition is a rule shape, and so no value that a model could hold."""
    if {"dependentRequired", "not", "if"} & schema.keys():
        return True
    branches = schema.get("anyOf")
    return "type" not in schema and branches is not None and not is_nullable(schema)


def is_nullable(schema: Schema) -> bool:
    """Tell whether `schema` is the one accepted form of a value that may be null."""
    branches = _schemas(schema.get("anyOf"))
    return len(branches) == 2 and branches[1].get("type") == "null"


def _across(shape: Schema) -> Iterator[Rule]:
    name = str(shape["title"])
    if "dependentRequired" in shape:
        for member, others in _mapping(shape["dependentRequired"]).items():
            yield from (Requires(name, member, other) for other in _texts(others))
    elif "not" in shape:
        yield Excludes(name, _texts(_mapping(shape["not"])["required"]))
    elif "anyOf" in shape:
        yield _allows(name, _schemas(shape["anyOf"]))
    elif "else" in shape:
        yield _present_exactly_when(name, shape)
    elif "if" in shape:
        yield _required_with_text(name, shape)
    else:
        raise UnknownShapeError(name)


def _allows(name: str, branches: Sequence[Schema]) -> Allows:
    table: dict[str, frozenset[str]] = {}
    keys: set[Path] = set()
    paths: set[Path] = set()
    for branch in branches:
        leaves = tuple(_leaves(branch, ()))
        ((key, chosen),) = (found for found in leaves if "const" in found[1])
        ((path, allowed),) = (found for found in leaves if "enum" in found[1])
        keys.add(key)
        paths.add(path)
        table[str(chosen["const"])] = frozenset(_texts(allowed["enum"]))
    ((key,), (path,)) = keys, paths
    return Allows(name, key, path, table)


def _present_exactly_when(name: str, shape: Schema) -> PresentExactlyWhen:
    ((key, leaf),) = _leaves(_mapping(shape["if"]), ())
    (member,) = _texts(_mapping(shape["then"])["required"])
    return PresentExactlyWhen(name, member, key, str(leaf["const"]))


def _required_with_text(name: str, shape: Schema) -> RequiredWithText:
    ((key, _leaf),) = _leaves(_mapping(shape["if"]), ())
    (member,) = _texts(_mapping(shape["then"])["required"])
    return RequiredWithText(name, member, key)


def _leaves(schema: Schema, path: Path) -> Iterator[tuple[Path, Schema]]:
    """Yield the innermost schemas of a rule shape with their paths."""
    for name, inner in _mapping(schema["properties"]).items():
        member = _mapping(inner)
        if "properties" in member:
            yield from _leaves(member, (*path, name))
        else:
            yield (*path, name), member


def _members(schema: Schema, path: Path) -> Iterator[Rule]:
    """Yield the rules of single members that `properties` reach, into unions and null forms too."""
    if "uniqueItems" in schema or "x-distinct" in schema:
        yield _distinct(schema, path)
    if type(schema.get("const")) is int:
        yield NativeInteger(path)
    for branch in _branches(schema):
        yield from _members(branch, path)
    for name, inner in _mapping(schema.get("properties", {})).items():
        yield from _members(_mapping(inner), (*path, name))


def _distinct(schema: Schema, path: Path) -> Distinct:
    items = _mapping(schema["items"])
    normalise = NORMALISATIONS.get(str(items.get("x-normalise")))
    return Distinct(path, normalise, casefold=schema.get("x-distinct") == "casefold")


def _unions(schema: Schema, path: Path) -> Iterator[Path]:
    if "oneOf" in schema:
        yield path
    for branch in _branches(schema):
        yield from _unions(branch, path)
    for name, inner in _mapping(schema.get("properties", {})).items():
        yield from _unions(_mapping(inner), (*path, name))


def _branches(schema: Schema) -> tuple[Schema, ...]:
    return (*_schemas(schema.get("anyOf")), *_schemas(schema.get("oneOf")))


def _mapping(value: object) -> Schema:
    if not isinstance(value, Mapping):
        raise UnknownShapeError("an object was expected")
    return cast(Schema, value)


def _schemas(value: object) -> tuple[Schema, ...]:
    return tuple(_mapping(item) for item in value) if isinstance(value, list) else ()


def _texts(value: object) -> tuple[str, ...]:
    if not isinstance(value, list):
        raise UnknownShapeError("a list of names was expected")
    return tuple(str(item) for item in value)
