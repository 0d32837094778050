"""What a grammar can say of a text, a number or a boolean, and the words for the rest."""

from collections.abc import Callable, Iterator
from math import ceil, floor
from typing import Final

from mymcp.schema.publication import Schema, is_portable

FORMATS: Final = frozenset({"date", "time", "date-time", "uuid"})
_LENGTHS: Final = frozenset({"type", "minLength", "maxLength"})
NUMBER_KEYWORDS: Final = (
    "minimum",
    "maximum",
    "exclusiveMinimum",
    "exclusiveMaximum",
    "multipleOf",
)
HEADER: Final = "x-mcp-header"
"""The one annotation of a property that clients act on. MCP 2026-07-28."""

Lose = Callable[[str], None]
"""Notes that a keyword could not be kept."""


def text_of(schema: Schema, lose: Lose) -> Schema:
    """Return what can be said of the texts of `schema`: one kind of bound."""
    values = [one for one in values_of(schema) if isinstance(one, str)]
    if values and all(_is_plain(value) for value in values):
        return described({"type": "string", "enum": list(dict.fromkeys(values))}, schema)
    if values:
        lose("enum")
    result: Schema = {"type": "string"}
    form, pattern, sentences = schema.get("format"), schema.get("pattern"), []
    if isinstance(form, str) and form in FORMATS and pattern is None:
        result["format"] = form
    elif isinstance(form, str):
        lose("format")
        sentences.append(f"Format: {form}.")
    if isinstance(pattern, str) and is_portable(pattern):
        result["pattern"] = pattern
    elif isinstance(pattern, str):
        lose("pattern")
    for keyword in ("minLength", "maxLength"):
        bound = whole(schema.get(keyword))
        if bound is not None and not result.keys() <= _LENGTHS:
            lose(keyword)
        elif bound is not None:
            result[keyword] = bound
    drop_contradiction(result, "minLength", "maxLength", lose)
    return described(result, schema, *sentences)


def integer_of(schema: Schema, lose: Lose) -> Schema:
    """Return what can be said of the integers of `schema`: their bounds."""
    result: Schema = {"type": "integer"}
    values = [int(one) for one in map(_number, values_of(schema)) if one is not None]
    if values:
        result |= {"minimum": min(values), "maximum": max(values)}
        if len(set(values)) == 1:
            return described(result, schema)
        lose("enum")
        return described(result, schema, f"One of: {', '.join(map(str, values))}.")
    low, above, high, below = (_number(schema.get(name)) for name in _INTEGER_BOUNDS)
    lows = [] if low is None else [ceil(low)]
    lows += [] if above is None else [floor(above) + 1]
    highs = [] if high is None else [floor(high)]
    highs += [] if below is None else [ceil(below) - 1]
    if lows:
        result["minimum"] = max(lows)
    if highs:
        result["maximum"] = min(highs)
    drop_contradiction(result, "minimum", "maximum", lose)
    if "multipleOf" in schema:
        lose("multipleOf")
        return described(result, schema, f"A multiple of {schema['multipleOf']}.")
    return described(result, schema)


_INTEGER_BOUNDS: Final = ("minimum", "exclusiveMinimum", "maximum", "exclusiveMaximum")


def plain_of(name: str, schema: Schema, lose: Lose) -> Schema:
    """Return what can be said of the numbers or booleans of `schema`: that they are such."""
    bounds = NUMBER_KEYWORDS if name == "number" else ()
    for keyword in ("enum", "const", *bounds):
        if keyword in schema:
            lose(keyword)
    return described({"type": name}, schema, *_bounds_in_words(schema, name))


def drop_contradiction(schema: Schema, low: str, high: str, lose: Lose) -> None:
    """Drop bounds between which there is nothing: a grammar of them hangs its builder."""
    least, most = _number(schema.get(low)), _number(schema.get(high))
    if least is not None and most is not None and least > most:
        del schema[low], schema[high]
        lose(low)


def described(schema: Schema, source: Schema, *sentences: str) -> Schema:
    """Return `schema` with the words and the default of `source`, the type first."""
    words = source.get("description") or source.get("title") or schema.get("description")
    text = " ".join([str(words)] * bool(words) + list(sentences))
    told: Schema = {"type": schema["type"]} if "type" in schema else {}
    if text:
        told["description"] = text
    default = source.get("default")
    if isinstance(default, str | int):
        told["x-default"] = default
    if HEADER in source and "anyOf" not in schema:
        told[HEADER] = source[HEADER]
    return told | {name: item for name, item in schema.items() if name not in told}


def values_of(schema: Schema) -> list[object]:
    """Return the values that `const` or `enum` of `schema` names."""
    listed = schema.get("enum")
    values = listed if isinstance(listed, list) else []
    return [schema["const"]] if "const" in schema else values


def type_of(value: object) -> str:
    """Return the JSON Schema type of a value; `1.0` is an integer there."""
    if isinstance(value, bool) or value is None:
        return "null" if value is None else "boolean"
    if isinstance(value, int | float):
        return "integer" if value == int(value) else "number"
    if isinstance(value, str):
        return "string"
    return "array" if isinstance(value, list) else "object"


def whole(value: object) -> int | None:
    """Return a bound on a length; JSON Schema lets `2.0` be one."""
    number = _number(value)
    return int(number) if number is not None and number == int(number) else None


def _bounds_in_words(schema: Schema, name: str) -> Iterator[str]:
    if name == "number":
        for keyword, words in (
            ("minimum", "At least"),
            ("exclusiveMinimum", "Above"),
            ("maximum", "At most"),
            ("exclusiveMaximum", "Below"),
        ):
            if keyword in schema:
                yield f"{words} {schema[keyword]}."
    values = values_of(schema)
    if values:
        yield f"One of: {', '.join(str(value) for value in values)}."


def _is_plain(text: str) -> bool:
    return not any(sign in '"\\\x7f' or sign < " " for sign in text)


def _number(value: object) -> int | float | None:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return value
