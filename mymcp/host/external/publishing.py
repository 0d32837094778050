"""The schemas of an external tool as clients see them."""

from collections.abc import Iterator, Mapping
from typing import Final

from mymcp.contract.strict_json import encode
from mymcp.host.external.reference import UnsafeSchemas
from mymcp.plugin.errors import PluginContractError
from mymcp.schema.conformity import cost_of, violations_of
from mymcp.schema.profile import Profile
from mymcp.schema.publication import Loss, publish
from mymcp.schema.resolution import Unresolvable, resolve
from mymcp.schema.widening import widen

SCHEMA_MAX_BYTES: Final = 65_536

Schema = Mapping[str, object]

_BESIDE_REFERENCES: Final = frozenset({"$ref", "title", "description"})


def published_arguments(
    schema: Schema, profile: Profile, unsafe_schemas: UnsafeSchemas
) -> tuple[Schema, tuple[Loss, ...]]:
    """Return the input schema that clients see, and what it lost against `schema`.

    Raises `PluginContractError` with `unsafe_schema`.
    """
    if unsafe_schemas == "publish":
        return _with_objects(schema), ()
    found = violations_of(schema, profile)
    if not found and _is_affordable(schema, profile):
        return schema, ()
    if unsafe_schemas == "refuse":
        raise _unsafe(found[0].pointer if found else "")
    widened = widen(schema)
    published = publish(widened.schema)
    left = violations_of(published.schema, profile)
    if left or not _is_affordable(published.schema, profile):
        raise _unsafe(left[0].pointer if left else "")
    return published.schema, (*widened.losses, *published.losses)


def published_answer(schema: Schema) -> Schema:
    """Return the output schema that clients see: the same without references, where that can be.

    Clients validate answers with it, so it must mean exactly what `schema` means.
    """
    if all(reference.keys() <= _BESIDE_REFERENCES for reference in _references(schema)):
        try:
            resolved = resolve(schema, "", {"": schema})
        except Unresolvable:  # it refers to itself
            return _with_objects(schema)
        if len(encode(resolved).encode()) <= SCHEMA_MAX_BYTES:
            return _with_objects(resolved)
    return _with_objects(schema)


def _with_objects(schema: Schema) -> Schema:
    """Return `schema` with properties that are objects: some clients drop all tools otherwise."""
    properties = schema.get("properties")
    if not isinstance(properties, dict):
        return schema
    spelled: dict[bool, Schema] = {True: {}, False: {"not": {}}}
    inner = {
        name: spelled[one] if isinstance(one, bool) else one for name, one in properties.items()
    }
    return {**schema, "properties": inner}


def _references(value: object) -> Iterator[Schema]:
    if isinstance(value, dict):
        if isinstance(value.get("$ref"), str):
            yield value
        for inner in value.values():
            yield from _references(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from _references(inner)


def _is_affordable(schema: Schema, profile: Profile) -> bool:
    """Tell whether a grammar of `schema` leaves room for other tools; unfolding may blow one up."""
    size = len(encode(schema).encode())
    return size <= SCHEMA_MAX_BYTES and cost_of(schema) <= profile.budgets.grammar_rules


def _unsafe(pointer: str) -> PluginContractError:
    return PluginContractError("unsafe_schema", f"inputSchema{pointer}")
