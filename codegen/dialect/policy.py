"""D22: what the meta-schema of a policy cannot say."""

import re
from collections.abc import Iterator, Mapping

from codegen.dialect.finding import Finding, Place
from codegen.dialect.sites import Object, are_texts, as_list, as_object
from codegen.dialect.subject import Subject

EXAMPLES_MIN = 120
"""Fewest examples of each verdict."""

_LITERAL_RUN = re.compile(r"[A-Za-z0-9]{20}")


def policies_can_be_matched(subject: Subject) -> Iterator[Finding]:
    """D22: sets and ranges of a policy fit, and its examples are many and by formula."""
    document, place = subject.document, subject.place
    if document.kind != "policy":
        return
    policy = document.members
    yield from _code_points(as_object(policy.get("folding")), place.below("folding"))
    yield from _sets(policy, place)
    yield from _said_twice(policy, place)
    for position, ranges in enumerate(
        as_list(as_object(policy.get("identifiers")).get("excluded"))
    ):
        here = place.below("identifiers", "excluded", position)
        yield from _ranges(ranges, here)
    yield from _groups_fit(as_object(policy.get("identifiers")), place.below("identifiers"))
    for position, issuer in enumerate(as_list(as_object(policy.get("cards")).get("issuers"))):
        here = place.below("cards", "issuers", position, "ranges")
        yield from _ranges(as_object(issuer).get("ranges"), here)
    yield from _examples(as_object(policy.get("examples")), place.below("examples"))


def _code_points(folding: Object, place: Place) -> Iterator[Finding]:
    for position, pair in enumerate(as_list(folding.get("ignorable"))):
        numbers = [_number(text) for text in as_list(pair)]
        if len(numbers) == 2 and not 0x80 <= numbers[0] <= numbers[1] <= 0x10FFFF:
            remedy = "write first and last of a range of characters that are not ASCII"
            yield place.below("ignorable", position).breaks("D22", "no range", remedy)
    for position, text in enumerate(as_list(folding.get("zeros"))):
        if not 0x80 <= _number(text) <= 0x10FFFF - 9:
            remedy = "write the digit nought of another script"
            yield place.below("zeros", position).breaks("D22", "no such digit", remedy)


def _number(text: object) -> int:
    hexadecimal = isinstance(text, str) and re.fullmatch("[0-9A-Fa-f]{1,6}", text)
    return int(str(text), 16) if hexadecimal else -1


def _sets(policy: Mapping[str, object], place: Place) -> Iterator[Finding]:
    sets = as_object(policy.get("sets"))
    named = [(as_object(policy.get("compact_tokens")), place.below("compact_tokens"))]
    for position, group in enumerate(as_list(policy.get("prefixes"))):
        named.append((as_object(group), place.below("prefixes", position)))
    for entry, here in named:
        for member in ("body", "guard"):
            if isinstance(entry.get(member), str) and entry[member] not in sets:
                remedy = "name one that stands in sets"
                yield here.below(member).breaks("D22", "no set of this policy", remedy)
        if "unbroken" in entry and entry.get("body") != entry.get("guard"):
            remedy = "write the set of the body, so that no character is looked at twice"
            yield here.below("guard").breaks("D22", "a guard unlike the body", remedy)
    for name, inside in sets.items():
        if isinstance(inside, str) and not _is_class(inside):
            remedy = "write ranges in order, single characters, and a hyphen last"
            yield place.below("sets", name).breaks("D22", "no set of characters", remedy)


def _is_class(inside: str) -> bool:
    try:
        re.compile(f"[{inside}]")
    except re.error:
        return False
    return True


def _said_twice(policy: Mapping[str, object], place: Place) -> Iterator[Finding]:
    """Find texts that two groups list: the second would never count."""
    seen: set[object] = set()
    for position, group in enumerate(as_list(policy.get("prefixes"))):
        for number, text in enumerate(as_list(as_object(group).get("texts"))):
            if isinstance(text, str) and text in seen:
                here = place.below("prefixes", position, "texts", number)
                yield here.breaks("D22", "another group has this text", "keep one of the two")
            seen.add(text if isinstance(text, str) else None)
    assignments = as_object(policy.get("assignments"))
    plain = as_list(assignments.get("keywords"))
    for position, word in enumerate(as_list(assignments.get("prose"))):
        if word in plain:
            here = place.below("assignments", "prose", position)
            yield here.breaks("D22", "keywords has this text", "keep one of the two")


def _ranges(ranges: object, place: Place) -> Iterator[Finding]:
    for position, pair in enumerate(as_list(ranges)):
        if are_texts(pair) and len(pair) == 2 and not _is_range(*pair):
            remedy = "write first and last with equally many digits, the smaller one first"
            yield place.below(position).breaks("D22", "no range", remedy)


def _is_range(first: str, last: str) -> bool:
    return len(first) == len(last) and first <= last


def _groups_fit(identifiers: Object, place: Place) -> Iterator[Finding]:
    """Find ranges of other lengths than the group that they are about."""
    groups, excluded = as_list(identifiers.get("groups")), as_list(identifiers.get("excluded"))
    if len(groups) != len(excluded):
        remedy = "write one list of ranges a group, empty where all are issued"
        yield place.below("excluded").breaks("D22", "not one list a group", remedy)
        return
    for position, (length, ranges) in enumerate(zip(groups, excluded, strict=True)):
        for number, pair in enumerate(as_list(ranges)):
            if are_texts(pair) and any(len(text) != length for text in pair):
                here = place.below("excluded", position, number)
                yield here.breaks("D22", "not as long as the group", f"write {length} digits")


def _examples(examples: Object, place: Place) -> Iterator[Finding]:
    for verdict in ("refused", "accepted"):
        groups = as_list(examples.get(verdict))
        count = 0
        for position, group in enumerate(groups):
            values = as_list(as_object(group).get("values"))
            count += len(values)
            for number, value in enumerate(values):
                here = place.below(verdict, position, "values", number)
                yield from _literals(value, here)
        if verdict in examples and count < EXAMPLES_MIN:
            remedy = f"write {EXAMPLES_MIN} or more"
            yield place.below(verdict).breaks("D22", "too few examples", remedy)


def _literals(value: object, place: Place) -> Iterator[Finding]:
    """Find pieces that a scanner, or a person, could take for a live secret."""
    for piece in [value] if isinstance(value, str) else as_list(value):
        if isinstance(piece, str) and _LITERAL_RUN.search(piece):
            remedy = 'write it as pieces, such as {"repeat": ["A", 20]}'
            yield place.breaks("D22", "a literal like a live secret", remedy)
