"""D06, D07, D09 and D14: arrays, bounds, constants, normalisation."""

from collections.abc import Iterator

from codegen.dialect.finding import Finding
from codegen.dialect.sites import RULED, Object, Site, are_texts, is_count
from codegen.dialect.subject import Member, Subject
from mymcp.contract.text import NORMALISED_MAX_CHARACTERS

NORMALISATIONS = ("trimmed", "collapsed", "lowered")

_COUNTS = ("minLength", "maxLength", "minItems", "maxItems", "minimum", "maximum")
_NARROWING = frozenset(("pattern", "minLength", "maxLength", "minimum", "maximum"))
_PAIRS = (("minLength", "maxLength"), ("minItems", "maxItems"), ("minimum", "maximum"))


def arrays_are_bounded(subject: Subject) -> Iterator[Finding]:
    """D06: arrays say what they hold and how much; distinct items where a rule can see them."""
    for site in subject.sites:
        if site.keywords.get("type") == "array":
            yield from _array(site, subject)
    for role, members in subject.members.items():
        for member in members:
            if {"uniqueItems", "x-distinct"} & member.schema.keys():
                problem = _hidden(member) if role in RULED else "a result is not checked again"
                if problem:
                    keyword = "uniqueItems" if "uniqueItems" in member.schema else "x-distinct"
                    message = f"distinct items at /{'/'.join(member.path)} of {role}: {problem}"
                    yield member.home.below(keyword).breaks("D06", message, "drop it")


def bounds_are_counts(subject: Subject) -> Iterator[Finding]:
    """D07: bounds are whole numbers in order, and every text has some."""
    for site in subject.sites:
        keywords = site.keywords
        for keyword in _COUNTS:
            if keyword in keywords and not is_count(keywords[keyword]):
                yield site.place.below(keyword).breaks("D07", "no whole number of 0 or more")
        for low, high in _PAIRS:
            least, most = keywords.get(low), keywords.get(high)
            if is_count(least) and is_count(most) and least > most:
                message, remedy = f"{low} is above {high}", "write the smaller one first"
                yield site.place.below(low).breaks("D07", message, remedy)
        if keywords.get("type") == "string" and not _is_bounded(keywords):
            remedy = "write minLength and maxLength, a pattern, an enum or a const"
            yield site.place.breaks("D07", "a text without bounds", remedy)


def constants_have_their_type(subject: Subject) -> Iterator[Finding]:
    """D09: enumerations of different texts, constants of the declared type."""
    for site in subject.sites:
        keywords = site.keywords
        if "enum" in keywords:
            yield from _enum(site)
        if "const" in keywords and not _has_type(keywords["const"], keywords.get("type")):
            remedy = "write type string or integer and a const of it"
            yield site.place.below("const").breaks("D09", "not of the declared type", remedy)
        if "enum" in keywords and "const" in keywords:
            yield site.place.below("const").breaks("D09", "beside an enum", "keep one of the two")
        if "const" in keywords or ("enum" in keywords and keywords.get("type") == "string"):
            for keyword in _NARROWING & keywords.keys():
                remedy = "drop it; list exactly the constants that are accepted"
                yield site.place.below(keyword).breaks("D09", "beside constants", remedy)
        if "x-default" in keywords and not _has_type(
            keywords["x-default"], keywords.get("type"), booleans=True
        ):
            remedy = "write a default that the schema accepts"
            yield site.place.below("x-default").breaks("D09", "not of the declared type", remedy)
    for role in subject.members.keys() & RULED:
        yield from _vague_integers(subject.members[role])


