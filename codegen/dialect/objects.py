"""D05, D12 and D20: objects, the names of their members, their descriptions."""

import re
from collections.abc import Iterator
from keyword import iskeyword

from codegen.dialect.finding import Finding, Place
from codegen.dialect.sites import Root, Site, are_texts, as_list, as_object
from codegen.dialect.subject import Subject
from codegen.dialect.table import RULES
from codegen.positions import tokens_of

CLASS_NAME = re.compile(r"(?:[A-Z][a-z0-9]*)+")
MEMBER_NAME = re.compile(r"[a-z][a-z0-9]*(?:_[a-z0-9]+)*")
MEMBER_NAME_MAX = 64

GENERATED = frozenset(
    (
        "Annotated",
        "Any",
        "BeforeValidator",
        "ConfigDict",
        "ContractModel",
        "False",
        "Field",
        "Literal",
        "MISSING",
        "None",
        "RootModel",
        "StrictBool",
        "StrictInt",
        "StrictStr",
        "True",
        "TypeAliasType",
    )
)
"""Names that the modules of models import; a class of that name is renamed or hides them."""

PROSE = frozenset(("title", "description", "message", "x-open"))
CONTROL = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029]")

RESERVED = frozenset(
    (
        "construct",
        "copy",
        "dict",
        "from_orm",
        "json",
        "parse_file",
        "parse_obj",
        "parse_raw",
        "schema",
        "schema_json",
        "update_forward_refs",
        "validate",
    )
)
"""Public names of a pydantic model that a field would hide; those with `model_` beside them."""

BUILTINS = frozenset(("bool", "bytes", "float", "int", "list", "str"))
"""Types that the annotations of a model use; a field of that name would change their meaning."""

FOREIGN = frozenset(("$schema", "schema"))
"""Members of the plugin manifest, which is older than the dialect. Admitted there only."""


def objects_are_closed(subject: Subject) -> Iterator[Finding]:
    """D05: objects are closed, complete and named; or they say why they are open."""
    titles = {name_of(root): root.place for root in subject.roots if root.role == "definition"}
    yield from _borrowed(subject, titles)
    for site in subject.sites:
        if site.keywords.get("type") != "object":
            continue
        if "x-open" in site.keywords:
            yield from _open(site)
            continue
        yield from _closed(site)
        yield from _named(site, titles)


def members_are_well_named(subject: Subject) -> Iterator[Finding]:
    """D12: names that are names everywhere, in Python too."""
    for site in subject.sites:
        for name in as_object(site.keywords.get("properties")):
            admitted = FOREIGN if subject.document.kind == "manifest_schema" else frozenset[str]()
            problem = None if name in admitted else _name_problem(name)
            if problem:
                yield site.place.below("properties", name).breaks("D12", *problem)
    for root in subject.roots:
        if root.role == "definition" and not CLASS_NAME.fullmatch(name_of(root)):
            remedy = "name definitions in CamelCase, as classes are"
            yield root.place.breaks("D12", "no class name", remedy)
        elif root.role == "definition" and name_of(root) in GENERATED:
            message = "a name that generated modules have for themselves"
            yield root.place.breaks("D12", message, "choose another name")


def everything_is_described(subject: Subject) -> Iterator[Finding]:
    """D20: the capability, every property and every error message say something."""
    kind = subject.document.kind
    if kind not in ("meta", "stray"):
        text = subject.document.members.get("description")
        if isinstance(text, str) and not text.strip():
            yield subject.place.below("description").breaks("D20", "an empty description")
        yield from _unprintable(subject.document.members, subject.place)
    for site in subject.sites:
        for name, schema in as_object(site.keywords.get("properties")).items():
            if isinstance(schema, dict) and not _is_described(schema, site, subject):
                yield site.place.below("properties", name).breaks("D20", "not described")
    for position, entry in enumerate(as_list(subject.document.members.get("errors"))):
        text = as_object(entry).get("message")
        if isinstance(text, str) and not text.strip():
            place = subject.place.below("errors", position, "message")
            yield place.breaks("D20", "an empty message", "say what to do now")


