"""Contracts in words: types, rules and conditions as a person would say them, in Markdown."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import cast

from codegen.compilation import Members, members
from codegen.rules import is_nullable
from mymcp.contract.rules import (
    Allows,
    Excludes,
    NativeInteger,
    PresentExactlyWhen,
    RequiredWithText,
    Requires,
    Rule,
)

PATTERN_MAX_CHARACTERS = 72
"""A longer pattern stands below the table instead of in it."""

NORMALISATIONS = {
    "trimmed": "CRLF and CR become LF, the text is composed (NFC), white space goes off both ends",
    "collapsed": "composed (NFC), every run of white space becomes one space, none at the ends",
    "lowered": "white space goes off both ends, ASCII letters become small",
}
"""What is done to a text before its bounds are looked at, by the word that the tables use."""


@dataclass(frozen=True, slots=True)
class Row:
    """One line of a table of fields; `name` is dotted, `[]` marks the items of an array."""

    name: str
    need: str
    kind: str
    description: str


@dataclass(frozen=True, slots=True)
class Fields:
    """The fields of a schema, and the patterns that are too long for its table, numbered from 1."""

    rows: tuple[Row, ...]
    patterns: tuple[str, ...]


def fields(schema: Members) -> Fields:
    """Return every field that a resolved object `schema` has, at every depth."""
    patterns: dict[str, int] = {}
    return Fields(tuple(_rows(schema, "", "", patterns)), tuple(patterns))


def rule_sentence(rule: Rule) -> str | None:
    """Return what `rule` asks; none where the table of fields says it already."""
    sentence = None
    match rule:
        case Requires(name=name, other=other):
            sentence = f"`{name}` needs `{other}`."
        case Excludes(names=names):
            sentence = f"{_list(names, 'and')} exclude each other."
        case Allows(key=key, path=path, table=table):
            sentence = f"`{_dotted(key)}` decides what `{_dotted(path)}` may be: {_table(table)}."
        case PresentExactlyWhen(name=name, key=key, text=text):
            sentence = f"`{name}` is there exactly when `{_dotted(key)}` is `{text}`."
        case RequiredWithText(name=name, key=key):
            sentence = f"`{name}` is required where `{_dotted(key)}` is a text."
        case NativeInteger(path=path):
            where = _dotted(path)
            sentence = f"`{where}` is written as an integer: `true` and `1.0` are refused."
    return sentence


def rule_name(rule: Rule) -> str | None:
    """Return the name of a rule across fields; rules of single fields have none."""
    return cast(str | None, getattr(rule, "rule", None))


def condition(entry: Members) -> str:
    """Return when a declared error applies, from one member of its `when`."""
    ((kind, where),) = entry.items()
    place = f"`{str(where).strip('/').replace('/', '.')}`"
    if kind == "rule":
        return f"rule {place} is broken"
    if kind == "unknown":
        return f"unknown member in {place}" if where != "/" else "unknown member"
    if kind == "shape":
        return f"{place} is not an object with its members"
    return f"{place} is {kind}" if where != "/" else f"anything is {kind}"


def line(text: str) -> str:
    """Return a text of a contract as one line of Markdown, without markup of HTML."""
    return " ".join(text.split()).replace("&", "&amp;").replace("<", "&lt;")


def cell(text: str) -> str:
    """Return a text of a contract as a cell of a Markdown table."""
    return line(text).replace("|", "\\|")


def _rows(schema: Members, prefix: str, when: str, patterns: dict[str, int]) -> Iterator[Row]:
    required = cast(Sequence[str], schema.get("required", ()))
    for name, inner in members(schema.get("properties", {})).items():
        field = members(inner)
        need = ("yes" if name in required else "no") + when
        kind = _kind(field, patterns).replace("|", "\\|")
        yield Row(f"{prefix}{name}", need, kind, cell(str(field.get("description", ""))))
        yield from _inner(field, f"{prefix}{name}", when, patterns)


def _inner(schema: Members, name: str, when: str, patterns: dict[str, int]) -> Iterator[Row]:
    """Yield the rows of what `schema` holds: members, items, branches."""
    if "items" in schema:
        yield from _inner(members(schema["items"]), f"{name}[]", when, patterns)
    elif is_nullable(schema):
        yield from _inner(_branches(schema, "anyOf")[0], name, when, patterns)
    elif "oneOf" in schema:
        tag = str(members(schema["discriminator"])["propertyName"])
        for branch in _branches(schema, "oneOf"):
            value = members(members(branch["properties"])[tag])["const"]
            clause = f", where `{tag}` is {_code(value)}"
            yield from _rows(branch, f"{name}.", clause, patterns)
    else:
        yield from _rows(schema, f"{name}.", when, patterns)


def _kind(schema: Members, patterns: dict[str, int]) -> str:
    if is_nullable(schema):
        return f"{_kind(_branches(schema, 'anyOf')[0], patterns)}, or null"
    if "oneOf" in schema:
        tag = members(schema["discriminator"])["propertyName"]
        return f"one of {len(_branches(schema, 'oneOf'))} objects, told apart by `{tag}`"
    if "enum" in schema:
        return _list(cast(Sequence[object], schema["enum"]), "or")
    if "const" in schema:
        return _code(schema["const"])
    if schema["type"] == "array":
        return f"{_array(schema)}; each {_kind(members(schema['items']), patterns)}"
    return _scalar(schema, patterns)


def _scalar(schema: Members, patterns: dict[str, int]) -> str:
    kind = str(schema["type"])
    if "x-open" in schema:
        return f"{kind}, open: {line(str(schema['x-open']))}"
    if "x-normalise" in schema:
        kind = f"{schema['x-normalise']} {kind}"
    return ", ".join([kind, *_bounds(schema, patterns)])


def _array(schema: Members) -> str:
    kind = f"array of {_range(schema.get('minItems'), schema['maxItems'], 'item')}"
    if "x-distinct" in schema:
        return f"{kind}, all different, letter case ignored"
    return f"{kind}, all different" if "uniqueItems" in schema else kind


def _bounds(schema: Members, patterns: dict[str, int]) -> Iterator[str]:
    for low, high, unit in (("minLength", "maxLength", "character"), ("minimum", "maximum", "")):
        if low in schema or high in schema:
            yield _range(schema.get(low), schema.get(high), unit)
    if "pattern" in schema:
        yield _pattern(str(schema["pattern"]), patterns)
    if "x-default" in schema:
        yield f"default {_code(schema['x-default'])}"


def _range(low: object, high: object, unit: str) -> str:
    if low is None:
        return f"at most {_count(high, unit)}"
    if high is None:
        return f"at least {_count(low, unit)}"
    return f"{low:,} to {_count(high, unit)}" if low != high else f"exactly {_count(low, unit)}"


def _count(number: object, unit: str) -> str:
    text = f"{number:,}"
    if unit:
        text += f" {unit}" if number == 1 else f" {unit}s"
    return text


def _pattern(pattern: str, patterns: dict[str, int]) -> str:
    if len(pattern) <= PATTERN_MAX_CHARACTERS:
        return f"matches `{pattern}`"
    return f"matches pattern {patterns.setdefault(pattern, len(patterns) + 1)}"


def _branches(schema: Members, keyword: str) -> tuple[Members, ...]:
    return tuple(members(branch) for branch in cast(Sequence[object], schema[keyword]))


def _table(table: Mapping[str, frozenset[str]]) -> str:
    return "; ".join(f"`{key}`: {_list(sorted(values), 'or')}" for key, values in table.items())


def _list(values: Sequence[object], word: str) -> str:
    *head, last = (_code(value) for value in values)
    return f"{', '.join(head)} {word} {last}" if head else last


def _code(value: object) -> str:
    return f"`{str(value).lower() if isinstance(value, bool) else value}`"


def _dotted(path: Sequence[str]) -> str:
    return ".".join(path)
