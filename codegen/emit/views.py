"""What the templates of Python modules are given: finished texts, nothing left to decide."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal, cast

from codegen.compilation import Format, Members, Plugin, Tool, members
from codegen.emit.source import alternatives, docstring, literal, names_in
from codegen.rules import extract
from mymcp.contract.capability import Capability, Effects
from mymcp.contract.events import LogField
from mymcp.contract.faults import Condition, DeclaredError
from mymcp.contract.rules import Path

_NOTHING = "None"


@dataclass(frozen=True, slots=True)
class ToolView:
    """One tool for `tool.py.jinja2` and `registry.py.jinja2`; class names start with `camel`."""

    source: str
    plugin: str
    name: str
    summary: str
    camel: str
    constant: str
    request: str
    result: str
    gated: bool
    codes: str
    field: str
    reason: str
    capability: str
    rules: tuple[str, ...]
    unions: str
    errors: tuple[str, ...]
    log: tuple[str, ...]
    rule_imports: tuple[str, ...]
    text_imports: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class PluginView:
    """One plugin for `plugin.py.jinja2`; the host binds its tools itself."""

    source: str
    id: str
    camel: str
    snake: str
    binds: bool
    tools: tuple[ToolView, ...]


@dataclass(frozen=True, slots=True)
class ReaderView:
    """One format for the template of its kind."""

    summary: str
    constant: str
    module: str
    model: str
    rules: tuple[str, ...]
    unions: str
    rule_imports: tuple[str, ...]
    text_imports: tuple[str, ...]


def view_tool(tool: Tool) -> ToolView:
    """Return the view of one tool."""
    camel = _camel(tool.name)
    extracted = extract(tool.input)
    errors = tuple(_errors(tool))
    rule_imports, text_imports = _imports(extracted.rules)
    return ToolView(
        source=tool.source,
        plugin=tool.plugin.replace("-", "_"),
        name=tool.name,
        summary=docstring(f"{tool.contract['title']}: everything that its contract says."),
        camel=camel,
        constant=tool.name.upper(),
        request=str(tool.input["title"]),
        result=str(tool.result["title"]),
        gated=tool.gate is not None,
        codes=alternatives(_once(error.code for error in errors)),
        field=_optional(_once(_nameable(errors))),
        reason=_optional(_once(reason for error in errors for reason in error.reasons)),
        capability=literal(_capability(tool)),
        rules=tuple(literal(rule) for rule in extracted.rules),
        unions=_unions(extracted.unions),
        errors=tuple(literal(error) for error in errors),
        log=tuple(literal(field) for field in _log(tool)),
        rule_imports=rule_imports,
        text_imports=text_imports,
    )


def view_plugin(plugin: Plugin) -> PluginView:
    """Return the view of one plugin."""
    snake = plugin.id.replace("-", "_")
    tools = tuple(view_tool(tool) for tool in plugin.tools)
    binds = plugin.manifest is not None
    return PluginView(plugin.source, plugin.id, _camel(snake), snake, binds, tools)


def view_format(item: Format) -> ReaderView:
    """Return the view of one format of records, manifests or settings files."""
    extracted = extract(item.schema)
    rule_imports, text_imports = _imports(extracted.rules)
    stem = item.id.replace("-", "_")
    return ReaderView(
        summary=docstring(f"{item.contract['title']}. Contract: {item.source}."),
        constant=stem.upper(),
        module=stem,
        model=item.model,
        rules=tuple(literal(rule) for rule in extracted.rules),
        unions=_unions(extracted.unions),
        rule_imports=rule_imports,
        text_imports=text_imports,
    )


def _capability(tool: Tool) -> Capability:
    effects = {name: bool(value) for name, value in tool.effects.items()}
    return Capability(
        plugin=tool.plugin,
        name=tool.name,
        version=tool.version,
        title=str(tool.contract["title"]),
        effects=Effects(**effects),
        consent=cast(Literal["none", "per_call"], tool.contract["consent"]),
        gate=tool.gate,
        digest=tool.digest,
    )


def _errors(tool: Tool) -> Iterator[DeclaredError]:
    for entry in cast(list[Members], tool.contract["errors"]):
        field = entry.get("field")
        yield DeclaredError(
            code=str(entry["code"]),
            status=str(entry["status"]),
            message=str(entry["message"]),
            field=None if field is None else str(field),
            fields=_texts(entry.get("fields")),
            reasons=_texts(entry.get("reasons")),
            details=tuple(members(entry.get("details", {}))),
            when=tuple(_condition(item) for item in cast(list[Members], entry.get("when", []))),
        )


def _condition(entry: Members) -> Condition:
    ((kind, where),) = entry.items()
    on = cast(Literal["missing", "unknown", "shape", "invalid", "rule"], kind)
    if on == "rule":
        return Condition(on, rule=str(where))
    return Condition(on, _path(str(where)))


def _log(tool: Tool) -> Iterator[LogField]:
    for entry in cast(list[Members], tool.contract["log"]):
        ((source, where),) = ((key, value) for key, value in entry.items() if key != "name")
        kind = cast(Literal["presence", "request", "result", "count"], source)
        yield LogField(str(entry["name"]), kind, _path(str(where)))


def _nameable(errors: tuple[DeclaredError, ...]) -> Iterator[str]:
    """Yield the fields that a handler may name: all but those that follow the fault."""
    for error in errors:
        if error.field is not None and not error.field.endswith(".*"):
            yield error.field
        yield from error.fields


def _optional(values: tuple[str, ...]) -> str:
    return f"{alternatives(values)} | None" if values else _NOTHING


def _imports(rules: tuple[object, ...]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the classes and the functions of text that `rules` need, sorted."""
    names = sorted(names_in(rules))
    return tuple(n for n in names if n[0].isupper()), tuple(n for n in names if n[0].islower())


def _unions(paths: frozenset[Path]) -> str:
    return literal(paths) if paths else ""


def _path(pointer: str) -> Path:
    return tuple(part for part in pointer.split("/") if part)


def _once(values: Iterator[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(values))


def _texts(value: object) -> tuple[str, ...]:
    return tuple(str(item) for item in value) if isinstance(value, list) else ()


def _camel(name: str) -> str:
    return "".join(word.capitalize() for word in name.split("_"))
