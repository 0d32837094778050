"""Arguments with several faults at once: the declared first one must be the answer."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

OMIT: Any = object()
"""Stands for an argument that is left out."""


@dataclass(frozen=True)
class Violation:
    """One fault: what it changes in good arguments (dotted names go inside), and its answer."""

    changes: Mapping[str, Any]
    code: str
    field: str | None = None


def spoilt(good: Mapping[str, Any], violations: Sequence[Violation]) -> dict[str, Any]:
    """Return `good` with all faults; of two that change the same, the first counts."""
    arguments = _copied(good)
    for violation in reversed(violations):
        for name, value in violation.changes.items():
            _change(arguments, name.split("."), value)
    return arguments


def several(declared: Sequence[Violation]) -> tuple[tuple[Violation, ...], ...]:
    """Give every single fault, every pair and every tail of the list, in declared order.

    Pairs of which one lies inside what the other replaces make no sense and are left out.
    """
    return tuple(_several(declared))


def _several(declared: Sequence[Violation]) -> Iterator[tuple[Violation, ...]]:
    yield from ((violation,) for violation in declared)
    yield from ((one, other) for one, other in combinations(declared, 2) if _are_apart(one, other))
    for start in range(len(declared) - 2):
        tail: list[Violation] = []
        for violation in declared[start:]:
            if all(_are_apart(known, violation) for known in tail):
                tail.append(violation)
        yield tuple(tail)


def _are_apart(one: Violation, other: Violation) -> bool:
    return not any(
        f"{a}.".startswith(f"{b}.") or f"{b}.".startswith(f"{a}.")
        for a in one.changes
        for b in other.changes
    )


def _copied(value: Any) -> Any:
    return (
        {name: _copied(item) for name, item in value.items()} if isinstance(value, dict) else value
    )


def _change(arguments: dict[str, Any], names: list[str], value: Any) -> None:
    for name in names[:-1]:
        arguments = arguments[name]
    if value is OMIT:
        arguments.pop(names[-1], None)
    else:
        arguments[names[-1]] = value
