"""From a contract schema to the one that clients see.

A grammar-building client compiles all tools of a request at once, so one construct that it does
not know breaks every tool. Each pass removes or rewrites one such construct and only ever widens:
raw arguments that the server accepts are valid under the published schema. What a pass loses the
server still enforces. Profile: `contracts/profiles/llama-safe-v1.json`.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from mymcp.schema.patterns import parts_of

LENGTH_MAX = 1_000
COUNT_MAX = 1_000
INTEGER_MAX_DIGITS = 15
PATTERN_CONSTRUCTS = frozenset(
    ("literal", "class", "range", "escape", "group", "alternation", "quantifier", "counted")
)
"""What the passes leave in; a test holds it within the profile's data."""

KEPT_ANNOTATIONS = frozenset({"x-mcp-header"})
"""Clients send the argument in a header as well."""

Schema = dict[str, object]

_NORMALISATIONS = {
    "trimmed": "Outer blanks are cut.",
    "collapsed": "Runs of blanks count as one.",
    "lowered": "Letter case is ignored.",
}
_WORD = re.compile(r"[^\W_]+")
_SAYS_NOTHING = frozenset(("a", "an", "its", "null", "of", "or", "the"))


@dataclass(frozen=True, slots=True)
class Loss:
    """Something that the contract says and the published schema does not.

    `pointer` is the place in the resolved schema, `step` the pass, `what` the lost keyword or rule.
    """

    pointer: str
    step: str
    what: str


@dataclass(frozen=True, slots=True)
class Published:
    """The schema that clients see, and what it lost against its contract, in document order."""

    schema: Schema
    losses: tuple[Loss, ...]


@dataclass(slots=True)
class Node:
    """One subschema on its way through the passes. Its children have been through them already."""

    schema: Schema
    pointer: str
    losses: list[Loss]
    step: str = ""
    sentences: list[str] = field(default_factory=list)

    def drop(self, keyword: str, sentence: str = "") -> object:
        """Remove `keyword` as a loss, tell people with `sentence`, return what stood there."""
        self.losses.append(Loss(self.pointer, self.step, keyword))
        self.say(sentence)
        return self.schema.pop(keyword)

    def say(self, sentence: str, *, unless: str = "") -> None:
        """Add `sentence` to the description that comes out.

        Not when the description says so already: the sentence itself or, if given, `unless`.
        """
        words = (unless or sentence.rstrip(".")).casefold()
        if sentence and words not in str(self.schema.get("description", "")).casefold():
            self.sentences.append(sentence)


@dataclass(frozen=True, slots=True)
class Pass:
    """One step: its name, what is lost by it, and the function that does it to a node."""

    name: str
    loses: str
    apply: Callable[[Node], None]


def publish(schema: Mapping[str, object]) -> Published:
    """Return what clients see of `schema`, a resolved contract schema of arguments.

    Never raises for a schema that `resolve` gave; what the passes do not know they leave, and the
    profile check refuses it.
    """
    return _through(PASSES, schema)


def publish_answer(schema: Mapping[str, object]) -> Published:
    """Return what clients see of `schema`, a resolved contract schema of a result.

    Clients check an answer, they never make one up: its types and vocabularies stay, the bounds of
    its texts do not, so that a list of tools stays small in a prompt.
    """
    return _through(ANSWER_PASSES, schema)


def drop_rules(node: Node) -> None:
    """Remove `allOf`: grammars ignore it, or make every member required."""
    rules = node.schema.pop("allOf", None)
    for rule in rules if isinstance(rules, list) else ():
        title = rule.get("title") if isinstance(rule, dict) else None
        node.losses.append(Loss(node.pointer, node.step, f"rule {title}"))


def open_unions(node: Node) -> None:
    """Turn `oneOf` into `anyOf`, and a union within a union into one."""
    node.schema.pop("discriminator", None)
    if "oneOf" in node.schema:
        node.schema = {("anyOf" if k == "oneOf" else k): v for k, v in node.schema.items()}
    branches = node.schema.get("anyOf")
    if isinstance(branches, list):
        node.schema["anyOf"] = [inner for branch in branches for inner in _branches_of(branch)]


