"""Contracts in the form that the model generator reads.

The generator drops keywords silently and names classes after what surrounds them. So every object
becomes a named definition without title, and what a reader checks (rules, distinct items) or what
only people read (`x-` keywords) is taken out; `codegen.rules` carries it.
"""

import textwrap
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import PurePosixPath

from codegen.catalog import Catalog, Document
from codegen.rules import is_rule

DOCSTRING_COLUMNS = 92

ROOTS: Mapping[str, tuple[str, ...]] = {
    "shared": (),
    "tool": ("input", "result"),
    "record": ("record",),
    "manifest_schema": ("manifest",),
    "config": ("config",),
    "credential": ("credential",),
}
"""The members of a document, by its kind, that become models."""

_DROPPED = frozenset({"title", "allOf", "uniqueItems"})


@dataclass(frozen=True, slots=True)
class Staged:
    """One document for the generator: where it stands, its definitions, texts to normalise."""

    path: PurePosixPath
    source: str
    definitions: Mapping[str, object]
    normalised: Mapping[str, str]


def stage(catalog: Catalog) -> tuple[Staged, ...]:
    """Return every document of `catalog` that becomes models, sorted by its contract's path."""
    return tuple(_staged(d) for d in catalog.documents if d.kind in ROOTS)


def module_of(document: Document) -> PurePosixPath:
    """Return the path of a document's generated module below `models`."""
    path = PurePosixPath(document.path).relative_to("contracts").with_suffix(".py")
    return PurePosixPath(*(part.replace("-", "_") for part in path.parts))


def _staged(document: Document) -> Staged:
    definitions = {
        name: schema
        for name, schema in _mapping(document.members.get("$defs")).items()
        if not is_rule(_mapping(schema))
    }
    roots = [_mapping(document.members[root]) for root in ROOTS[document.kind]]
    normal = _NormalForm()
    for name, schema in definitions.items():
        normal.define(name, _mapping(schema))
    for root in roots:
        normal.define(str(root["title"]), root)
    return Staged(
        module_of(document).with_suffix(".json"),
        document.path,
        normal.definitions,
        {
            name: str(_mapping(schema)["x-normalise"])
            for name, schema in definitions.items()
            if "x-normalise" in _mapping(schema)
        },
    )


@dataclass(slots=True)
class _NormalForm:
    definitions: dict[str, object] = field(default_factory=dict)

    def define(self, name: str, schema: Mapping[str, object]) -> None:
        self.definitions[name] = self._strip(schema)

    def _schema(self, schema: Mapping[str, object]) -> dict[str, object]:
        """Strip a schema; one that is an object with members becomes a definition of its own."""
        if "properties" not in schema:
            return self._strip(schema)
        name = str(schema["title"])
        self.define(name, schema)
        return {"$ref": f"#/$defs/{name}"}

    def _strip(self, schema: Mapping[str, object]) -> dict[str, object]:
        return {
            keyword: self._value(keyword, value)
            for keyword, value in schema.items()
            if keyword not in _DROPPED and not keyword.startswith("x-")
        }

    def _value(self, keyword: str, value: object) -> object:
        if keyword == "properties":
            return {name: self._schema(_mapping(inner)) for name, inner in _mapping(value).items()}
        if keyword == "items":
            return self._schema(_mapping(value))
        if keyword in {"anyOf", "oneOf"} and isinstance(value, list):
            return [self._schema(_mapping(branch)) for branch in value]
        return _plain(keyword, value)


def _plain(keyword: str, value: object) -> object:
    if keyword == "$ref":
        return _reference(str(value))
    if keyword == "discriminator":
        return _discriminator(_mapping(value))
    if keyword == "description":
        return "\n".join(_wrapped(str(value)))
    return value


def _wrapped(text: str) -> Iterator[str]:
    for paragraph in text.split("\n"):
        yield from textwrap.wrap(paragraph, DOCSTRING_COLUMNS) or [""]


def _reference(reference: str) -> str:
    """Point into the staged file, whose name is a module's: hyphens become underscores."""
    file, _, pointer = reference.partition("#")
    folder, slash, name = file.rpartition("/")
    return f"{folder}{slash}{name.replace('-', '_')}#{pointer}"


def _discriminator(value: Mapping[str, object]) -> dict[str, object]:
    mapping = _mapping(value["mapping"])
    return {**value, "mapping": {key: _reference(str(to)) for key, to in mapping.items()}}


def _mapping(value: object) -> Mapping[str, object]:
    return value if isinstance(value, Mapping) else {}
