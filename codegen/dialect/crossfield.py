"""D13: rules across the members of an input, a record, a manifest or a settings file."""

import re
from collections.abc import Iterator, Mapping

from codegen.dialect.finding import Finding
from codegen.dialect.shapes import Shape, recognise
from codegen.dialect.sites import RULED, Object, Root, Site, are_texts, as_list
from codegen.dialect.subject import Member, Subject
from mymcp.contract.rules import (
    Allows,
    Excludes,
    PresentExactlyWhen,
    RequiredWithText,
    Requires,
)

RULE_NAME = re.compile(r"[a-z][a-z0-9]*(?:_[a-z0-9]+)*")

_Members = Mapping[tuple[str, ...], list[Member]]


def rules_are_recognised(subject: Subject) -> Iterator[Finding]:
    """D13: `allOf` stands at the root of what is read, and holds recognised rules with a name."""
    titles: set[tuple[str, str]] = set()
    for site in subject.all_sites:
        if not site.rule:
            yield from _place_of_rules(site)
            continue
        shape = shape_of(subject, site.schema)
        if shape is None:
            if "$ref" not in site.keywords:
                yield site.place.breaks("D13", "none of the five shapes")
            continue
        if not RULE_NAME.fullmatch(shape.rule):
            remedy = "write a title in snake_case; errors name the rule by it"
            yield site.place.breaks("D13", "no rule name", remedy)
        if site.root.role in RULED:
            here = (site.root.place.pointer, shape.rule)
            if here in titles:
                yield site.place.breaks("D13", "another rule has this title", "rename one of them")
            titles.add(here)
            for message, remedy in _misfits(shape, _members(subject, site.root)):
                yield site.place.breaks("D13", message, remedy)


def shape_of(subject: Subject, schema: object) -> Shape | None:
    """Return the rule that a member of `allOf` says, its reference followed."""
    return recognise(subject.context.meant(schema, subject.document.path)[0])


def _place_of_rules(site: Site) -> Iterator[Finding]:
    if "allOf" not in site.keywords:
        return
    place = site.place.below("allOf")
    if site.root.role not in RULED or not site.is_root:
        remedy = "move the rules to the root of the input, record, manifest or config"
        yield place.breaks("D13", "rules are read at such a root only", remedy)
    elif not as_list(site.keywords["allOf"]):
        yield place.breaks("D13", "no list of rules", "list the rules, or drop it")


def _members(subject: Subject, root: Root) -> _Members:
    found: dict[tuple[str, ...], list[Member]] = {}
    for member in subject.members[root.role]:
        found.setdefault(member.path, []).append(member)
    return found


def _misfits(shape: Shape, members: _Members) -> Iterator[tuple[str, str]]:
    """Yield message and remedy for each way in which a rule does not fit its root."""
    unknown = [path for path in _paths(shape) if path not in members]
    if any(_is_unclear(path, members) for path in _paths(shape)):
        return
    for path in unknown:
        yield f"no member /{'/'.join(path)}", "name a member of the root's properties"
    if unknown:
        return
    match shape:
        case Requires(name=name, other=other) if name == other:
            yield f"{name} requires itself", "name two members"
        case Excludes(names=names) if all(members[(name,)][0].required for name in names):
            yield "all of them are required", "make one of them optional"
        case Allows(key=key, path=path, table=table):
            yield from _allows_misfits(key, path, table, members)
        case PresentExactlyWhen(name=name, key=key, text=text):
            yield from _required(name, members)
            if text not in _texts(key, members):
                yield f"{'.'.join(key)} never is {text}", "use a text of its enum"
        case RequiredWithText(name=name, key=key):
            yield from _required(name, members)
            if not any(found.schema.get("type") == "string" for found in members[key]):
                yield f"{'.'.join(key)} never is a text", "name a text"
            if len(key) > 1 and any("null" in found.through for found in members[key[:1]]):
                # JSON Schema looks away from an object that is null, and the condition holds.
                yield f"{key[0]} may be null", "name a member of an object that is never null"


def _allows_misfits(
    key: tuple[str, ...],
    path: tuple[str, ...],
    table: Mapping[str, frozenset[str]],
    members: _Members,
) -> Iterator[tuple[str, str]]:
    keys, texts = _texts(key, members), _texts(path, members)
    if not members[key][0].required:
        yield f"{key[0]} is optional", f"require {key[0]}; without it the rule says nothing"
    for text in sorted(keys ^ table.keys()):
        problem = "has no branch" if text in keys else f"is no text of {key[0]}"
        yield f"{text} {problem}", f"write one branch for each text of {key[0]}"
    for text in sorted(frozenset[str]().union(*table.values()) - texts):
        yield f"{text} is no text of {'.'.join(path)}", "use texts of its enum"


def _required(name: str, members: _Members) -> Iterator[tuple[str, str]]:
    if members[(name,)][0].required:
        yield f"{name} is required anyway", "make it optional"


def _paths(shape: Shape) -> tuple[tuple[str, ...], ...]:
    match shape:
        case Requires(name=name, other=other):
            return ((name,), (other,))
        case Excludes(names=names):
            return tuple((name,) for name in names)
        case Allows(key=key, path=path):
            return (key, path)
        case PresentExactlyWhen(name=name, key=key) | RequiredWithText(name=name, key=key):
            return ((name,), key)


def _is_unclear(path: tuple[str, ...], members: _Members) -> bool:
    """Tell whether something on `path` has another finding, so that nothing is known of it."""
    on_path = [found for end in range(1, len(path) + 1) for found in members.get(path[:end], [])]
    return any(not member.schema or _has_broken_enum(member.schema) for member in on_path)


def _has_broken_enum(schema: Object) -> bool:
    values = schema.get("enum", True)
    return values is not True and not (are_texts(values) and values)


def _texts(path: tuple[str, ...], members: _Members) -> frozenset[str]:
    """Return the texts that the member at `path` may be; none where it is no closed choice."""
    for member in members[path]:
        values = member.schema.get("enum")
        if are_texts(values):
            return frozenset(values)
    return frozenset()