def normalised_texts_are_named(subject: Subject) -> Iterator[Finding]:
    """D14: normalisation is declared in named text definitions, of 4,000 characters at most."""
    for site in subject.sites:
        if "x-normalise" not in site.keywords:
            continue
        place, how = site.place.below("x-normalise"), site.keywords["x-normalise"]
        if not isinstance(how, str) or how not in NORMALISATIONS:
            remedy = f"write one of {', '.join(NORMALISATIONS)}"
            yield place.breaks("D14", "no known normalisation", remedy)
        if site.root.role != "definition" or not site.is_root:
            yield place.breaks("D14", "in a text without a name")
        if {"enum", "const"} & site.keywords.keys():
            remedy = "drop it; list the exact texts and let callers write them"
            yield place.breaks("D14", "beside constants", remedy)
        elif _may_be_long(site):
            remedy = f"write maxLength, {NORMALISED_MAX_CHARACTERS:,} at the most"
            yield place.breaks("D14", "without a bound that it can rely on", remedy)


def _may_be_long(site: Site) -> bool:
    most = site.keywords.get("maxLength")
    if most is None:
        return True
    # Another rule speaks of what is no count.
    return is_count(most) and most > NORMALISED_MAX_CHARACTERS


def _array(site: Site, subject: Subject) -> Iterator[Finding]:
    keywords = site.keywords
    if not isinstance(keywords.get("items"), dict):
        yield site.place.breaks("D06", "items is no schema", "write one schema for all items")
    if "maxItems" not in keywords:
        yield site.place.breaks("D06", "no maxItems", "write maxItems")
    if "uniqueItems" in keywords and keywords["uniqueItems"] is not True:
        yield site.place.below("uniqueItems").breaks("D06", "not true", "write true, or drop it")
    if "x-distinct" in keywords and keywords["x-distinct"] != "casefold":
        yield site.place.below("x-distinct").breaks("D06", "no known kind", "write casefold")
    for keyword in ("uniqueItems", "x-distinct"):
        if keyword in keywords and site.root.role == "detail":
            yield site.place.below(keyword).breaks("D06", "a detail is not checked", "drop it")
        elif keyword in keywords and not _holds_texts(site, subject):
            yield site.place.below(keyword).breaks("D06", "items that are no texts", "drop it")


def _holds_texts(site: Site, subject: Subject) -> bool:
    items, _ = subject.context.meant(site.keywords.get("items"), site.place.file)
    return not items or items.get("type") == "string"


def _hidden(member: Member) -> str | None:
    if "items" in member.through:
        return "an array within an array is out of reach"
    return "a union is out of reach" if member.through & {"union", "null"} else None


def _is_bounded(keywords: Object) -> bool:
    if {"enum", "const", "pattern", "anyOf", "oneOf", "$ref"} & keywords.keys():
        return True
    return {"minLength", "maxLength"} <= keywords.keys()


def _enum(site: Site) -> Iterator[Finding]:
    place, values = site.place.below("enum"), site.keywords["enum"]
    if site.keywords.get("type") != "string":
        yield place.breaks("D09", "of a type that is not string", "write type string")
    elif not are_texts(values):
        yield place.breaks("D09", "no list of texts")
    elif not values:
        yield place.breaks("D09", "an empty list", "list the accepted texts")
    elif len(set(values)) != len(values):
        yield place.breaks("D09", "a text stands twice", "remove one")


def _vague_integers(members: tuple[Member, ...]) -> Iterator[Finding]:
    """Yield integer constants that the reader could not hold to their type.

    Python takes `true` and `1.0` for `1`, so a rule beside the model looks at the path. It cannot
    where the path leads through an array, or where something else may stand, too.
    """
    constants = [member for member in members if type(member.schema.get("const")) is int]
    remedy = "write a text constant, or equal minimum and maximum"
    for member in constants:
        here = [found for found in members if found.path == member.path]
        if member.through & {"items", "null"}:
            message = f"a constant at /{'/'.join(member.path)}, in an array or beside null"
        elif any(found.schema.get("type") != "integer" for found in here):
            message = f"at /{'/'.join(member.path)} something else may stand, too"
        else:
            continue
        yield member.home.below("const").breaks("D09", message, remedy)


def _has_type(value: object, name: object, *, booleans: bool = False) -> bool:
    if name == "string":
        return isinstance(value, str)
    if name == "integer":
        return type(value) is int
    return booleans and name == "boolean" and isinstance(value, bool)
