"""The closed dialect of contracts, and the linter that holds them to it.

The model generator drops what it does not know without a word, and clients differ in what they
understand. So contracts use a small part of JSON Schema, and anything else is refused before it
can mean two things. `contracts/README.md` explains each rule.
"""

from collections.abc import Callable, Iterable

from codegen.catalog import Catalog
from codegen.dialect.capability import effects_agree, names_agree
from codegen.dialect.crossfield import rules_are_recognised
from codegen.dialect.errors import faults_are_answered
from codegen.dialect.files import envelope_fits, file_is_strict
from codegen.dialect.finding import Finding
from codegen.dialect.keywords import keywords_are_known, values_have_one_type
from codegen.dialect.log import log_is_free_of_content
from codegen.dialect.objects import (
    everything_is_described,
    members_are_well_named,
    objects_are_closed,
)
from codegen.dialect.patterns import patterns_are_portable
from codegen.dialect.policy import policies_can_be_matched
from codegen.dialect.published import publications_are_safe
from codegen.dialect.references import references_lead_home
from codegen.dialect.subject import Context, Subject
from codegen.dialect.table import RULES, Rule
from codegen.dialect.unions import null_is_the_only_alternative, union_members_are_disjoint
from codegen.dialect.values import (
    arrays_are_bounded,
    bounds_are_counts,
    constants_have_their_type,
    normalised_texts_are_named,
)

__all__ = ["RULES", "Finding", "Rule", "lint"]

Check = Callable[[Subject], Iterable[Finding]]

FIRST: tuple[Check, ...] = (file_is_strict, envelope_fits)
"""D01 and D02: they need nothing but the file."""

CHECKS: tuple[Check, ...] = (
    keywords_are_known,
    values_have_one_type,
    objects_are_closed,
    arrays_are_bounded,
    bounds_are_counts,
    patterns_are_portable,
    constants_have_their_type,
    null_is_the_only_alternative,
    union_members_are_disjoint,
    members_are_well_named,
    rules_are_recognised,
    normalised_texts_are_named,
    references_lead_home,
    effects_agree,
    names_agree,
    everything_is_described,
    policies_can_be_matched,
)
"""D03 to D15, D18 to D20, D22: they need every file that the file refers to."""

DERIVED: tuple[Check, ...] = (faults_are_answered, log_is_free_of_content, publications_are_safe)
"""D16, D17 and D21: they derive from schemas, so they wait until D01 to D15 have nothing to say."""

_SOUND = frozenset(f"D{number:02}" for number in range(1, 16))


def lint(catalog: Catalog) -> tuple[Finding, ...]:
    """Return every breach of the dialect in `catalog`, by file and then by place in it.

    Never raises for what a file holds. One mistake gives one finding where that is possible: a
    rule that could only repeat what an earlier one said stays silent until that is mended.
    """
    context = Context(catalog)
    subjects = [Subject(document, context) for document in catalog.documents]
    unreadable = frozenset(s.document.path for s in subjects if not s.document.is_readable)
    unclear = context.standing_on(unreadable)
    found = {
        subject: _judged(subject, FIRST if subject.document.path in unclear else FIRST + CHECKS)
        for subject in subjects
    }
    unsound = frozenset(f.file for findings in found.values() for f in findings if f.rule in _SOUND)
    waiting = context.standing_on(unsound | unreadable)
    for subject, findings in found.items():
        if subject.document.path not in waiting:
            findings.extend(_judged(subject, DERIVED))
    return tuple(f for subject, findings in found.items() for f in _sorted(findings, subject))


def _judged(subject: Subject, checks: Iterable[Check]) -> list[Finding]:
    if subject.document.value is None and subject.document.content.problems:
        return list(file_is_strict(subject))
    found = [finding for check in checks for finding in check(subject)]
    broken = {finding.pointer for finding in found if finding.rule == "D01"}
    return [finding for finding in found if finding.rule == "D01" or finding.pointer not in broken]


def _sorted(findings: Iterable[Finding], subject: Subject) -> list[Finding]:
    """Sort findings as a reader meets their places; what is absent, where it should be."""
    places = {pointer: position for position, pointer in enumerate(subject.document.content.lines)}

    def key(finding: Finding) -> tuple[int, str, str, str]:
        pointer = finding.pointer
        while pointer not in places and pointer:
            pointer = pointer.rpartition("/")[0]
        return places.get(pointer, 0), finding.rule, finding.pointer, finding.message

    return sorted(dict.fromkeys(findings), key=key)
