"""D10 and D11: the two forms in which a value may be one thing or another."""

from collections.abc import Iterator

from codegen.dialect.finding import Finding
from codegen.dialect.sites import NULL, RULED, Site, as_list, as_object
from codegen.dialect.subject import Subject

_BESIDE = frozenset(("title", "description"))


def null_is_the_only_alternative(subject: Subject) -> Iterator[Finding]:
    """D10: `anyOf` says nothing but that a value may be null."""
    for site in subject.sites:
        if "anyOf" not in site.keywords:
            continue
        place = site.place.below("anyOf")
        branches = as_list(site.keywords["anyOf"])
        if len(branches) != 2 or branches[1] != NULL or branches[0] == NULL:
            remedy = 'write [schema, {"type": "null"}]; for several schemas write oneOf (D11)'
            yield place.breaks("D10", "more than a value or null", remedy)
        elif "anyOf" in subject.context.meant(branches[0], site.place.file)[0]:
            yield place.below(0).breaks("D10", "null twice", "refer to the value without null")
        yield from _siblings(site, "D10", "anyOf", _BESIDE)


def union_members_are_disjoint(subject: Subject) -> Iterator[Finding]:
    """D11: `oneOf` joins closed objects that one required constant tells apart."""
    for site in subject.sites:
        if "oneOf" in site.keywords:
            yield from _siblings(site, "D11", "oneOf", _BESIDE | {"discriminator"})
            yield from _union(site, subject)
        elif "discriminator" in site.keywords:
            place = site.place.below("discriminator")
            yield place.breaks("D11", "no oneOf beside it", "drop it")
        if site.root.role in RULED | {"result"} and site.is_root and "oneOf" in site.keywords:
            remedy = "write a flat object, and say what goes together as rules (D13)"
            yield site.place.below("oneOf").breaks("D11", "a union at the root", remedy)


def _siblings(site: Site, rule: str, keyword: str, admitted: frozenset[str]) -> Iterator[Finding]:
    for name in site.keywords.keys() - admitted - {keyword}:
        # What no dialect keyword is, D03 reports.
        if name not in ("$ref", "$defs"):
            remedy = "move it into the members"
            yield site.place.below(name).breaks(
                rule, f"beside {keyword} it is not looked at", remedy
            )


def _union(site: Site, subject: Subject) -> Iterator[Finding]:
    place, branches = site.place.below("oneOf"), as_list(site.keywords["oneOf"])
    references = [as_object(branch).get("$ref") for branch in branches]
    if len(branches) < 2 or any(set(as_object(branch)) != {"$ref"} for branch in branches):
        remedy = "write two or more references to named objects"
        yield place.breaks("D11", "members that are no plain references", remedy)
        return
    tag = as_object(site.keywords.get("discriminator")).get("propertyName")
    if not isinstance(tag, str):
        remedy = "write discriminator with propertyName and mapping"
        yield site.place.breaks("D11", "nothing tells the members apart", remedy)
        return
    tags: dict[str, object] = {}
    for position, branch in enumerate(branches):
        constant = _constant(branch, tag, site, subject)
        if constant is None:
            remedy = f"make it a closed object that requires {tag} with a const"
            yield place.below(position).breaks("D11", f"no required constant {tag}", remedy)
        elif constant in tags:
            message = f"another member has {tag} {constant}, too"
            yield place.below(position).breaks("D11", message, "give each member its own constant")
        else:
            tags[constant] = references[position]
    if len(tags) == len(branches):
        yield from _mapping(site, tags)


def _mapping(site: Site, tags: dict[str, object]) -> Iterator[Finding]:
    place = site.place.below("discriminator", "mapping")
    discriminator = as_object(site.keywords["discriminator"])
    mapping = as_object(discriminator.get("mapping"))
    for tag in tags.keys() - mapping.keys():
        yield place.breaks("D11", f"{tag} is not mapped", f'add "{tag}" with its $ref')
    for tag in mapping.keys() - tags.keys():
        yield place.below(tag).breaks("D11", "no member has this constant", "remove it")
    for tag in mapping.keys() & tags.keys():
        if mapping[tag] != tags[tag]:
            remedy = f"write {tags[tag]}, as in oneOf"
            yield place.below(tag).breaks("D11", "leads to another member", remedy)
    for name in discriminator.keys() - {"propertyName", "mapping"}:
        yield site.place.below("discriminator", name).breaks("D11", "unknown", "remove it")


def _constant(branch: object, tag: str, site: Site, subject: Subject) -> str | None:
    """Return the text of the constant that member `branch` requires at `tag`, if it does."""
    meant, home = subject.context.meant(branch, site.place.file)
    file = home.file if home else site.place.file
    closed = meant.get("type") == "object" and meant.get("additionalProperties") is False
    if not closed or tag not in as_list(meant.get("required")):
        return None
    schema, _ = subject.context.meant(as_object(meant.get("properties")).get(tag), file)
    value = schema.get("const")
    return str(value) if type(value) is int or isinstance(value, str) else None