def _unprintable(value: object, place: Place) -> Iterator[Finding]:
    """Yield the texts for people that hold control characters; examples hold values instead."""
    for name, inner in as_object(value).items():
        if name in PROSE and isinstance(inner, str) and CONTROL.search(inner):
            remedy = "write it as one paragraph of printable text"
            yield place.below(name).breaks("D20", "a control character", remedy)
        elif name != "examples" or place.pointer:
            yield from _unprintable(inner, place.below(name))
    for position, inner in enumerate(as_list(value)):
        yield from _unprintable(inner, place.below(position))


def name_of(root: Root) -> str:
    """Return the name under which a definition stands."""
    return tokens_of(root.place.pointer)[-1]


def _borrowed(subject: Subject, titles: dict[str, Place]) -> Iterator[Finding]:
    """Add the names of other files' definitions to `titles`: they are imported beside the own."""
    for site in subject.sites:
        target = subject.context.target(site)
        if target is not None and target.path != subject.document.path:
            place = Place(target.path, target.pointer)
            name = tokens_of(target.pointer)[-1]
            taken = titles.setdefault(name, place)
            if taken != place:
                remedy = f"rename one; {taken.file}#{taken.pointer} has this name, too"
                yield site.place.below("$ref").breaks("D05", "the name is taken", remedy)


def _open(site: Site) -> Iterator[Finding]:
    reason = site.keywords["x-open"]
    if not isinstance(reason, str) or not reason.strip():
        yield site.place.below("x-open").breaks("D05", "no reason", "say why the object is open")
    for keyword in site.keywords.keys() - {"type", "x-open", "description"}:
        remedy = "drop it, or close the object"
        yield site.place.below(keyword).breaks("D05", "beside x-open it means nothing", remedy)


def _closed(site: Site) -> Iterator[Finding]:
    keywords = site.keywords
    if keywords.get("additionalProperties") is not False:
        remedy = "write additionalProperties false, or x-open with a reason and nothing else"
        yield site.place.breaks("D05", "the object is open", remedy)
    properties, required = keywords.get("properties"), keywords.get("required")
    if not are_texts(required):
        yield site.place.breaks("D05", "no required", "list the required members, [] if none")
        required = []
    if not isinstance(properties, dict):
        yield site.place.breaks("D05", "no properties", "list the members in properties")
        return
    if len(set(required)) != len(required):
        yield site.place.below("required").breaks("D05", "a name stands twice", "remove one")
    for name in required:
        if name not in properties:
            place = site.place.below("required")
            yield place.breaks("D05", f"{name} is not in properties", "add it there, or remove it")


def _named(site: Site, titles: dict[str, Place]) -> Iterator[Finding]:
    title = site.keywords.get("title")
    if not isinstance(title, str) or not CLASS_NAME.fullmatch(title):
        remedy = "give it a title in CamelCase; the class is named after it"
        yield site.place.breaks("D05", "no class name", remedy)
    elif title in GENERATED and not (site.is_root and site.root.role == "definition"):
        message = "a name that generated modules have for themselves"
        yield site.place.below("title").breaks("D05", message, "choose another title")
    elif titles.setdefault(title, site.place) != site.place:
        remedy = f"give it another title; {titles[title].pointer} has this one"
        yield site.place.below("title").breaks("D05", "the name is taken", remedy)
    elif site.is_root and site.root.role == "definition" and title != name_of(site.root):
        remedy = f"write {name_of(site.root)}, or rename the definition"
        yield site.place.below("title").breaks("D05", "not the name of the definition", remedy)


def _name_problem(name: str) -> tuple[str, str] | None:
    """Return what is wrong with the name of a member, and the remedy."""
    if not MEMBER_NAME.fullmatch(name) or len(name) > MEMBER_NAME_MAX:
        return "no snake_case name", RULES["D12"].remedy
    if iskeyword(name):
        return "a keyword of Python", "choose another name"
    if name.startswith("model_") or name in RESERVED:
        return "a name that models have for themselves", "choose another name"
    return ("a type of Python", "choose another name") if name in BUILTINS else None


def _is_described(schema: object, site: Site, subject: Subject) -> bool:
    """Tell whether a property is described: itself, by what it refers to, or beside null."""
    meant, place = subject.context.meant(schema, site.place.file)
    text = meant.get("description")
    if not meant or (isinstance(text, str) and text.strip()):
        return True
    branches = as_list(meant.get("anyOf"))
    file = place.file if place else site.place.file
    return bool(branches) and bool(
        str(subject.context.meant(branches[0], file)[0].get("description", "")).strip()
    )
