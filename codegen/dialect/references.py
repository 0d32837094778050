"""D15: references that lead somewhere, and end."""

from collections.abc import Iterator

from codegen.dialect.finding import Finding
from codegen.dialect.sites import Root, Site, as_object, is_rule
from codegen.dialect.subject import Context, Subject
from mymcp.schema.resolution import (
    LEVELS_MAX,
    SUBSCHEMAS_MAX,
    Target,
    Unresolvable,
    follow,
    resolve,
)

_BESIDE = frozenset(("$ref", "title", "description"))
_SHARED = "contracts/shared/"
_HOME_DEPTH = 3


def references_lead_home(subject: Subject) -> Iterator[Finding]:
    """D15: a reference names a definition of the file or of contracts/shared, without circles."""
    for site in subject.all_sites:
        if "$ref" not in site.keywords:
            continue
        yield from _reference(site, subject.context)
        for name in site.keywords.keys() - _BESIDE:
            remedy = "name a definition of its own; only title and description may stand there"
            yield site.place.below(name).breaks("D15", "beside a reference", remedy)
    for root in subject.roots:
        if root.role != "definition" and _is_endless(root, subject.context):
            message = f"it unfolds to more than {SUBSCHEMAS_MAX:,} schemas or {LEVELS_MAX} levels"
            yield root.place.breaks("D15", message, "make it smaller")


def _is_endless(root: Root, context: Context) -> bool:
    try:
        resolve(as_object(root.schema), root.place.file, context.values)
    except Unresolvable as error:
        return error.trouble == "size"
    return False


def _reference(site: Site, context: Context) -> Iterator[Finding]:
    place, reference = site.place.below("$ref"), site.keywords["$ref"]
    if not isinstance(reference, str):
        yield place.breaks("D15", "it must be a text")
        return
    target = follow(reference, site.place.file, context.values)
    if not isinstance(target, Target):
        if target == "remote":
            remedy = "copy the definition into contracts/shared and refer to that"
            yield place.breaks("D15", "it leaves the contracts", remedy)
        else:
            yield place.breaks("D15", "nothing stands there")
        return
    tokens = target.pointer.split("/")
    if tokens[1] != "$defs" or len(tokens) != _HOME_DEPTH:
        yield place.breaks("D15", "it does not name a definition")
    elif target.path != site.place.file and not target.path.startswith(_SHARED):
        remedy = "move the definition into contracts/shared"
        yield place.breaks("D15", "it reaches into another contract", remedy)
    elif is_rule(target.schema) != site.rule:
        message = "it names no rule" if site.rule else "it names a rule, which is no value"
        yield place.breaks("D15", message, "refer to a definition of the other sort")
    elif _comes_back(site, target, context):
        remedy = "break the circle; no value of this dialect nests without end"
        yield place.breaks("D15", "it comes back to itself", remedy)


def _comes_back(site: Site, target: Target, context: Context) -> bool:
    home = (site.root.place.file, site.root.place.pointer)
    seen: set[tuple[str, str]] = set()
    ahead = [(target.path, target.pointer)]
    while ahead:
        here = ahead.pop()
        if here == home:
            return True
        if here not in seen:
            seen.add(here)
            ahead.extend(context.links.get(here, ()))
    return False
