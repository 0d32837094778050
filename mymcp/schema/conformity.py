"""Whether a published schema keeps to a profile."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal, TypeGuard

from mymcp.schema.patterns import Part, parts_of
from mymcp.schema.profile import Profile, are_texts

Rule = Literal[
    "shape",
    "type",
    "keyword",
    "bounds",
    "enum",
    "pattern",
    "format",
    "object",
    "union",
    "name",
    "budget",
]

VIOLATIONS_MAX = 100
"""More is no news, and a hostile schema shall not fill a log."""

_COST_LEVELS_MAX = 64


@dataclass(frozen=True, slots=True)
class Violation:
    """One thing that a profile does not admit, at JSON `pointer` of the published schema."""

    pointer: str
    rule: Rule
    message: str


def violations_of(schema: object, profile: Profile) -> tuple[Violation, ...]:
    """Return what `profile` does not admit in `schema`, in document order, at most 100.

    `schema` may be anything that JSON can say: the check ends, and never raises.
    """
    found = _Check(profile).root(schema)
    return tuple(violation for violation, _ in zip(found, range(VIOLATIONS_MAX), strict=False))


def cost_of(schema: object) -> int:
    """Return about how many grammar rules `schema` costs: its lengths, counts and repetitions."""
    return _cost(schema, _COST_LEVELS_MAX)


@dataclass(frozen=True, slots=True)
class _Check:
    profile: Profile

    def root(self, schema: object) -> Iterator[Violation]:
        if not isinstance(schema, dict):
            yield Violation("", "shape", "the root is no object")
            return
        if schema.get("type") != "object" or "properties" not in schema:
            yield Violation("", "object", "the root must be a plain object with properties")
        yield from self.schema(schema, "", 1)

    def schema(self, schema: object, pointer: str, level: int) -> Iterator[Violation]:
        if not isinstance(schema, dict):
            yield Violation(pointer, "shape", "a schema must be an object")
        elif level > self.profile.budgets.levels:
            yield Violation(pointer, "budget", "nested too deeply")
        elif "anyOf" in schema:
            yield from self.union(schema, pointer, level)
        else:
            yield from self.typed(schema, pointer, level)

    def union(self, schema: dict[str, object], pointer: str, level: int) -> Iterator[Violation]:
        if level == 1:
            yield Violation(f"{pointer}/anyOf", "union", "no union at the root")
        for name in schema:
            if name != "anyOf" and name not in self.profile.annotations:
                yield Violation(_at(pointer, name), "union", "beside anyOf this is ignored")
        branches = schema["anyOf"]
        if not isinstance(branches, list) or not branches:
            yield Violation(f"{pointer}/anyOf", "union", "anyOf needs branches")
            return
        for position, branch in enumerate(branches):
            here = f"{pointer}/anyOf/{position}"
            if isinstance(branch, dict) and "anyOf" in branch:
                yield Violation(here, "union", "a union within a union")
            elif not (self.profile.null_branch and branch == {"type": "null"}):
                yield from self.schema(branch, here, level + 1)

    def typed(self, schema: dict[str, object], pointer: str, level: int) -> Iterator[Violation]:
        name = schema.get("type")
        allowed = self.profile.types.get(name) if isinstance(name, str) else None
        if allowed is None:
            yield Violation(pointer, "type", "exactly one type of the profile is needed")
            return
        for keyword in schema:
            if keyword != "type" and keyword not in allowed.keywords | self.profile.annotations:
                yield Violation(_at(pointer, keyword), "keyword", f"not for type {name}")
        used = [group for group in allowed.alternatives if group & schema.keys()]
        if len(used) > 1:
            yield Violation(pointer, "bounds", "only one kind of bound is looked at")
        if name == "object" and self.profile.open_objects and _is_open(schema):
            return
        for keyword in allowed.needs:
            if keyword not in schema:
                yield Violation(pointer, "shape", f"{keyword} is missing")
        yield from self.bounds(schema, pointer)
        yield from self.texts(schema, pointer)
        yield from self.members(schema, pointer)
        for here, inner in _subschemas(schema, pointer):
            yield from self.schema(inner, here, level + 1)

    def bounds(self, schema: dict[str, object], pointer: str) -> Iterator[Violation]:
        budgets = self.profile.budgets
        for low, high, most in (
            ("minLength", "maxLength", budgets.length),
            ("minItems", "maxItems", budgets.items),
        ):
            for keyword in (low, high):
                if keyword in schema and not _is_count(schema[keyword], most):
                    yield Violation(_at(pointer, keyword), "bounds", f"an integer from 0 to {most}")
            yield from _order(schema, low, high, pointer)
        for keyword in ("minimum", "maximum"):
            if keyword in schema and not _has_digits(schema[keyword], budgets.integer_digits):
                message = f"an integer of at most {budgets.integer_digits} digits"
                yield Violation(_at(pointer, keyword), "bounds", message)
        yield from _order(schema, "minimum", "maximum", pointer)

    def texts(self, schema: dict[str, object], pointer: str) -> Iterator[Violation]:
        if "enum" in schema and not self._is_enum(schema["enum"]):
            yield Violation(f"{pointer}/enum", "enum", "different texts without quotes or controls")
        if "format" in schema and not self._is_known_format(schema["format"]):
            yield Violation(f"{pointer}/format", "format", "not known everywhere")
        if "pattern" in schema:
            for part in self._foreign_parts(schema["pattern"]):
                message = f"{part.kind.replace('_', ' ')} at {part.at}"
                yield Violation(f"{pointer}/pattern", "pattern", message)

    def members(self, schema: dict[str, object], pointer: str) -> Iterator[Violation]:
        if "additionalProperties" in schema and schema["additionalProperties"] is not False:
            yield Violation(f"{pointer}/additionalProperties", "object", "must be false")
        properties, required = schema.get("properties"), schema.get("required", [])
        names = properties if isinstance(properties, dict) else {}
        if "properties" in schema and not isinstance(properties, dict):
            yield Violation(f"{pointer}/properties", "shape", "must be an object")
        if len(names) > self.profile.budgets.properties:
            yield Violation(f"{pointer}/properties", "budget", "too many properties")
        for name in names:
            if not self.profile.property_name.fullmatch(name):
                yield Violation(_at(f"{pointer}/properties", name), "name", "not a portable name")
        if not are_texts(required) or any(name not in names for name in required):
            yield Violation(f"{pointer}/required", "object", "names that properties does not have")

    def _is_enum(self, value: object) -> bool:
        return (
            are_texts(value)
            and 0 < len(value) == len(set(value))
            and all(self.profile.enum_text.fullmatch(text) for text in value)
        )

    def _is_known_format(self, value: object) -> bool:
        return isinstance(value, str) and value in self.profile.formats

    def _foreign_parts(self, pattern: object) -> tuple[Part, ...]:
        if not isinstance(pattern, str):
            return (Part("broken", 0),)
        return tuple(
            part
            for part in parts_of(pattern)
            if part.kind not in self.profile.constructs or part.bound > self.profile.repetition_max
        )


def _cost(schema: object, levels: int) -> int:
    if not isinstance(schema, dict) or not levels:
        return 0
    bounds = (schema.get("maxLength"), schema.get("maxItems"))
    cost = 1 + sum(bound for bound in bounds if _is_count(bound))
    pattern = schema.get("pattern")
    if isinstance(pattern, str):
        cost += sum(1 + part.bound for part in parts_of(pattern))
    return cost + sum(_cost(inner, levels - 1) for _pointer, inner in _subschemas(schema, ""))


def _subschemas(schema: dict[str, object], pointer: str) -> Iterator[tuple[str, object]]:
    properties, branches = schema.get("properties"), schema.get("anyOf")
    if isinstance(properties, dict):
        for name, inner in properties.items():
            yield _at(f"{pointer}/properties", name), inner
    if "items" in schema:
        yield f"{pointer}/items", schema["items"]
    if isinstance(branches, list):
        for position, inner in enumerate(branches):
            yield f"{pointer}/anyOf/{position}", inner


def _order(schema: dict[str, object], low: str, high: str, pointer: str) -> Iterator[Violation]:
    least, most = schema.get(low), schema.get(high)
    if type(least) is int and type(most) is int and least > most:
        yield Violation(pointer, "bounds", f"{low} is above {high}")


def _is_open(schema: dict[str, object]) -> bool:
    return not {"properties", "required", "additionalProperties"} & schema.keys()


def _is_count(value: object, most: int | None = None) -> TypeGuard[int]:
    return type(value) is int and value >= 0 and (most is None or value <= most)


def _has_digits(value: object, most: int) -> bool:
    return type(value) is int and abs(value) < 10**most


def _at(pointer: str, name: str) -> str:
    return f"{pointer}/{name.replace('~', '~0').replace('/', '~1')}"
