"""What a rule is given: one document, and all it may need to know of the others."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from codegen.catalog import Catalog, Document
from codegen.dialect.finding import Place
from codegen.dialect.meta import validators_of
from codegen.dialect.sites import (
    NULL,
    Object,
    Role,
    Root,
    Site,
    as_list,
    as_object,
    roots_of,
    sites_of,
)
from mymcp.schema.resolution import LEVELS_MAX, SUBSCHEMAS_MAX, Target, file_of, follow

if TYPE_CHECKING:
    from jsonschema import Draft202012Validator


ITEMS = "*"
"""Stands in a path for every position of an array; no member has this name."""


@dataclass(frozen=True, slots=True)
class Member:
    """One place of the values that a root describes, reached through references.

    `path` leads there from the root, through arrays with `ITEMS`. `schema` is what counts there,
    `home` where it stands, `named` whether a reference led to it. `through` says what lies on the
    way: `items`, `union`, `null`. A member of a union, or the value beside null, is a `branch`: it
    stands at the path of the whole.
    """

    path: tuple[str, ...]
    schema: Object
    home: Place
    required: bool = False
    named: bool = False
    branch: bool = False
    through: frozenset[str] = frozenset()


@dataclass(frozen=True, eq=False)
class Context:
    """The whole catalog with what rules ask of it again and again."""

    catalog: Catalog

    @cached_property
    def values(self) -> Mapping[str, object]:
        """The content of every file by path."""
        return self.catalog.values

    @cached_property
    def metas(self) -> "Mapping[str, Draft202012Validator | None]":
        """The validator of each meta-schema by path; none where the file is no schema."""
        return validators_of(self.catalog.of("meta"))

    @cached_property
    def links(self) -> Mapping[tuple[str, str], tuple[tuple[str, str], ...]]:
        """Which definitions each definition refers to, both as path and pointer."""
        return {
            (root.place.file, root.place.pointer): tuple(
                (target.path, target.pointer)
                for site in sites_of(root)
                if isinstance(target := self.target(site), Target)
            )
            for document in self.catalog.documents
            for root in roots_of(document)
            if root.role == "definition"
        }

    @cached_property
    def files(self) -> Mapping[str, frozenset[str]]:
        """Which files each file builds on; a profile, with its budget, on all tools."""
        found: dict[str, set[str]] = {document.path: set() for document in self.catalog.documents}
        for document in self.catalog.documents:
            for site in (site for root in roots_of(document) for site in sites_of(root)):
                path = file_of(site.keywords.get("$ref"), document.path)
                if path is not None:
                    found[document.path].add(path)
        for profile in self.catalog.of("profile"):
            found[profile.path] |= {tool.path for tool in self.catalog.of("tool")}
        return {path: frozenset(others) for path, others in found.items()}

    def standing_on(self, paths: frozenset[str]) -> frozenset[str]:
        """Return `paths` and every file that builds on one of them, however far."""
        found, size = set(paths), 0
        while size != len(found):
            size = len(found)
            found |= {path for path, others in self.files.items() if others & found}
        return frozenset(found)

    def target(self, site: Site) -> Target | None:
        """Return where the `$ref` of `site` leads; none without one or when it leads nowhere."""
        return self.follow(site.keywords.get("$ref"), site.place.file)

    def follow(self, reference: object, file: str) -> Target | None:
        """Return where `reference`, written in `file`, leads, if anywhere."""
        if not isinstance(reference, str):
            return None
        found = follow(reference, file, self.values)
        return found if isinstance(found, Target) else None

    def meant(self, schema: object, file: str) -> tuple[Object, Place | None]:
        """Return what `schema` means once its references are followed, and where that stands.

        The place is none where no reference was followed. A reference that leads nowhere or comes
        back to itself means nothing.
        """
        place: Place | None = None
        beside: dict[str, object] = {}
        keywords = as_object(schema)
        seen: set[tuple[str, str]] = set()
        while "$ref" in keywords:
            target = self.follow(keywords["$ref"], file)
            if target is None or (target.path, target.pointer) in seen:
                return {}, place
            seen.add((target.path, target.pointer))
            beside = {n: v for n, v in keywords.items() if n != "$ref"} | beside
            keywords, file = as_object(target.schema), target.path
            place = Place(target.path, target.pointer)
        return {**keywords, **beside}, place


@dataclass(frozen=True, eq=False)
class Subject:
    """One document under the rules."""

    document: Document
    context: Context

    @property
    def place(self) -> Place:
        """The root of the file."""
        return Place(self.document.path)

    @cached_property
    def roots(self) -> tuple[Root, ...]:
        """The roots of the file."""
        return tuple(roots_of(self.document))

    @cached_property
    def all_sites(self) -> tuple[Site, ...]:
        """Every authored subschema of the file, rules included."""
        return tuple(site for root in self.roots for site in sites_of(root))

    @cached_property
    def sites(self) -> tuple[Site, ...]:
        """Every authored subschema of the file that describes values."""
        return tuple(site for site in self.all_sites if not site.rule)

    @cached_property
    def members(self) -> Mapping[Role, tuple[Member, ...]]:
        """The members of the file's roots that stand for values of their own, by role."""
        return {
            root.role: tuple(self._members(root))
            for root in self.roots
            if root.role not in ("definition", "detail")
        }

    def _members(self, root: Root) -> Iterator[Member]:
        walk = _walk(self.context, root.schema, Member((), {}, root.place), ())
        for member, _ in zip(walk, range(SUBSCHEMAS_MAX), strict=False):
            yield member


def _walk(
    context: Context, schema: object, start: Member, unfolding: tuple[Place, ...]
) -> Iterator[Member]:
    """Yield the members below and at `start`, which says how `schema` was reached."""
    keywords, home = context.meant(schema, start.home.file)
    if home in unfolding or len(unfolding) + len(start.path) > LEVELS_MAX:
        return
    unfolding = unfolding if home is None else (*unfolding, home)
    place = home or start.home
    here = Member(
        start.path,
        keywords,
        place,
        required=start.required,
        named=home is not None or start.named,
        branch=start.branch,
        through=start.through,
    )
    yield here
    required = as_list(keywords.get("required"))
    for name, inner in as_object(keywords.get("properties")).items():
        below = Member(
            (*start.path, name),
            {},
            place.below("properties", name),
            required=name in required,
            through=start.through,
        )
        yield from _walk(context, inner, below, unfolding)
    if "items" in keywords:
        below = Member(
            (*start.path, ITEMS), {}, place.below("items"), through=start.through | {"items"}
        )
        yield from _walk(context, keywords["items"], below, unfolding)
    for keyword, mark in (("anyOf", "null"), ("oneOf", "union")):
        for position, inner in enumerate(as_list(keywords.get(keyword))):
            if inner != NULL:
                below = Member(
                    start.path,
                    {},
                    place.below(keyword, position),
                    branch=True,
                    through=start.through | {mark},
                )
                yield from _walk(context, inner, below, unfolding)
