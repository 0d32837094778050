"""D08: regular expressions that every engine reads alike."""

import re
import warnings
from collections.abc import Iterator, Mapping

from codegen.dialect.finding import Finding
from codegen.dialect.subject import Subject
from mymcp.schema.patterns import parts_of

REPETITION_MAX = 1_999

ALLOWED = frozenset(
    (
        "literal",
        "quote",
        "non_ascii",
        "escape",
        "escaped_backslash",
        "code_point",
        "class",
        "negated_class",
        "range",
        "class_escape",
        "group",
        "alternation",
        "quantifier",
        "counted",
    )
)

_REMEDIES: Mapping[str, tuple[str, str]] = {
    "unanchored": ("not anchored at both ends", "write ^...$"),
    "anchor_inside": ("an anchor inside", "escape it, or anchor only at the ends"),
    "bare_alternation": ("alternatives outside a group", "write ^(a|b)$"),
    "shorthand": ("a shorthand class", "write the ASCII class, such as [0-9] or [A-Za-z0-9_]"),
    "boundary": ("a boundary", "write the characters that may stand there"),
    "property": ("a Unicode property", "write ranges of code points"),
    "backreference": ("a backreference", "leave the comparison to the domain"),
    "group_extension": ("a group that starts with (?", "write a plain group: ( )"),
    "dot": ("a dot outside a class", "write a class, such as [^\\u000A]"),
    "control": ("a control character", "write it as \\uXXXX"),
    "control_escape": ("an escape of a control character", "write it as \\uXXXX"),
    "other_escape": ("an escape that not all engines know", "write the character as it is"),
    "class_hyphen": ("a hyphen within a class", "write the hyphen last"),
    "class_set": ("a bracket or a set operation within a class", "escape the brackets"),
    "stacked_quantifier": ("a lazy or possessive quantifier", "write one quantifier"),
    "broken": ("no regular expression", "mend it; escape what is meant literally"),
}


def patterns_are_portable(subject: Subject) -> Iterator[Finding]:
    """D08: anchored patterns of the common subset, that both engines compile."""
    for site in subject.sites:
        if "pattern" not in site.keywords:
            continue
        place, pattern = site.place.below("pattern"), site.keywords["pattern"]
        if not isinstance(pattern, str):
            yield place.breaks("D08", "it must be a text", "write a text")
            continue
        found = dict.fromkeys(_problems(pattern))
        if len(found) > 1:
            # What follows a construct that is not understood only seems to be broken.
            found.pop(_REMEDIES["broken"], None)
        for message, remedy in found:
            yield place.breaks("D08", message, remedy)
        if not found and not _compiles(pattern):
            remedy = "make it smaller; both re and the Rust engine must take it"
            yield place.breaks("D08", "an engine refuses it", remedy)


def _problems(pattern: str) -> Iterator[tuple[str, str]]:
    for part in parts_of(pattern):
        if part.kind not in ALLOWED:
            yield _REMEDIES[part.kind]
        elif part.bound > REPETITION_MAX:
            yield "a repetition of 2000 or more", "write a smaller bound, or bound the length"


def _compiles(pattern: str) -> bool:
    from pydantic_core import SchemaError, SchemaValidator, core_schema  # noqa: PLC0415  slow

    try:
        with warnings.catch_warnings():
            # Python warns where a later version will read the pattern in another way.
            warnings.simplefilter("error")
            re.compile(pattern)
        SchemaValidator(core_schema.str_schema(pattern=pattern, regex_engine="rust-regex"))
    except (re.error, OverflowError, RecursionError, SchemaError, Warning):
        return False
    return True
