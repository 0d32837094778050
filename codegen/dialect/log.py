"""D17: the log event of a tool names nothing that a person wrote."""

import re
from collections.abc import Iterator, Mapping

from codegen.dialect.finding import Finding, Place
from codegen.dialect.sites import Role, as_list, as_object
from codegen.dialect.subject import Member, Subject
from mymcp.schema.publication import is_portable

NAME = re.compile(r"[a-z][a-z0-9]*(?:_[a-z0-9]+)*")
WORD = re.compile(r"[!#-<>-~]+")
"""A constant that stays one value in `name=value name=value`: no blank, quote or equals sign."""

GIVEN = frozenset(("event", "outcome", "code", "field", "reason"))
"""What the event always holds."""

_SOURCES: Mapping[str, Role] = {
    "request": "input",
    "presence": "input",
    "result": "result",
    "count": "result",
}


def log_is_free_of_content(subject: Subject) -> Iterator[Finding]:
    """D17: log fields have names of their own and sources that cannot hold free text."""
    if subject.document.kind != "tool":
        return
    names = set(GIVEN)
    for position, value in enumerate(as_list(subject.document.members.get("log"))):
        place, entry = subject.place.below("log", position), as_object(value)
        name = entry.get("name")
        if isinstance(name, str):
            if not NAME.fullmatch(name):
                yield place.below("name").breaks("D17", "no snake_case name", "write snake_case")
            elif name in names:
                remedy = "choose another name"
                yield place.below("name").breaks("D17", "the event has this field", remedy)
            names.add(name)
        for source in _SOURCES.keys() & entry.keys():
            yield from _source(source, entry[source], place.below(source), subject)


def _source(source: str, path: object, place: Place, subject: Subject) -> Iterator[Finding]:
    if not isinstance(path, str) or not path.startswith("/"):
        yield place.breaks("D17", "no path", "write /name or /name/name")
        return
    role = _SOURCES[source]
    tokens = tuple(path[1:].split("/"))
    found = [member for member in subject.members.get(role, ()) if member.path == tokens]
    if not found or any("items" in member.through for member in found):
        remedy = "name a member that is reached through properties"
        yield place.breaks("D17", f"no such member of the {role}", remedy)
    elif source == "count" and not any(m.schema.get("type") == "array" for m in found):
        yield place.breaks("D17", "no array", "name an array to count")
    elif source in ("request", "result") and not all(_are_words(member) for member in found):
        remedy = "log its presence, or write constants without them"
        yield place.breaks("D17", "a constant with a blank, a quote or an equals sign", remedy)
    elif source in ("request", "result") and not all(_is_safe(member) for member in found):
        remedy = "log its presence, or drop the field"
        yield place.breaks("D17", "it may hold free text", remedy)


def _are_words(member: Member) -> bool:
    texts = [member.schema.get("const"), *as_list(member.schema.get("enum"))]
    return all(WORD.fullmatch(text) for text in texts if isinstance(text, str))


def _is_safe(member: Member) -> bool:
    """Tell whether what stands at `member` is a closed choice, a number, or a named identifier."""
    schema = member.schema
    if {"anyOf", "oneOf"} & schema.keys():
        return True
    if {"enum", "const"} & schema.keys() or schema.get("type") in ("integer", "boolean"):
        return True
    pattern = schema.get("pattern")
    # A portable pattern has no negated class, so it lists every character that may occur.
    return member.named and isinstance(pattern, str) and is_portable(pattern)
