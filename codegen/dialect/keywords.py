"""D03 and D04: which keywords there are, and which belong to which type."""

from collections.abc import Iterator, Mapping
from difflib import get_close_matches

from codegen.dialect.finding import Finding
from codegen.dialect.sites import RULED, Site
from codegen.dialect.subject import Subject

TYPES = ("string", "integer", "boolean", "array", "object")

BELONGS: Mapping[str, frozenset[str]] = {
    "minLength": frozenset(("string",)),
    "maxLength": frozenset(("string",)),
    "pattern": frozenset(("string",)),
    "x-normalise": frozenset(("string",)),
    "minimum": frozenset(("integer",)),
    "maximum": frozenset(("integer",)),
    "items": frozenset(("array",)),
    "minItems": frozenset(("array",)),
    "maxItems": frozenset(("array",)),
    "uniqueItems": frozenset(("array",)),
    "x-distinct": frozenset(("array",)),
    "properties": frozenset(("object",)),
    "required": frozenset(("object",)),
    "additionalProperties": frozenset(("object",)),
    "allOf": frozenset(("object",)),
    "x-open": frozenset(("object",)),
}
"""Keywords that need a type beside them."""

ANYWHERE = frozenset(
    (
        "$ref",
        "$defs",
        "title",
        "description",
        "type",
        "enum",
        "const",
        "x-default",
        "anyOf",
        "oneOf",
        "discriminator",
    )
)
KEYWORDS = ANYWHERE | BELONGS.keys()

_TO_RULE = "say it as a rule in the root's allOf (D13), or drop it"
_CLOSED = "list the members in properties; objects are closed"
_REMEDIES: Mapping[str, str] = {
    "format": "write a pattern; validators disagree about formats",
    "default": "write x-default, which only documents; defaults belong to the domain",
    "examples": "put examples into the envelope or contracts/examples",
    "if": _TO_RULE,
    "then": _TO_RULE,
    "else": _TO_RULE,
    "not": _TO_RULE,
    "dependentRequired": _TO_RULE,
    "dependentSchemas": _TO_RULE,
    "dependencies": _TO_RULE,
    "patternProperties": _CLOSED,
    "propertyNames": _CLOSED,
    "unevaluatedProperties": _CLOSED,
    "minProperties": _CLOSED,
    "maxProperties": _CLOSED,
    "contains": "drop it; the domain checks what an array must contain",
    "minContains": "drop it; the domain checks what an array must contain",
    "maxContains": "drop it; the domain checks what an array must contain",
    "prefixItems": "write an object with named members instead of a tuple",
    "additionalItems": "write an object with named members instead of a tuple",
    "unevaluatedItems": "write an object with named members instead of a tuple",
    "multipleOf": "drop it; the domain checks steps",
    "exclusiveMinimum": "write minimum with the next whole number",
    "exclusiveMaximum": "write maximum with the previous whole number",
    "nullable": 'write anyOf as [schema, {"type": "null"}]',
    "definitions": "write $defs at the root of the file",
    "$id": "drop it; the path of the file is its name",
    "$schema": "drop it; only the file has one",
    "$anchor": "refer to #/$defs/Name",
    "$dynamicRef": "refer to #/$defs/Name",
    "$dynamicAnchor": "refer to #/$defs/Name",
    "$comment": "write a description",
    "deprecated": "say it in the description",
    "readOnly": "say it in the description",
    "writeOnly": "say it in the description",
    "contentEncoding": "say it in the description",
    "contentMediaType": "say it in the description",
}


def keywords_are_known(subject: Subject) -> Iterator[Finding]:
    """D03: no keyword but those of the dialect, each where it may stand."""
    for site in subject.sites:
        if isinstance(site.schema, bool):
            yield site.place.breaks("D03", "a boolean schema", "write a schema with a type")
        for keyword in site.keywords:
            if keyword not in KEYWORDS:
                remedy = _REMEDIES.get(keyword) or _suggestion(keyword)
                yield site.place.below(keyword).breaks("D03", "not of this dialect", remedy)
        if "$defs" in site.keywords:
            remedy = "move the definitions to $defs at the root of the file"
            yield site.place.below("$defs").breaks("D03", "definitions inside a schema", remedy)


def values_have_one_type(subject: Subject) -> Iterator[Finding]:
    """D04: exactly one type, and only keywords that belong to it."""
    for site in subject.sites:
        if isinstance(site.schema, dict):
            yield from _type_findings(site)
        elif not isinstance(site.schema, bool):
            yield site.place.breaks("D04", "a schema must be an object", "write a schema")


def _type_findings(site: Site) -> Iterator[Finding]:
    keywords = site.keywords
    for keyword in ("title", "description"):
        if keyword in keywords and not isinstance(keywords[keyword], str):
            yield site.place.below(keyword).breaks("D04", "it must be a text", "write a text")
    if site.root.role in RULED | {"result"} and site.is_root and keywords.get("type") != "object":
        remedy = "write type object here; clients fail on anything else at the root"
        yield site.place.breaks("D04", "the root must be a plain object", remedy)
    if {"$ref", "anyOf", "oneOf"} & keywords.keys():
        return
    name = keywords.get("type")
    if "type" not in keywords:
        yield site.place.breaks("D04", "no type")
        return
    if not isinstance(name, str) or name not in TYPES:
        yield site.place.below("type").breaks("D04", *_wrong_type(name))
        return
    for keyword, types in BELONGS.items():
        if keyword in keywords and name not in types:
            remedy = f"drop it; it belongs to {' and '.join(sorted(types))}"
            yield site.place.below(keyword).breaks("D04", f"does not belong to {name}", remedy)


def _wrong_type(name: object) -> tuple[str, str]:
    if isinstance(name, list):
        return "several types", 'write one type; for null, anyOf with {"type": "null"}'
    if name == "number":
        return "fractions are not of this dialect", "write integer, in a smaller unit, or a string"
    if name == "null":
        return "null alone", 'write null only as anyOf [schema, {"type": "null"}]'
    return "no known type", f"write one of {', '.join(TYPES)}"


def _suggestion(keyword: str) -> str:
    close = get_close_matches(keyword, sorted(KEYWORDS), 1)
    return f"did you mean {close[0]}? If not, drop it" if close else "drop it"
