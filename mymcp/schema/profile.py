"""A profile as data: what may be published. Contract: `contracts/profiles/*.json`."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeGuard


@dataclass(frozen=True, slots=True)
class TypeProfile:
    """What may stand beside one `type`.

    `alternatives` are groups of keywords of which one may be used, `needs` what must be there.
    """

    keywords: frozenset[str]
    alternatives: tuple[frozenset[str], ...]
    needs: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Budgets:
    """How much is too much.

    `length` bounds text lengths and `items` array counts, `integer_digits` the digits of a bound,
    `properties` one object, `levels` the nesting, `grammar_rules` all tools of a server together.
    """

    length: int
    items: int
    integer_digits: int
    properties: int
    levels: int
    grammar_rules: int


@dataclass(frozen=True, slots=True)
class Profile:
    """What a published schema may hold; whatever is not named here is not admitted.

    `constructs` are kinds of `mymcp.schema.patterns.Part`; `null_branch` and `open_objects` say
    whether a union may have `{"type": "null"}` and an object may be left unspecified.
    """

    name: str
    annotations: frozenset[str]
    types: Mapping[str, TypeProfile]
    null_branch: bool
    open_objects: bool
    formats: frozenset[str]
    constructs: frozenset[str]
    repetition_max: int
    property_name: re.Pattern[str]
    tool_name: re.Pattern[str]
    enum_text: re.Pattern[str]
    budgets: Budgets


def profile_of(members: Mapping[str, object]) -> Profile:
    """Return the profile that a decoded profile file holds.

    Raises `ValueError` when it is none; `contracts/meta/profile.json` says what it must hold.
    """
    try:
        return _profile_of(members)
    except (KeyError, TypeError, re.error):
        raise ValueError("not a profile") from None


def are_texts(value: object) -> TypeGuard[list[str]]:
    """Tell whether `value` is a list of texts."""
    return isinstance(value, list) and all(isinstance(item, str) for item in value)


def _profile_of(members: Mapping[str, object]) -> Profile:
    types, unions = _mapping(members["types"]), _mapping(members["unions"])
    pattern, names = _mapping(members["pattern"]), _mapping(members["names"])
    budgets = {name: _count(found) for name, found in _mapping(members["budgets"]).items()}
    return Profile(
        name=f"{members['name']}-v{members['version']}",
        annotations=_names(members["annotations"]),
        types={name: _type_of(_mapping(found)) for name, found in types.items()},
        null_branch=unions["null_branch"] is True,
        open_objects=members["open_objects"] is True,
        formats=_names(members["formats"]),
        constructs=_names(pattern["constructs"]),
        repetition_max=_count(pattern["repetition_max"]),
        property_name=re.compile(str(names["property"])),
        tool_name=re.compile(str(names["tool"])),
        enum_text=re.compile(str(members["enum_text"])),
        budgets=Budgets(**budgets),
    )


def _type_of(members: Mapping[str, object]) -> TypeProfile:
    groups = members["alternatives"]
    if not isinstance(groups, list):
        raise TypeError
    return TypeProfile(
        _names(members["keywords"]),
        tuple(_names(group) for group in groups),
        tuple(sorted(_names(members["needs"]))),
    )


def _mapping(value: object) -> Mapping[str, object]:
    if not isinstance(value, Mapping):
        raise TypeError
    return value


def _names(value: object) -> frozenset[str]:
    if not are_texts(value):
        raise TypeError
    return frozenset(value)


def _count(value: object) -> int:
    if type(value) is not int:
        raise TypeError
    return value
