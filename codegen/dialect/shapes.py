"""The five shapes of a rule across members, read from their JSON Schema form.

The shapes are exact: one member more, and it is no shape. What is not recognised would not be
enforced, so D13 refuses it.
"""

from collections.abc import Callable, Mapping

from codegen.dialect.sites import Object, are_texts, as_list, as_object
from mymcp.contract.rules import (
    Allows,
    Excludes,
    PresentExactlyWhen,
    RequiredWithText,
    Requires,
)

Shape = Requires | Excludes | Allows | PresentExactlyWhen | RequiredWithText

_ANNOTATIONS = frozenset(("title", "description"))


def recognise(schema: object) -> Shape | None:
    """Return the rule that `schema` says, a resolved member of `allOf`; none for any other form."""
    keywords = as_object(schema)
    title = keywords.get("title")
    if not isinstance(title, str):
        return None
    body = {name: found for name, found in keywords.items() if name not in _ANNOTATIONS}
    read = _SHAPES.get(frozenset(body))
    return read(title, body) if read else None


def _requires(title: str, body: Object) -> Requires | None:
    table = as_object(body["dependentRequired"])
    if len(table) != 1:
        return None
    ((name, others),) = table.items()
    return Requires(title, name, others[0]) if are_texts(others) and len(others) == 1 else None


def _excludes(title: str, body: Object) -> Excludes | None:
    names = _only(body["not"], "required")
    if are_texts(names) and len(names) > 1 and len(set(names)) == len(names):
        return Excludes(title, tuple(names))
    return None


def _allows(title: str, body: Object) -> Allows | None:
    table: dict[str, frozenset[str]] = {}
    places: set[tuple[str, tuple[str, ...]]] = set()
    for branch in as_list(body["anyOf"]):
        found = _allowed(branch)
        if found is None or found[1] in table:
            return None
        key, text, path, texts = found
        table[text] = frozenset(texts)
        places.add((key, path))
    if len(places) != 1:
        return None
    ((key, path),) = places
    return Allows(title, (key,), path, table)


def _allowed(branch: object) -> tuple[str, str, tuple[str, ...], list[str]] | None:
    """Return key, its text, path and its texts of one branch of the `allows` shape."""
    members = as_object(_only(branch, "properties"))
    if len(members) != 2:
        return None
    keys = [name for name, schema in members.items() if set(as_object(schema)) == {"const"}]
    if len(keys) != 1:
        return None
    key = keys[0]
    ((other, schema),) = ((name, found) for name, found in members.items() if name != key)
    path: tuple[str, ...] = (other,)
    inner = as_object(_only(schema, "properties"))
    if len(inner) == 1:
        ((below, schema),) = inner.items()
        path = (other, below)
    text, texts = as_object(members[key])["const"], _only(schema, "enum")
    if isinstance(text, str) and are_texts(texts) and texts:
        return key, text, path, texts
    return None


def _present_exactly_when(title: str, body: Object) -> PresentExactlyWhen | None:
    condition, name = as_object(body["if"]), _one_required(body["then"])
    members = as_object(condition.get("properties"))
    if name is None or body["else"] != {"not": {"required": [name]}} or len(members) != 1:
        return None
    ((key, schema),) = members.items()
    text = _only(schema, "const")
    if condition == {"properties": members, "required": [key]} and isinstance(text, str):
        return PresentExactlyWhen(title, name, (key,), text)
    return None


def _required_with_text(title: str, body: Object) -> RequiredWithText | None:
    name, key = _one_required(body["then"]), _path_of_text(body["if"])
    return RequiredWithText(title, name, key) if name is not None and key else None


def _path_of_text(condition: object, *, level: int = 0) -> tuple[str, ...] | None:
    """Return the path (one or two names) at which `condition` demands a text."""
    members = as_object(as_object(condition).get("properties"))
    if len(members) != 1 or level > 1:
        return None
    ((key, schema),) = members.items()
    if condition != {"properties": members, "required": [key]}:
        return None
    if schema == {"type": "string"}:
        return (key,)
    below = _path_of_text(schema, level=level + 1)
    return (key, *below) if below else None


def _one_required(schema: object) -> str | None:
    names = _only(schema, "required")
    return names[0] if are_texts(names) and len(names) == 1 else None


def _only(schema: object, keyword: str) -> object:
    """Return the value of `keyword` where nothing stands beside it."""
    keywords = as_object(schema)
    return keywords[keyword] if set(keywords) == {keyword} else None


_SHAPES: Mapping[frozenset[str], Callable[[str, Object], Shape | None]] = {
    frozenset(("dependentRequired",)): _requires,
    frozenset(("not",)): _excludes,
    frozenset(("anyOf",)): _allows,
    frozenset(("if", "then", "else")): _present_exactly_when,
    frozenset(("if", "then")): _required_with_text,
}
