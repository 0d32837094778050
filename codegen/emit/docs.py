"""The pages of `docs/contracts`: what a contract says, for people."""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import PurePosixPath
from typing import cast

from codegen.compilation import Compilation, Format, Members, Plugin, Tool, members
from codegen.emit import policy
from codegen.emit.header import markdown_header
from codegen.emit.pages import ErrorRow, FormatPage, PluginPart, ToolPage, ToolRow, Version
from codegen.emit.prose import (
    NORMALISATIONS,
    cell,
    condition,
    fields,
    line,
    rule_name,
    rule_sentence,
)
from codegen.emit.python import environment
from codegen.ledger import Entry
from codegen.rules import extract
from mymcp.schema.publication import PASSES

Ledgers = Mapping[str, Sequence[Entry]]


def emit(compilation: Compilation, ledgers: Ledgers) -> dict[PurePosixPath, bytes]:
    """Return every page, by path below `docs/contracts`."""
    template = environment().get_template
    pages: dict[str, str] = {}
    for tool in compilation.tools:
        page = _tool_page(tool, ledgers)
        pages[tool.name] = template("tool.md.jinja2").render(page=page)
    for item in compilation.formats:
        format_page = _format_page(item, ledgers)
        pages[item.capability] = template("format.md.jinja2").render(page=format_page)
    for profile in compilation.profiles:
        pages[f"profile-{profile.stem}"] = template("profile.md.jinja2").render(
            header=markdown_header([profile.path]),
            title=_title(profile.members),
            description=line(str(profile.members["description"])),
            passes=PASSES,
            types=[_type(*entry) for entry in members(profile.members["types"]).items()],
            budgets=members(profile.members["budgets"]),
        )
    for guard in compilation.policies:
        pages[guard.capability] = template("policy.md.jinja2").render(
            page=policy.page(guard), history=_history(ledgers.get(guard.capability, ()))
        )
    pages["index"] = template("index.md.jinja2").render(
        header=markdown_header(["contracts"]),
        plugins=[_plugin(plugin) for plugin in compilation.plugins],
        formats=[(item.capability, _title(item.contract)) for item in compilation.formats],
        profiles=[(f"profile-{p.stem}", _title(p.members)) for p in compilation.profiles],
        policies=[(p.capability, _title(p.contract)) for p in compilation.policies],
        normalisations=NORMALISATIONS,
    )
    return {PurePosixPath(f"{name}.md"): text.encode() for name, text in pages.items()}


def _tool_page(tool: Tool, ledgers: Ledgers) -> ToolPage:
    errors = cast(Sequence[Members], tool.contract["errors"])
    return ToolPage(
        header=markdown_header([tool.source]),
        tool=tool,
        title=_title(tool.contract),
        description=line(str(tool.contract["description"])),
        effects=_effects(tool.effects),
        consent=_CONSENT[str(tool.contract["consent"])],
        gate=f"`{tool.gate}`" if tool.gate else "none: always offered",
        arguments=fields(tool.input),
        rules=tuple(_rules(tool.input)),
        result=fields(tool.result),
        errors=tuple(_error_row(number, entry) for number, entry in enumerate(errors, 1)),
        details=tuple(line for entry in errors for line in _details(entry)),
        log=tuple(_log_field(entry) for entry in cast(Sequence[Members], tool.contract["log"])),
        losses=tuple(_losses(tool)),
        examples=tuple(_examples(tool)),
        history=_history(ledgers.get(tool.name, ())),
    )


def _format_page(item: Format, ledgers: Ledgers) -> FormatPage:
    return FormatPage(
        header=markdown_header([item.source]),
        title=_title(item.contract),
        description=line(str(item.contract["description"])),
        fields=fields(item.schema),
        rules=tuple(_rules(item.schema)),
        history=_history(ledgers.get(item.capability, ())),
    )


def _history(entries: Sequence[Entry]) -> tuple[Version, ...]:
    return tuple(Version(entry.version, entry.since or "", cell(entry.reason)) for entry in entries)


_BRANCH = re.compile("/(?:anyOf|oneOf)/[0-9]+")
_CONSENT = {
    "none": "not needed",
    "per_call": "the client asks the user to approve each exact call",
}


