"""D01 and D02: what a file is, before anyone reads its schemas."""

import json
from collections.abc import Iterator, Mapping

from codegen.dialect.finding import Finding, Place
from codegen.dialect.meta import META, Misfit, Unusable, misfits_of
from codegen.dialect.subject import Subject
from codegen.positions import ProblemKind

_PROBLEMS: Mapping[ProblemKind, tuple[str, str]] = {
    "encoding": ("not UTF-8, or a byte order mark at its start", ""),
    "syntax": ("no JSON from here on", "mend the syntax near line {line}"),
    "duplicate": ("the member stands twice", "remove one of the two; line {line} has the second"),
    "number": (
        "no whole number between -9007199254740991 and 9007199254740991",
        "write a whole number without fraction and exponent, or a text",
    ),
    "depth": ("nested more than 32 levels deep", "name inner schemas in $defs"),
    "surrogate": ("half of a surrogate pair", "write the whole character"),
}

_DEMANDS: Mapping[str, str] = {
    "type": "it must be of type",
    "enum": "it must be one of",
    "const": "it must be",
    "pattern": "it must match",
    "minLength": "its shortest length is",
    "maxLength": "its longest length is",
    "minItems": "its smallest number of items is",
    "maxItems": "its largest number of items is",
    "minProperties": "its smallest number of members is",
    "maxProperties": "its largest number of members is",
    "minimum": "its smallest value is",
    "maximum": "its largest value is",
    "uniqueItems": "that its items differ is",
    "dependentRequired": "members that need others:",
}


def file_is_strict(subject: Subject) -> Iterator[Finding]:
    """D01: the file is strict JSON."""
    for problem in subject.document.content.problems:
        message, remedy = _PROBLEMS[problem.kind]
        place = Place(subject.document.path, problem.pointer)
        yield place.breaks("D01", message, remedy.format(line=problem.line))
    yield from _foreign_names(subject)


def _foreign_names(subject: Subject) -> Iterator[Finding]:
    """Yield the members whose names are not ASCII: they sort in two ways, so no digest has them."""
    content = subject.document.content
    said = {problem.pointer for problem in content.problems if problem.kind == "surrogate"}
    for pointer in content.lines:
        parent, _, name = pointer.rpartition("/")
        if not name.isascii() and parent not in said:
            place = Place(subject.document.path, pointer)
            yield place.breaks("D01", "a member name that is not ASCII", "write it in ASCII")


def envelope_fits(subject: Subject) -> Iterator[Finding]:
    """D02: the file fits the meta-schema of its kind."""
    document, metas = subject.document, subject.context.metas
    if document.kind == "meta":
        if metas[document.path] is None:
            yield subject.place.breaks("D02", "no JSON Schema 2020-12", "mend the meta-schema")
        return
    path = META.get(document.kind)
    if path is None:
        return
    validator = metas.get(path)
    if validator is None:
        yield subject.place.breaks("D02", f"{path} cannot judge it", f"restore {path}")
        return
    try:
        for misfit in misfits_of(document.value, validator):
            yield _finding(misfit, subject.place)
    except Unusable:
        yield subject.place.breaks("D02", f"{path} cannot judge it", f"restore {path}")


def _finding(misfit: Misfit, root: Place) -> Finding:
    place = root.below(*misfit.path)
    if misfit.keyword == "required":
        return place.breaks("D02", f"{misfit.name} is missing", f"add {misfit.name}")
    if misfit.keyword == "additionalProperties":
        message = "the envelope has no such member"
        return place.below(misfit.name).breaks("D02", message, "remove it")
    demand = _DEMANDS.get(misfit.keyword, misfit.keyword)
    return place.breaks("D02", f"{demand} {json.dumps(misfit.wanted, ensure_ascii=False)}")
