"""D21: what clients are shown keeps to the profile."""

from collections.abc import Iterator
from typing import Literal

from codegen.dialect.finding import Finding, Place
from codegen.dialect.sites import as_object
from codegen.dialect.subject import Subject
from codegen.positions import tokens_of
from mymcp.schema.conformity import cost_of, violations_of
from mymcp.schema.profile import Profile, profile_of
from mymcp.schema.publication import publish, publish_answer
from mymcp.schema.resolution import Unresolvable, resolve

_ROLES: tuple[Literal["input", "result"], ...] = ("input", "result")


def publications_are_safe(subject: Subject) -> Iterator[Finding]:
    """D21: the published schemas keep to the profile, and all together to its budget."""
    document = subject.document
    if document.kind == "profile":
        yield from _budget(subject)
    if document.kind != "tool":
        return
    publication = as_object(document.members.get("publish"))
    profile = _profile(publication.get("profile"), subject)
    if profile is None:
        place = subject.place.below("publish", "profile")
        yield place.breaks("D21", "no readable profile", "name a file of contracts/profiles")
        return
    if not profile.tool_name.fullmatch(document.stem):
        yield subject.place.below("name").breaks("D21", "no portable tool name", "shorten it")
    for role in _ROLES:
        schema = _published(subject, role)
        for violation in violations_of(schema, profile) if schema is not None else ():
            message = f"published as #{violation.pointer}: {violation.message}"
            yield _authored(subject, role, violation.pointer).breaks("D21", message)


def _budget(subject: Subject) -> Iterator[Finding]:
    profile = _profile(subject.document.stem, subject)
    if profile is None:
        return
    cost = sum(
        cost_of(schema)
        for tool in subject.context.catalog.of("tool")
        if as_object(tool.members.get("publish")).get("profile") == subject.document.stem
        if (schema := _published(Subject(tool, subject.context), "input")) is not None
    )
    if cost > profile.budgets.grammar_rules:
        message = f"all inputs together cost {cost} grammar rules"
        place = subject.place.below("budgets", "grammar_rules")
        yield place.breaks("D21", message, "lower the bounds of the largest tools")


def _profile(name: object, subject: Subject) -> Profile | None:
    document = subject.context.catalog.at(f"contracts/profiles/{name}.json")
    if document is None:
        return None
    try:
        return profile_of(document.members)
    except ValueError:
        return None


def _published(subject: Subject, role: Literal["input", "result"]) -> object | None:
    schema, path = subject.document.members.get(role), subject.document.path
    if not isinstance(schema, dict):
        return None
    try:
        resolved = resolve(schema, path, subject.context.values, pointer=f"/{role}")
    except Unresolvable:
        # D15 says so at the reference.
        return None
    return (publish if role == "input" else publish_answer)(resolved).schema


def _authored(subject: Subject, role: str, pointer: str) -> Place:
    """Return the place in the file from which `pointer` of the published schema comes."""
    place, found = subject.place.below(role), subject.document.members.get(role)
    for name in tokens_of(pointer):
        if isinstance(found, list) and name.isdecimal() and int(name) < len(found):
            place, found = place.below(name), found[int(name)]
        elif name in as_object(found):
            place, found = place.below(name), as_object(found)[name]
        else:
            # Behind a reference, or rewritten by a pass.
            break
    return place
