"""Undo what clients do that send structured arguments as JSON text.

One layer of encoding is removed, only where the schema of the tool permits no string and the
decoded value has a type that it permits. Nothing is validated here: what cannot be decoded goes on
as it came, and the tool says what is wrong with it.

The schemas are resolved JSON Schema 2020-12. `type`, `const`, `enum`, `anyOf`, `oneOf`, `allOf`,
`properties` and `items` are read, every other keyword is taken to permit everything.
"""

from collections.abc import Callable, Iterator, Mapping

from mymcp.contract.strict_json import StrictJSONError, decode_text

Schema = Mapping[str, object]

_ALTERNATIVES = ("anyOf", "oneOf")
_KINDS = {
    type(None): "null",
    bool: "boolean",
    int: "integer",
    float: "number",
    str: "string",
    list: "array",
}


def decoded_arguments(arguments: dict[str, object], schema: Schema) -> dict[str, object]:
    """Return `arguments` with their encoded members decoded; `arguments` itself is not changed.

    A value that came out of a string is not looked into: it was encoded as a whole.
    """
    return _seen_object(arguments, schema)


def _seen(value: object, schema: Schema | None) -> object:
    if schema is None:
        return value
    if isinstance(value, str):
        return _decoded(value, schema)
    if isinstance(value, dict):
        return _seen_object(value, schema)
    if isinstance(value, list):
        items = _schema_below(schema, value, _items)
        return value if items is None else [_seen(item, items) for item in value]
    return value


def _decoded(text: str, schema: Schema) -> object:
    if _permits(schema, text):
        return text
    try:
        value = decode_text(text)
    except StrictJSONError:
        return text
    return value if _permits(schema, value) else text


def _seen_object(value: dict[str, object], schema: Schema) -> dict[str, object]:
    changed: dict[str, object] = {}
    for name, member in value.items():
        if not isinstance(member, str | dict | list):
            continue
        seen = _seen(member, _schema_below(schema, value, _property_called(name)))
        if seen is not member:
            changed[name] = seen
    return value | changed if changed else value


def _schema_below(
    schema: Schema, value: object, below: Callable[[Schema], Schema | None]
) -> Schema | None:
    """Return the schema of a part of `value`: all that `schema` and its branches say together.

    `below` takes the part's schema out of one schema. Of the alternatives those count that
    `value` may mean.
    """
    parts = [found] if (found := below(schema)) is not None else []
    for keyword in _ALTERNATIVES:
        possible = [
            found
            for branch in _branches(schema, keyword)
            if _may_mean(branch, value)
            if (found := _schema_below(branch, value, below)) is not None
        ]
        if possible:
            parts.append(possible[0] if len(possible) == 1 else {"anyOf": possible})
    for branch in _branches(schema, "allOf"):
        if (found := _schema_below(branch, value, below)) is not None:
            parts.append(found)
    if not parts:
        return None
    return parts[0] if len(parts) == 1 else {"allOf": parts}


def _may_mean(branch: Schema, value: object) -> bool:
    """Tell whether `value` contradicts no constant of `branch`, its encoded members decoded."""
    if not _permits(branch, value):
        return False
    if not isinstance(value, dict):
        return True
    for name, member in _properties(branch).items():
        if not isinstance(member, Mapping) or "const" not in member or name not in value:
            continue
        seen, constant = _seen(value[name], member), member["const"]
        if _family(seen) != _family(constant) or seen != constant:
            return False
    return True


def _permits(schema: Schema, value: object) -> bool:
    """Tell whether `schema` permits values of the type of `value`."""
    if "type" in schema and not _is_of(schema["type"], value):
        return False
    if "const" in schema and _family(value) != _family(schema["const"]):
        return False
    listed = schema.get("enum")
    if isinstance(listed, list) and _family(value) not in {_family(item) for item in listed}:
        return False
    for keyword in _ALTERNATIVES:
        if keyword in schema and not any(
            _permits(branch, value) for branch in _branches(schema, keyword)
        ):
            return False
    return all(_permits(branch, value) for branch in _branches(schema, "allOf"))


def _is_of(declared: object, value: object) -> bool:
    if isinstance(declared, list):
        return any(one == _kind(value) or one == _family(value) for one in declared)
    return declared == _kind(value) or declared == _family(value)


def _kind(value: object) -> str:
    """Return the JSON type of `value`. `1.0` is no integer: no integer field would take it."""
    return _KINDS.get(type(value), "object")


def _family(value: object) -> str:
    """Return the JSON type of `value`, integers being numbers."""
    kind = _kind(value)
    return "number" if kind == "integer" else kind


def _properties(schema: Schema) -> Mapping[str, object]:
    found = schema.get("properties")
    return found if isinstance(found, Mapping) else {}


def _property_called(name: str) -> Callable[[Schema], Schema | None]:
    return lambda schema: _as_schema(_properties(schema).get(name))


def _items(schema: Schema) -> Schema | None:
    return _as_schema(schema.get("items"))


def _as_schema(found: object) -> Schema | None:
    return found if isinstance(found, Mapping) else None


def _branches(schema: Schema, keyword: str) -> Iterator[Schema]:
    branches = schema.get(keyword)
    if isinstance(branches, list):
        yield from (branch for branch in branches if isinstance(branch, Mapping))
