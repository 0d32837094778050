"""An independent judge of the contracts: a JSON Schema validator that is not ours.

It reads the contract files as they stand, follows their references itself and sees what a reader
sees after normalisation. It shares no code with the product.
"""

import json
import re
import unicodedata
from collections.abc import Callable
from pathlib import Path
from typing import Any

import jsonschema_rs

ROOT = Path(__file__).parents[2] / "contracts"
BASE = "file:///contracts/"
SECTIONS = {
    "tools": "input",
    "records": "record",
    "manifests": "manifest",
    "config": "config",
    "credentials": "credential",
}
"""The member of a contract that holds its schema, by the folder."""


class _Distinct:
    """The one keyword of the dialect that JSON Schema does not have: distinct when folded."""

    def __init__(self, _parent: object, value: object, _path: object) -> None:
        assert value == "casefold"

    def validate(self, instance: object) -> None:
        if isinstance(instance, list) and all(isinstance(item, str) for item in instance):
            folded = {item.casefold() for item in instance}
            if len(folded) != len(instance):
                raise ValueError("not distinct")


def documents() -> dict[str, Any]:
    """Return every contract file by its URI, without the `$schema` of its envelope."""
    found = {}
    for path in sorted(ROOT.rglob("*.json")):
        name = path.relative_to(ROOT).as_posix()
        if name.split("/")[0] in {"shared", *SECTIONS}:
            document = json.loads(path.read_text("utf-8"))
            document.pop("$schema", None)
            found[BASE + name] = document
    return found


DOCUMENTS = documents()


def contracts() -> list[tuple[str, str]]:
    """Return (name, reference) of every input, record, manifest and settings contract."""
    found = []
    for uri, document in DOCUMENTS.items():
        section = SECTIONS.get(uri.removeprefix(BASE).split("/")[0])
        if section in document:
            found.append((uri.removeprefix(BASE).removesuffix(".json"), f"{uri}#/{section}"))
    return found


def results() -> list[tuple[str, str]]:
    """Return (tool, reference) of every result contract."""
    return [
        (uri.rpartition("/")[2].removesuffix(".json"), f"{uri}#/result")
        for uri, document in DOCUMENTS.items()
        if "result" in document
    ]


def validator(reference: str) -> Callable[[object], bool]:
    """Return the judge of the schema at `reference`."""
    registry = jsonschema_rs.Registry(list(DOCUMENTS.items()))
    checker = jsonschema_rs.validator_for(
        {"$ref": reference}, registry=registry, keywords={"x-distinct": _Distinct}
    )
    return checker.is_valid


def look_up(reference: str, base: str) -> tuple[dict[str, Any], str]:
    """Return the schema that `reference` names, seen from `base`, and the file it stands in."""
    target, _, pointer = reference.partition("#")
    uri = _join(base, target) if target else base
    schema: Any = DOCUMENTS[uri]
    for part in pointer.split("/")[1:]:
        schema = schema[part]
    return schema, uri


def normalised(value: object, reference: str, base: str = "") -> object:
    """Return `value` as a reader sees it: each text normalised as its contract says."""
    schema, uri = look_up(reference, base)
    return _normalised(value, schema, uri)


def _normalised(value: Any, schema: dict[str, Any], uri: str) -> Any:
    if "$ref" in schema:
        target, where = look_up(schema["$ref"], uri)
        return _normalised(value, target, where)
    if "anyOf" in schema and value is not None:
        return _normalised(value, schema["anyOf"][0], uri)
    if "oneOf" in schema:
        return _normalised_member(value, schema, uri)
    if isinstance(value, str):
        return TEXT.get(schema.get("x-normalise", ""), str)(value)
    return _normalised_parts(value, schema, uri)


def _normalised_parts(value: Any, schema: dict[str, Any], uri: str) -> Any:
    if isinstance(value, list) and "items" in schema:
        return [_normalised(item, schema["items"], uri) for item in value]
    if isinstance(value, dict) and "properties" in schema:
        known = schema["properties"]
        return {k: _normalised(v, known[k], uri) if k in known else v for k, v in value.items()}
    return value


def _normalised_member(value: Any, schema: dict[str, Any], uri: str) -> Any:
    if not isinstance(value, dict):
        return value
    name = schema["discriminator"]["propertyName"]
    tag = value.get(name)
    for member in schema["oneOf"]:
        target, where = look_up(member["$ref"], uri)
        if type(tag) is int and target["properties"][name]["const"] == tag:
            return _normalised(value, target, where)
    return value


def _join(base: str, relative: str) -> str:
    if relative.startswith(BASE):
        return relative
    parts = base.removeprefix(BASE).split("/")[:-1]
    for step in relative.split("/"):
        if step == "..":
            parts.pop()
        else:
            parts.append(step)
    return BASE + "/".join(parts)


# Python's white space, spelled out: what str.isspace says, not what a library strips.
_SPACE = "\t-\r\x1c-\x20\x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000"


def _trimmed(text: str) -> str:
    text = unicodedata.normalize("NFC", re.sub("\r\n?", "\n", text))
    return re.sub(f"^[{_SPACE}]+|[{_SPACE}]+$", "", text)


def _collapsed(text: str) -> str:
    return re.sub(f"[{_SPACE}]+", " ", unicodedata.normalize("NFC", text)).strip(" ")


def _lowered(text: str) -> str:
    text = re.sub(f"^[{_SPACE}]+|[{_SPACE}]+$", "", text)
    return re.sub("[A-Z]", lambda m: m.group().lower(), text) if text.isascii() else text


TEXT: dict[str, Callable[[str], str]] = {
    "trimmed": _trimmed,
    "collapsed": _collapsed,
    "lowered": _lowered,
}
