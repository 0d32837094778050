"""D16: the declared errors of a tool answer every fault that its input can have."""

import re
from collections.abc import Iterator

from codegen.dialect.crossfield import shape_of
from codegen.dialect.finding import Finding, Place
from codegen.dialect.sites import Object, are_texts, as_list, as_object
from codegen.dialect.subject import Member, Subject
from mymcp.contract.faults import Condition, Fault

CODE = re.compile(r"[a-z][a-z0-9]*(?:_[a-z0-9]+)*")
FIELD = re.compile(r"[a-z][a-z0-9_]*(?:\.[a-z][a-z0-9_]*)*(?:\.\*)?")

OWN = frozenset(("status", "code", "field", "reason", "message"))
"""Members that an error has for itself; a detail of that name would replace one."""

_PATH = re.compile(r"/|(?:/[a-z0-9_]+)+")
_ANY = "?"
"""Stands for a member that nobody declared."""


def faults_are_answered(subject: Subject) -> Iterator[Finding]:
    """D16: errors are well-formed, ask for what can happen, and leave no fault unanswered."""
    entries = subject.document.members.get("errors")
    if subject.document.kind != "tool" or not isinstance(entries, list):
        return
    faults = tuple(dict.fromkeys(_faults(subject)))
    conditions: list[Condition] = []
    for position, value in enumerate(entries):
        place, entry = subject.place.below("errors", position), as_object(value)
        yield from _entry(entry, place, subject)
        for number, value_ in enumerate(as_list(entry.get("when"))):
            here = place.below("when", number)
            condition = condition_of(value_)
            if condition is None:
                remedy = "write one of missing, unknown, shape, invalid with a path, or rule"
                yield here.breaks("D16", "no condition", remedy)
                continue
            conditions.append(condition)
            if not any(condition.matches(fault) for fault in faults):
                remedy = "name a member or rule of the input for which it can"
                yield here.breaks("D16", "it can never happen", remedy)
    for fault in faults:
        if not any(condition.matches(fault) for condition in conditions):
            message = f"no entry answers to {_name(fault)}"
            yield subject.place.below("errors").breaks("D16", message, "add a condition for it")
    internal = [p for p, e in enumerate(entries) if as_object(e).get("code") == "internal_error"]
    for position in internal[1:]:
        place = subject.place.below("errors", position)
        yield place.breaks("D16", "internal_error stands twice", "remove one of the two")
    if not internal:
        remedy = "add it; the server answers with it when it fails itself"
        yield subject.place.below("errors").breaks("D16", "no internal_error", remedy)


def condition_of(value: object) -> Condition | None:
    """Return the condition that a member of `when` says; none where it says none."""
    members = as_object(value)
    if len(members) != 1:
        return None
    ((on, text),) = members.items()
    if not isinstance(text, str):
        return None
    if on == "rule":
        return Condition("rule", rule=text) if CODE.fullmatch(text) else None
    if not _PATH.fullmatch(text):
        return None
    path = tuple(text[1:].split("/")) if text != "/" else ()
    match on:
        case "missing" | "unknown" | "shape" | "invalid":
            return Condition(on, path)
    return None


def _entry(entry: Object, place: Place, subject: Subject) -> Iterator[Finding]:
    for name in ("code", "status"):
        if isinstance(text := entry.get(name), str) and not CODE.fullmatch(text):
            yield place.below(name).breaks("D16", "no snake_case word", "write snake_case")
    yield from _fields(entry, place, subject)
    for name in ("fields", "reasons"):
        texts = entry.get(name, [])
        form = FIELD if name == "fields" else CODE
        if are_texts(texts) and not all(form.fullmatch(text) for text in texts):
            yield place.below(name).breaks("D16", "not all are snake_case", "write snake_case")
    for name in as_object(entry.get("details")):
        here = place.below("details", name)
        if not CODE.fullmatch(name):
            yield here.breaks("D16", "no snake_case name", "write snake_case")
        elif name in OWN:
            yield here.breaks("D16", "every error has this member", "choose another name")
    if entry.get("code") == "internal_error":
        for name in entry.keys() & {"when", "field", "fields", "reasons", "details"}:
            remedy = "drop it; nothing but code, status and message is given then"
            yield place.below(name).breaks("D16", "internal_error says no more", remedy)


def _fields(entry: Object, place: Place, subject: Subject) -> Iterator[Finding]:
    field = entry.get("field")
    if not isinstance(field, str):
        return
    if not FIELD.fullmatch(field):
        remedy = "write names joined by dots, at the end .* for the member at fault"
        yield place.below("field").breaks("D16", "no field name", remedy)
        return
    path = tuple(field.removesuffix(".*").split("."))
    inputs = subject.members.get("input", ())
    if field.endswith(".*") and not any(
        member.path == path and member.schema.get("type") == "object" for member in inputs
    ):
        yield place.below("field").breaks("D16", "no such object in the input", "name an object")


def _faults(subject: Subject) -> Iterator[Fault]:
    """Yield every kind of fault that a reader of the input can report."""
    for member in subject.members.get("input", ()):
        if member.path:
            yield Fault(member.path, "invalid")
        if member.required:
            yield Fault(member.path, "missing")
        if _is_closed(member):
            yield Fault((*member.path, _ANY), "unknown")
    root = as_object(subject.document.members.get("input"))
    for schema in as_list(root.get("allOf")):
        shape = shape_of(subject, schema)
        if shape is not None:
            yield Fault((), "rule", shape.rule)


def _is_closed(member: Member) -> bool:
    return member.schema.get("type") == "object" and "x-open" not in member.schema


def _name(fault: Fault) -> str:
    if fault.kind == "rule":
        return f"rule {fault.rule}"
    if fault.kind == "unknown":
        return f"unknown members of /{'/'.join(fault.path[:-1])}"
    return f"{fault.kind} /{'/'.join(fault.path)}"