def _effects(effects: Members) -> str:
    words = [
        "only reads" if effects["read_only"] else "changes things",
        "may remove or replace for good" if effects["destructive"] else "destroys nothing",
        "the same call again adds nothing" if effects["idempotent"] else "each call counts",
        "reaches beyond its own domain" if effects["open_world"] else "stays within its own domain",
    ]
    return "; ".join(words)


def _rules(schema: Members) -> Iterator[str]:
    for rule in extract(schema).rules:
        sentence, name = rule_sentence(rule), rule_name(rule)
        if sentence:
            yield f"{sentence} (`{name}`)" if name else sentence


def _error_row(number: int, entry: Members) -> ErrorRow:
    when = [condition(item) for item in cast(Sequence[Members], entry.get("when", ()))]
    named = [str(name) for name in cast(Sequence[object], entry.get("fields", ()))]
    field = [str(entry["field"])] if "field" in entry else named
    return ErrorRow(
        number=number,
        code=str(entry["code"]),
        status=str(entry["status"]),
        field=", ".join(f"`{name}`" for name in field),
        when=cell("; ".join(when) or _otherwise(entry)),
        message=cell(str(entry["message"])),
    )


def _otherwise(entry: Members) -> str:
    return "anything unexpected" if entry["code"] == "internal_error" else "found by the tool"


def _details(entry: Members) -> Iterator[str]:
    code = entry["code"]
    reasons = cast(Sequence[str], entry.get("reasons", ()))
    if reasons:
        words = ", ".join(f"`{reason}`" for reason in reasons)
        yield f"`{code}` gives one `reason`: {words}."
    for name, schema in members(entry.get("details", {})).items():
        yield f"`{code}` carries `{name}`: {line(str(members(schema).get('description', '')))}"


def _log_field(entry: Members) -> str:
    ((source, where),) = ((key, value) for key, value in entry.items() if key != "name")
    place = str(where).strip("/").replace("/", ".")
    words = {
        "request": f"`{place}` of the arguments",
        "presence": f"whether the arguments have `{place}`",
        "result": f"`{place}` of the result",
        "count": f"how many `{place}` the result has",
    }
    return f"`{entry['name']}`: {words[str(source)]}"


def _losses(tool: Tool) -> Iterator[str]:
    """Yield what the published argument schema leaves to the server, one line a place."""
    lost: dict[str, list[str]] = {}
    for loss in tool.losses:
        place = _BRANCH.sub("", loss.pointer).replace("/properties/", ".").replace("/items", "[]")
        lost.setdefault(place.lstrip("."), []).append(loss.what)
    for place, what in lost.items():
        words = ", ".join(_lost(keyword) for keyword in dict.fromkeys(what))
        yield f"`{place}`: {words}" if place else words


def _lost(what: str) -> str:
    kind, _, name = what.partition(" ")
    return f"{kind} `{name}`" if name else f"`{what}`"


def _examples(tool: Tool) -> Iterator[tuple[str, str, str]]:
    for example in cast(Sequence[Members], tool.contract["examples"]):
        yield line(str(example["title"])), _pretty(example["arguments"]), _pretty(example["result"])


def _pretty(value: object) -> str:
    """Return JSON that no fence of a code block can end early."""
    return json.dumps(value, ensure_ascii=False, indent=2).replace("`", "\\u0060")


def _plugin(plugin: Plugin) -> PluginPart:
    version = str(plugin.manifest["version"]) if plugin.manifest else ""
    return PluginPart(
        heading=f"{line(plugin.title)} {version}".rstrip(),
        description=line(plugin.description),
        tools=tuple(
            ToolRow(
                tool.name,
                tool.version,
                _title(tool.contract),
                "reads" if tool.effects["read_only"] else "changes",
                f"`{tool.gate}`" if tool.gate else "",
            )
            for tool in plugin.tools
        ),
    )


def _title(contract: Members) -> str:
    return cell(str(contract["title"]))


def _type(name: str, entry: object) -> tuple[str, str]:
    keywords = cast(Sequence[str], members(entry)["keywords"])
    return name, ", ".join(f"`{keyword}`" for keyword in keywords) or "nothing"