def spell_constants(node: Node) -> None:
    """Turn `const` into a one-value `enum`, or equal `minimum` and `maximum`: not all know it."""
    if "const" not in node.schema:
        return
    value = node.schema["const"]
    spelled: Schema = {"enum": [value]}
    if type(value) is int:
        spelled = {"minimum": value, "maximum": value}
    node.schema = _replaced(node.schema, "const", spelled)


def relax_normalised(node: Node) -> None:
    """Drop what holds only after normalisation: the raw text is longer, and may look otherwise."""
    how = node.schema.get("x-normalise")
    if not isinstance(how, str):
        return
    if "enum" in node.schema:
        values = node.schema["enum"]
        texts = ", ".join(str(value) for value in values) if isinstance(values, list) else ""
        node.drop("enum", f"One of: {texts}.")
    if "pattern" in node.schema:
        node.drop("pattern")
    _drop_longest(node, 0)
    shortest = node.schema.get("minLength")
    if isinstance(shortest, int) and shortest > 1:
        _lower(node, "minLength", 1, f"At least {shortest:,} characters.")
    node.say(_NORMALISATIONS.get(how, ""))


def drop_patterns(node: Node) -> None:
    """Drop a pattern that some grammar builder cannot read; it would fail the whole request."""
    pattern = node.schema.get("pattern")
    if isinstance(pattern, str) and not is_portable(pattern):
        node.drop("pattern")


def choose_bound(node: Node) -> None:
    """Keep one of enum, pattern and lengths, in this order: the others would be ignored."""
    if "enum" in node.schema and "pattern" in node.schema:
        node.drop("pattern")
    if "enum" in node.schema or "pattern" in node.schema:
        _drop_longest(node, 0)
        shortest = node.schema.get("minLength")
        if isinstance(shortest, int):
            node.drop("minLength", f"At least {shortest:,} characters." if shortest > 1 else "")


def drop_large_bounds(node: Node) -> None:
    """Drop bounds that some grammar builder cannot unfold; lower those that may only be lowered."""
    _drop_longest(node, LENGTH_MAX)
    most = node.schema.get("maxItems")
    if isinstance(most, int) and most > COUNT_MAX:
        node.drop("maxItems", f"At most {most:,} items.")
    for keyword, limit, unit in (
        ("minLength", LENGTH_MAX, "characters"),
        ("minItems", COUNT_MAX, "items"),
    ):
        least = node.schema.get(keyword)
        if isinstance(least, int) and least > limit:
            _lower(node, keyword, limit, f"At least {least:,} {unit}.")
    for keyword, word in (("minimum", "least"), ("maximum", "most")):
        bound = node.schema.get(keyword)
        if isinstance(bound, int) and len(str(abs(bound))) > INTEGER_MAX_DIGITS:
            node.drop(keyword, f"At {word} {bound:,}.")


def drop_distinctness(node: Node) -> None:
    """Drop `uniqueItems` and `x-distinct`: one engine refuses them, the others look away."""
    if "x-distinct" in node.schema:
        node.drop("x-distinct")
        node.schema.pop("uniqueItems", None)
        node.say("All different, also when letter case is ignored.", unless="different")
    if "uniqueItems" in node.schema:
        node.drop("uniqueItems")
        node.say("All different.", unless="different")


def strip_annotations(node: Node) -> None:
    """Remove titles and `x-` members, move `x-default` into the description."""
    default = node.schema.get("x-default")
    if isinstance(default, int | str):
        text = str(default).lower() if isinstance(default, bool) else str(default)
        node.say(f"Default: {text}.", unless=text)
    node.schema = {
        name: item
        for name, item in node.schema.items()
        if name in KEPT_ANNOTATIONS or (name != "title" and not name.startswith("x-"))
    }


def drop_text_bounds(node: Node) -> None:
    """Remove patterns and lengths: the server keeps to them without being told by its client."""
    for keyword in ("pattern", "minLength", "maxLength"):
        if keyword in node.schema:
            node.drop(keyword)


def describe_once(node: Node) -> None:
    """Remove the descriptions of items and branches whose parent is described itself."""
    if "description" not in node.schema:
        return
    branches, items = node.schema.get("anyOf"), node.schema.get("items")
    if isinstance(branches, list):
        node.schema["anyOf"] = [_undescribed(branch) for branch in branches]
    if items is not None:
        node.schema["items"] = _undescribed(items)


