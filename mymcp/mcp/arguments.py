"""Undo what clients do that send structured arguments as JSON text.

One layer of encoding is removed, only where the schema of the tool permits no string and the
decoded value has a type that it permits. Nothing is validated here: what cannot be decoded goes on
as it came, and the tool says what is wrong with it.

A schema (resolved JSON Schema 2020-12) is boiled down once to the types that it permits where.
`type`, `const`, `enum`, `anyOf`, `oneOf`, `allOf`, `properties` and `items` count; every other
keyword, `$ref` too, is taken to permit everything.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from mymcp.contract.strict_json import StrictJSONError, decode_text

Kinds = frozenset[str]

_EVERY: Kinds = frozenset({"null", "boolean", "integer", "number", "string", "array", "object"})
_NUMBERS: Kinds = frozenset({"integer", "number"})
_KINDS = {
    type(None): "null",
    bool: "boolean",
    int: "integer",
    float: "number",
    str: "string",
    list: "array",
}


@dataclass(frozen=True, slots=True)
class Shape:
    """What a schema says about types.

    `kinds` are the JSON types permitted here; of each of `choices` one member applies, of `parts`
    every one. `constants` are the properties that have one fixed value.
    """

    kinds: Kinds = _EVERY
    properties: Mapping[str, "Shape"] = field(default_factory=dict)
    constants: Mapping[str, object] = field(default_factory=dict)
    items: "Shape | None" = None
    choices: Sequence[Sequence["Shape"]] = ()
    parts: Sequence["Shape"] = ()

    @property
    def matters(self) -> bool:
        """Whether any text within could ever be decoded."""
        return (
            "string" not in self.kinds
            or any(shape.matters for shape in self.properties.values())
            or (self.items is not None and self.items.matters)
            or bool(self.choices)
            or bool(self.parts)
        )


def shape_of(schema: object) -> Shape:
    """Return the shape of a schema. Whatever is no schema permits everything."""
    if not isinstance(schema, Mapping):
        return Shape()
    choices = [_shapes(schema.get(keyword)) for keyword in ("anyOf", "oneOf")]
    parts = _shapes(schema.get("allOf"))
    kinds = _own_kinds(schema)
    for choice in filter(None, choices):
        kinds &= _united(choice)
    for part in parts:
        kinds &= part.kinds
    properties = schema.get("properties")
    members = properties if isinstance(properties, Mapping) else {}
    return Shape(
        kinds=kinds,
        properties={name: shape_of(member) for name, member in members.items()},
        constants={
            name: member["const"]
            for name, member in members.items()
            if isinstance(member, Mapping) and "const" in member
        },
        items=shape_of(schema["items"]) if "items" in schema else None,
        choices=[choice for choice in choices if any(shape.matters for shape in choice)],
        parts=[part for part in parts if part.matters],
    )


def decoded(arguments: Mapping[str, object], shape: Shape) -> Mapping[str, object]:
    """Return `arguments` with their encoded members decoded; `arguments` itself is not changed.

    A value that came out of a string is not looked into: it was encoded as a whole.
    """
    changed: dict[str, object] = {}
    for name, member in arguments.items():
        if not isinstance(member, str | dict | list):
            continue
        below = _below(shape, arguments, _property(name))
        seen = member if below is None else _seen(member, below)
        if seen is not member:
            changed[name] = seen
    return {**arguments, **changed} if changed else arguments


def _seen(value: object, shape: Shape) -> object:
    if isinstance(value, str):
        return value if "string" in shape.kinds else _read(value, shape.kinds)
    if isinstance(value, dict):
        return decoded(value, shape)
    if isinstance(value, list):
        items = _below(shape, value, _items)
        return value if items is None else [_seen(item, items) for item in value]
    return value


def _read(text: str, kinds: Kinds) -> object:
    """Return the JSON value that `text` holds, if it is of one of `kinds`; else `text`."""
    try:
        value = decode_text(text)
    except StrictJSONError:
        return text
    return value if _kind(value) in kinds else text


def _below(shape: Shape, value: object, take: Callable[[Shape], Shape | None]) -> Shape | None:
    """Return all that `shape` says of a part of `value`; `take` finds that part in one shape.

    Of a choice those members count that `value` may mean.
    """
    found = [own] if (own := take(shape)) is not None else []
    for choice in shape.choices:
        possible = _all_below((one for one in choice if _may_mean(one, value)), value, take)
        if possible:
            found.append(possible[0] if len(possible) == 1 else _any_of(possible))
    if shape.parts:
        found += _all_below(shape.parts, value, take)
    if not found:
        return None
    return found[0] if len(found) == 1 else _all_of(found)


def _all_below(
    shapes: Iterable[Shape], value: object, take: Callable[[Shape], Shape | None]
) -> list[Shape]:
    return [below for shape in shapes if (below := _below(shape, value, take)) is not None]


def _may_mean(shape: Shape, value: object) -> bool:
    """Tell whether `value` contradicts no constant of `shape`, its encoded members decoded."""
    if _kind(value) not in shape.kinds:
        return False
    if not isinstance(value, dict):
        return True
    return all(
        _is_same(_seen(value[name], shape.properties[name]), constant)
        for name, constant in shape.constants.items()
        if name in value
    )


def _is_same(value: object, constant: object) -> bool:
    return value == constant and _family(value) == _family(constant)


def _any_of(shapes: Sequence[Shape]) -> Shape:
    return Shape(kinds=_united(shapes), choices=[shapes])


def _all_of(shapes: Sequence[Shape]) -> Shape:
    return Shape(kinds=_EVERY.intersection(*(shape.kinds for shape in shapes)), parts=shapes)


def _united(shapes: Sequence[Shape]) -> Kinds:
    return frozenset().union(*(shape.kinds for shape in shapes))


def _own_kinds(schema: Mapping[str, object]) -> Kinds:
    kinds = _EVERY
    if "type" in schema:
        declared = schema["type"]
        kinds &= _kinds_of_types(declared if isinstance(declared, list) else [declared])
    if "const" in schema:
        kinds &= _family(schema["const"])
    listed = schema.get("enum")
    if isinstance(listed, list):
        kinds &= frozenset().union(*map(_family, listed))
    return kinds


def _kinds_of_types(types: Sequence[object]) -> Kinds:
    """Return the kinds of declared types. `1.0` is no integer: no integer field would take it."""
    named = frozenset(name for name in types if isinstance(name, str)) & _EVERY
    return named | _NUMBERS if "number" in named else named


def _kind(value: object) -> str:
    return _KINDS.get(type(value), "object")


def _family(value: object) -> Kinds:
    kind = _kind(value)
    return _NUMBERS if kind in _NUMBERS else frozenset({kind})


def _shapes(branches: object) -> list[Shape]:
    return [shape_of(branch) for branch in branches] if isinstance(branches, list) else []


def _property(name: str) -> Callable[[Shape], Shape | None]:
    return lambda shape: shape.properties.get(name)


def _items(shape: Shape) -> Shape | None:
    return shape.items
