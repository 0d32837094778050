"""Values as Python source. The formatter cares for its beauty, this module for its meaning."""

from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from types import FunctionType


def literal(value: object) -> str:
    """Return an expression that evaluates to `value`.

    Knows texts, numbers, booleans, none, tuples, sets, mappings, functions (by name) and
    dataclasses (by keywords; members that have their default are left out). Sets come sorted, so
    that the hash seed does not matter. Raises `TypeError` for anything else.
    """
    if value is None or isinstance(value, str | int):
        return repr(value)
    if isinstance(value, tuple):
        inner = ", ".join(literal(item) for item in value)
        return f"({inner},)" if len(value) == 1 else f"({inner})"
    if isinstance(value, frozenset):
        inner = ", ".join(sorted(literal(item) for item in value))
        return f"frozenset(({inner},))" if value else "frozenset()"
    if isinstance(value, Mapping):
        pairs = ", ".join(f"{literal(key)}: {literal(item)}" for key, item in value.items())
        return f"{{{pairs}}}"
    if is_dataclass(value) and not isinstance(value, type):
        return _construction(value)
    if isinstance(value, FunctionType):
        return value.__name__
    raise TypeError(f"no source for a {type(value).__name__}")


def names_in(value: object) -> frozenset[str]:
    """Return the names that `literal(value)` needs imported: classes and functions."""
    if isinstance(value, str | int) or value is None:
        return frozenset()
    if isinstance(value, Mapping):
        return names_in(tuple(value.values()))
    if isinstance(value, tuple | frozenset):
        return frozenset().union(*(names_in(item) for item in value))
    if is_dataclass(value) and not isinstance(value, type):
        inner = (getattr(value, field.name) for field in fields(value))
        return frozenset({type(value).__name__}).union(*(names_in(item) for item in inner))
    return frozenset({value.__name__} if isinstance(value, FunctionType) else ())


def docstring(text: str) -> str:
    """Return `text`, one line, as the literal of a docstring."""
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"""{escaped}"""'


def alternatives(values: tuple[str, ...]) -> str:
    """Return the `Literal` type of `values`."""
    return f"Literal[{', '.join(literal(value) for value in values)}]"


def _construction(value: object) -> str:
    parts = []
    for field in fields(value):  # type: ignore[arg-type]  # the caller has seen a dataclass
        member = getattr(value, field.name)
        if member != field.default:
            parts.append(f"{field.name}={literal(member)}")
    return f"{type(value).__name__}({', '.join(parts)})"