def drop_echoes(node: Node) -> None:
    """Remove a description that says no more than the name of its member and its type do."""
    above, _, name = node.pointer.rpartition("/")
    description = node.schema.get("description")
    if not above.endswith("/properties") or not isinstance(description, str):
        return
    words = set(_WORD.findall(description.casefold())) - _SAYS_NOTHING
    if words <= set(_WORD.findall(name.casefold())):
        del node.schema["description"]


PASSES: tuple[Pass, ...] = (
    Pass("rules", "rules between members", drop_rules),
    Pass("unions", "that no two branches fit at once", open_unions),
    Pass("constants", "nothing", spell_constants),
    Pass("normalised", "bounds that hold after normalisation", relax_normalised),
    Pass("patterns", "patterns outside the common subset", drop_patterns),
    Pass("one_bound", "lengths beside a pattern or an enumeration", choose_bound),
    Pass("large_bounds", "bounds beyond what a grammar can count", drop_large_bounds),
    Pass("distinct", "that items differ", drop_distinctness),
    Pass("annotations", "nothing that is enforced", strip_annotations),
)
"""In order; `docs/contracts` lists them."""

ANSWER_PASSES: tuple[Pass, ...] = (
    Pass("text_bounds", "bounds of texts in an answer", drop_text_bounds),
    *PASSES,
    Pass("described_once", "descriptions of described parts", describe_once),
    Pass("echoes", "nothing", drop_echoes),
)
"""What results go through instead."""


def is_portable(pattern: str) -> bool:
    """Tell whether every grammar builder can read `pattern`."""
    return all(
        part.kind in PATTERN_CONSTRUCTS and part.bound <= LENGTH_MAX for part in parts_of(pattern)
    )


def _through(passes: tuple[Pass, ...], schema: Mapping[str, object]) -> Published:
    losses: list[Loss] = []
    return Published(_published(passes, dict(schema), "", losses), tuple(losses))


def _published(
    passes: tuple[Pass, ...], schema: Schema, pointer: str, losses: list[Loss]
) -> Schema:
    node = Node(_with_published_children(passes, schema, pointer, losses), pointer, losses)
    for step in passes:
        node.step = step.name
        step.apply(node)
    return _described(node.schema, node.sentences)


def _with_published_children(
    passes: tuple[Pass, ...], schema: Schema, pointer: str, losses: list[Loss]
) -> Schema:
    result: Schema = {}
    for name, item in schema.items():
        result[name] = item
        if name == "properties" and isinstance(item, dict):
            result[name] = {
                key: _child(passes, found, f"{pointer}/properties/{_escaped(key)}", losses)
                for key, found in item.items()
            }
        elif name in ("anyOf", "oneOf") and isinstance(item, list):
            result[name] = [
                _child(passes, found, f"{pointer}/{name}/{position}", losses)
                for position, found in enumerate(item)
            ]
        elif name == "items":
            result[name] = _child(passes, item, f"{pointer}/items", losses)
    return result


def _child(passes: tuple[Pass, ...], schema: object, pointer: str, losses: list[Loss]) -> object:
    return _published(passes, schema, pointer, losses) if isinstance(schema, dict) else schema


def _described(schema: Schema, sentences: list[str]) -> Schema:
    if not sentences:
        return schema
    text = " ".join((str(schema.get("description", "")), *sentences)).strip()
    if "description" in schema:
        return {**schema, "description": text}
    return {"type": schema.get("type"), "description": text} | schema


def _undescribed(schema: object) -> object:
    if not isinstance(schema, dict):
        return schema
    return {name: item for name, item in schema.items() if name != "description"}


def _branches_of(branch: object) -> list[object]:
    inner = branch.get("anyOf") if isinstance(branch, dict) else None
    return inner if isinstance(inner, list) else [branch]


def _drop_longest(node: Node, limit: int) -> None:
    longest = node.schema.get("maxLength")
    if isinstance(longest, int) and longest > limit:
        node.drop("maxLength", f"At most {longest:,} characters.")


def _lower(node: Node, keyword: str, bound: int, sentence: str) -> None:
    node.losses.append(Loss(node.pointer, node.step, keyword))
    node.say(sentence)
    node.schema[keyword] = bound


def _replaced(schema: Schema, keyword: str, by: Schema) -> Schema:
    result: Schema = {}
    for name, item in schema.items():
        result |= by if name == keyword else {name: item}
    return result


def _escaped(name: str) -> str:
    return name.replace("~", "~0").replace("/", "~1")
