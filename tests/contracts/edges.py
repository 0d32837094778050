"""Instances that differ from a good one in one place, by one step over each bound found there."""

import copy
import re
from collections.abc import Iterator
from typing import Any

from tests.contracts.oracle import look_up

Path = tuple[str | int, ...]


def edges(value: Any, reference: str, *, native: bool = True) -> Iterator[Any]:
    """Yield `value` at, before and beyond every bound of its contract, one at a time.

    Without `native` no `true` stands where an integer constant should: nobody reads results that
    strictly.
    """
    schema, uri = look_up(reference, "")
    for path, found in _edges(value, schema, uri, native=native):
        changed = copy.deepcopy(value)
        parent = changed
        for step in path[:-1]:
            parent = parent[step]
        if not path:
            changed = found
        else:
            parent[path[-1]] = found
        yield changed


def _edges(
    value: Any, schema: dict[str, Any], uri: str, *, native: bool
) -> Iterator[tuple[Path, Any]]:
    if "$ref" in schema:
        yield from _edges(value, *look_up(schema["$ref"], uri), native=native)
    elif "anyOf" in schema and value is not None:
        yield from _edges(value, schema["anyOf"][0], uri, native=native)
    elif "oneOf" in schema:
        for member in schema["oneOf"]:
            target, where = look_up(member["$ref"], uri)
            name = schema["discriminator"]["propertyName"]
            if target["properties"][name]["const"] == value[name]:
                yield from _edges(value, target, where, native=native)
    else:
        yield from (((), found) for found in _beside(value, schema, native=native))
        for step, part, child in _parts(value, schema):
            for path, found in _edges(part, child, uri, native=native):
                yield (step, *path), found


def _parts(value: Any, schema: dict[str, Any]) -> Iterator[tuple[str | int, Any, dict[str, Any]]]:
    if isinstance(value, dict) and "properties" in schema:
        for name, item in value.items():
            yield name, item, schema["properties"][name]
    if isinstance(value, list) and value:
        yield 0, value[0], schema["items"]


def _beside(value: Any, schema: dict[str, Any], *, native: bool) -> Iterator[Any]:
    if isinstance(value, bool) or value is None:
        return
    if isinstance(value, int):
        yield from _integers(value, schema, native=native)
    elif isinstance(value, str):
        yield from _texts(value, schema)
    elif isinstance(value, list):
        yield from _lists(value, schema)


def _integers(value: int, schema: dict[str, Any], *, native: bool) -> Iterator[Any]:
    for bound in {schema.get("minimum"), schema.get("maximum"), schema.get("const")} - {None}:
        yield from (bound - 1, bound, bound + 1)
    yield str(value)
    if native:
        yield True


def _texts(value: str, schema: dict[str, Any]) -> Iterator[str]:
    counts = {schema.get("minLength"), schema.get("maxLength")} - {None}
    for repetition in re.findall(r"\{([0-9,]+)\}", schema.get("pattern", "")):
        counts |= {
            int(count) + step for count in re.findall("[0-9]+", repetition) for step in range(3)
        }
    for count in counts:
        for length in (count - 1, count, count + 1):
            if length >= 0:
                yield (value[:length] + (value[-1:] or "x") * length)[:length]
    yield from (option + "x" for option in schema.get("enum", ()))
    yield from schema.get("enum", ())


def _lists(value: list[Any], schema: dict[str, Any]) -> Iterator[list[Any]]:
    for bound in {schema.get("minItems"), schema.get("maxItems")} - {None}:
        for length in (bound - 1, bound, bound + 1):
            if length == 0:
                yield []
            elif length > 0 and value:
                yield [_another(value[n % len(value)], n) for n in range(length)]


def _another(item: Any, number: int) -> Any:
    return f"{item[:20]}{number}" if isinstance(item, str) else item
