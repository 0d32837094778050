"""What the ledger would record of a compilation: one state a capability."""

from collections.abc import Iterator, Mapping

from codegen.compilation import Compilation, Format, Members, Plugin, Tool, members
from codegen.digest import digest
from codegen.ledger import State


def states(compilation: Compilation) -> tuple[State, ...]:
    """Return the state of every capability: tools in public order, formats, plugins, policies."""
    return (
        *(_of_tool(tool) for tool in compilation.tools),
        *(_of_format(item) for item in compilation.formats),
        *(
            _of_plugin(plugin, plugin.manifest)
            for plugin in compilation.plugins
            if plugin.manifest is not None
        ),
        *(policy.state for policy in compilation.policies),
    )


def _of_tool(tool: Tool) -> State:
    return State(
        capability=tool.name,
        source=tool.source,
        version=tool.version,
        contract=tool.digest,
        published=digest(tool.published),
        fields=(*_fields(tool.input), *_fields(tool.result, "result.")),
    )


def _of_format(item: Format) -> State:
    return State(
        capability=item.capability,
        source=item.source,
        version=str(item.version or 1),
        contract=item.digest,
        published=None,
        fields=tuple(_fields(item.schema)),
        formats=True,
    )


def _of_plugin(plugin: Plugin, manifest: Members) -> State:
    return State(
        capability=f"plugin-{plugin.id}",
        source=plugin.source,
        version=str(manifest["version"]),
        contract=plugin.digest,
        published=None,
        fields=tuple((tool.name, tool.version) for tool in plugin.tools),
    )


def _fields(schema: Members, prefix: str = "") -> Iterator[tuple[str, str]]:
    """Yield each property in authored order, at every depth, as in `required string enum[7]`.

    `[]` marks the items of an array, `(2)` the second branch of a union.
    """
    required = schema.get("required")
    for name, inner in members(schema.get("properties", {})).items():
        need = "required" if isinstance(required, list) and name in required else "optional"
        yield f"{prefix}{name}", f"{need} {_kind(members(inner))}"
        yield from _below(members(inner), f"{prefix}{name}")


def _below(schema: Members, name: str) -> Iterator[tuple[str, str]]:
    if "items" in schema:
        yield from _below(members(schema["items"]), f"{name}[]")
    elif "oneOf" in schema:
        for position, branch in enumerate(_branches(schema, "oneOf"), 1):
            yield from _fields(branch, f"{name}({position}).")
    elif "anyOf" in schema:
        yield from _below(_branches(schema, "anyOf")[0], name)
    else:
        yield from _fields(schema, f"{name}.")


def _branches(schema: Members, keyword: str) -> tuple[Members, ...]:
    branches = schema[keyword]
    return tuple(members(branch) for branch in branches) if isinstance(branches, list) else ()


def _kind(schema: Members) -> str:
    if "oneOf" in schema:
        return f"union[{_size(schema['oneOf'])}]"
    if "anyOf" in schema:
        return f"{_kind(_branches(schema, 'anyOf')[0])} or null"
    kind = str(schema["type"])
    if kind == "array":
        return f"array of {_kind(members(schema['items']))}"
    if "enum" in schema:
        return f"{kind} enum[{_size(schema['enum'])}]"
    if "const" in schema:
        return f"{kind} const {schema['const']}"
    return f"{kind}{_bounds(schema)}"


def _bounds(schema: Mapping[str, object]) -> str:
    for low, high in (("minLength", "maxLength"), ("minimum", "maximum")):
        if low in schema or high in schema:
            return f" {schema.get(low, '')}..{schema.get(high, '')}"
    return ""


def _size(value: object) -> int:
    return len(value) if isinstance(value, list) else 0
