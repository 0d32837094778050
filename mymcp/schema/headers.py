"""Properties that clients also send in a header. MCP 2026-07-28, `x-mcp-header`."""

from collections.abc import Iterator, Mapping
from re import compile as pattern
from typing import Final

from mymcp.schema.resolution import SCHEMA_LISTS, SCHEMA_MAPS, SCHEMAS
from mymcp.schema.scalars import HEADER

_TYPES: Final = frozenset({"string", "integer", "boolean"})
_MAPS: Final = (*SCHEMA_MAPS, "$defs", "definitions")
_token: Final = pattern(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+").fullmatch

Path = tuple[str, ...]


def parameter_headers(schema: Mapping[str, object]) -> Mapping[str, Path]:
    """Return where each header of `schema` stands: its name as written, the path of its property.

    Raises `ValueError` for an annotation for which clients drop the whole tool: no token, twice
    the same but for letter case, on another type, or not reached through `properties` alone.
    """
    found: dict[str, Path] = {}
    for path, inner, is_plain in _annotated(schema, (), is_plain=True):
        name, kind = inner[HEADER], inner.get("type")
        if not is_plain or not path or not isinstance(name, str) or not _token(name):
            raise ValueError("a header where none can be")
        if not isinstance(kind, str) or kind not in _TYPES:
            raise ValueError("a header of another type")
        if name.casefold() in map(str.casefold, found):
            raise ValueError("a header that stands twice")
        found[name] = path
    return found


def _annotated(
    schema: object, path: Path, *, is_plain: bool
) -> Iterator[tuple[Path, Mapping[str, object], bool]]:
    """Yield every schema within that names a header, and whether only properties lead there."""
    if not isinstance(schema, Mapping):
        return
    if HEADER in schema:
        yield path, schema, is_plain
    for keyword, item in schema.items():
        if keyword in _MAPS and isinstance(item, Mapping):
            plain = is_plain and keyword == "properties"
            for name, inner in item.items():
                yield from _annotated(inner, (*path, name), is_plain=plain)
        elif keyword in SCHEMAS:
            yield from _annotated(item, path, is_plain=False)
        elif keyword in SCHEMA_LISTS and isinstance(item, list):
            for inner in item:
                yield from _annotated(inner, path, is_plain=False)
