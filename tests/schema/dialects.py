"""Random schemas of the contract dialect, each with raw values that a server may be sent."""

from typing import Any

from hypothesis import strategies as st

from mymcp.contract import text

Schema = dict[str, Any]
Pair = tuple[Schema, st.SearchStrategy[Any]]

NORMALISE = {"trimmed": text.trimmed, "collapsed": text.collapsed, "lowered": text.lowered}
PATTERNS = ["^[a-z0-9]([a-z0-9_-]{0,62}[a-z0-9])?$", "^(ab|c)+$", "^[^a-c]{1,5}$", "^[A-F0-9]{2,}$"]
RAW = st.text(alphabet=" \n\raAbBéK\u0958-_0\x1c", max_size=12)
DESCRIPTIONS = st.sampled_from(["Words.", "At most 3 characters, different.", "Default: 2."])


def described(schema: Schema) -> st.SearchStrategy[Schema]:
    return st.one_of(
        st.just(schema), DESCRIPTIONS.map(lambda words: schema | {"description": words})
    )


@st.composite
def texts(draw: st.DrawFn) -> Pair:
    kind = draw(
        st.sampled_from(["enum", "const", "pattern", "lengths", "normalised", "normalised"])
    )
    schema: Schema = {"type": "string"}
    values: st.SearchStrategy[str] = RAW
    if kind == "enum":
        schema["enum"] = ["red", "dark blue", "x"]
        values = st.sampled_from(schema["enum"])
    elif kind == "const":
        schema["const"] = "fixed"
        values = st.just("fixed")
    else:
        if kind == "pattern" or draw(st.booleans()):
            schema["pattern"] = draw(st.sampled_from(PATTERNS))
            values = st.from_regex(schema["pattern"], fullmatch=True)
        if kind != "pattern" or draw(st.booleans()):
            schema["minLength"] = draw(st.integers(0, 3))
            schema["maxLength"] = draw(st.sampled_from([3, 12, 999, 4_000]))
        if kind == "normalised":
            schema["x-normalise"] = draw(st.sampled_from(sorted(NORMALISE)))
            blanks = st.text(alphabet=" \n\t", max_size=3)
            values = st.tuples(blanks, values | values.map(str.upper), blanks).map("".join)
    return draw(described(schema)), values


@st.composite
def numbers(draw: st.DrawFn) -> Pair:
    if draw(st.booleans()):
        return draw(described({"type": "boolean"})), st.booleans()
    if draw(st.booleans()):
        return {"type": "integer", "const": 2}, st.just(2)
    low, high = sorted(draw(st.lists(st.integers(0, 10**16), min_size=2, max_size=2)))
    schema: Schema = {"type": "integer", "minimum": low, "maximum": high}
    return draw(described(schema | draw(st.sampled_from([{}, {"x-default": 2}])))), st.integers(
        low, high
    )


@st.composite
def arrays(draw: st.DrawFn, inner: st.SearchStrategy[Pair]) -> Pair:
    items, values = draw(inner)
    most = draw(st.sampled_from([3, 5_000]))
    schema: Schema = {"type": "array", "items": items, "maxItems": most, "minItems": 0}
    if items.get("type") == "string":
        schema |= draw(st.sampled_from([{}, {"uniqueItems": True}, {"x-distinct": "casefold"}]))
    return draw(described(schema)), st.lists(values, max_size=3)


@st.composite
def objects(draw: st.DrawFn, inner: st.SearchStrategy[Pair], tag: str | None = None) -> Pair:
    pairs = draw(st.lists(inner, max_size=3))
    properties = {f"p{i}": schema for i, (schema, _) in enumerate(pairs)}
    values = {f"p{i}": found for i, (_, found) in enumerate(pairs)}
    required = [name for name in properties if draw(st.booleans())]
    if tag is not None:
        properties["tag"] = {"type": "string", "const": tag}
        values["tag"] = st.just(tag)
        required.append("tag")
    schema = {
        "title": "Thing",
        "type": "object",
        "additionalProperties": False,
        "properties": properties,
        "required": required,
    }
    optional = {name: found for name, found in values.items() if name not in required}
    must = {name: found for name, found in values.items() if name in required}
    return schema, st.fixed_dictionaries(must, optional=optional)


@st.composite
def unions(draw: st.DrawFn, inner: st.SearchStrategy[Pair]) -> Pair:
    (one, ones), (two, twos) = draw(objects(inner, "one")), draw(objects(inner, "two"))
    schema = {"oneOf": [one, two], "discriminator": {"propertyName": "tag"}}
    return draw(described(schema)), ones | twos


@st.composite
def nullable(draw: st.DrawFn, inner: st.SearchStrategy[Pair]) -> Pair:
    schema, values = draw(inner)
    if "anyOf" in schema:
        return schema, values
    return draw(described({"anyOf": [schema, {"type": "null"}]})), values | st.none()


OPEN: Pair = (
    {"type": "object", "description": "Any.", "x-open": "why"},
    st.dictionaries(st.text(max_size=2), st.integers(), max_size=2),
)
VALUES = st.recursive(
    texts() | numbers() | st.just(OPEN),
    lambda inner: arrays(inner) | objects(inner) | unions(inner) | nullable(inner),
    max_leaves=8,
)


@st.composite
def roots(draw: st.DrawFn) -> tuple[Schema, Any]:
    """Return a resolved root schema and one raw value that may or may not fit it."""
    schema, values = draw(objects(VALUES))
    if draw(st.booleans()):
        schema["allOf"] = [{"title": "together", "not": {"required": ["p0", "p1"]}}]
    return schema, draw(values)


def normalised(value: Any, schema: Schema) -> Any:
    """Return `value` as the server reads it under `schema`: named texts normalised."""
    if isinstance(value, str) and "x-normalise" in schema:
        return NORMALISE[schema["x-normalise"]](value)
    if isinstance(value, list):
        return [normalised(item, schema["items"]) for item in value] if "items" in schema else value
    for keyword in ("anyOf", "oneOf"):
        if keyword in schema and value is not None:
            return normalised(value, _branch(value, schema[keyword]))
    if isinstance(value, dict):
        known = schema.get("properties", {})
        return {name: normalised(item, known.get(name, {})) for name, item in value.items()}
    return value


def _branch(value: Any, branches: list[Schema]) -> Schema:
    for branch in branches:
        tag = branch.get("properties", {}).get("tag", {}).get("const")
        if tag is not None and isinstance(value, dict) and value.get("tag") == tag:
            return branch
    return branches[0]
