"""The closed dialect of contracts, and the linter that holds them to it.

The model generator drops what it does not know without a word, and clients differ in what they
understand. So contracts use a small part of JSON Schema, and anything else is refused before it
can mean two things. `contracts/README.md` explains each rule.
"""

from collections.abc import Callable, Iterable

from codegen.catalog import Catalog, Document
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

__all__ = ["CHECKS", "RULES", "Finding", "Rule", "lint"]

CHECKS: tuple[Callable[[Subject], Iterable[Finding]], ...] = (
    file_is_strict,
    envelope_fits,
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
    faults_are_answered,
    log_is_free_of_content,
    effects_agree,
    names_agree,
    everything_is_described,
    publications_are_safe,
)
"""One function a rule, D01 to D21."""


def lint(catalog: Catalog) -> tuple[Finding, ...]:
    """Return every breach of the dialect in `catalog`, by file and then by place in it.

    Never raises for what a file holds. A file that cannot be read at all gives its D01 only.
    """
    context = Context(catalog)
    return tuple(
        finding
        for document in catalog.documents
        for finding in _sorted(_judge(Subject(document, context)), document)
    )


def _judge(subject: Subject) -> list[Finding]:
    found = list(file_is_strict(subject))
    if subject.document.value is None and found:
        return found
    found.extend(finding for check in CHECKS[1:] for finding in check(subject))
    return found


def _sorted(findings: Iterable[Finding], document: Document) -> list[Finding]:
    """Sort findings as a reader meets their places; what is absent, where it should be."""
    places = {pointer: position for position, pointer in enumerate(document.content.lines)}

    def key(finding: Finding) -> tuple[str, int, str, str, str]:
        pointer = finding.pointer
        while pointer not in places and pointer:
            pointer = pointer.rpartition("/")[0]
        return (
            finding.file,
            places.get(pointer, 0),
            finding.rule,
            finding.pointer,
            finding.message,
        )

    return sorted(dict.fromkeys(findings), key=key)
