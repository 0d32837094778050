"""What is wrong with a value, and which declared error says so.

The order in which faults are reported is data: the `errors` of a contract are ordered, and the
first entry that any fault matches is the answer.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

FaultKind = Literal["missing", "unknown", "invalid", "rule"]


@dataclass(frozen=True, slots=True)
class Fault:
    """One fault of a value.

    `path` names the member from the root; array positions are decimal strings. A `missing` fault
    stands at the absent member, an `unknown` one at the member that should not be there, a `rule`
    fault at the root of the rule with the rule's name in `rule`.
    """

    path: tuple[str, ...]
    kind: FaultKind
    rule: str | None = None


@dataclass(frozen=True, slots=True)
class Condition:
    """When a declared error applies. Contract: `contracts/meta/tool.json`, `errors[].when`.

    - `missing`: the member at `path` is absent
    - `unknown`: the object at `path` has a member that it should not have
    - `shape`: the value at `path` is not an object with exactly its members (wrong type, a member
      missing or unknown)
    - `invalid`: any fault at or below `path`, but not the absence of `path` itself
    - `rule`: the rule of that name is broken
    """

    on: Literal["missing", "unknown", "shape", "invalid", "rule"]
    path: tuple[str, ...] = ()
    rule: str | None = None

    def matches(self, fault: Fault) -> bool:
        """Tell whether `fault` is one of those this condition means."""
        if self.on == "rule" or fault.kind == "rule":
            return self.on == fault.kind and self.rule == fault.rule
        if self.on == "missing":
            return fault.kind == "missing" and fault.path == self.path
        if self.on == "invalid":
            absent = fault.kind == "missing" and fault.path == self.path
            return fault.path[: len(self.path)] == self.path and not absent
        of_a_member = bool(fault.path) and fault.path[:-1] == self.path
        if self.on == "unknown":
            return fault.kind == "unknown" and of_a_member
        return fault.path == self.path if fault.kind == "invalid" else of_a_member


@dataclass(frozen=True, slots=True)
class DeclaredError:
    """One entry of a contract's ordered `errors`.

    `field` is a fixed public name, none, or ends in `.*`: then the member below that prefix is
    named. `fields` and `reasons` are what a handler may name when it raises this code; `details`
    are the extra members it must give.
    """

    code: str
    status: str
    message: str
    field: str | None = None
    fields: tuple[str, ...] = ()
    reasons: tuple[str, ...] = ()
    details: tuple[str, ...] = ()
    when: tuple[Condition, ...] = ()

    def field_of(self, fault: Fault) -> str | None:
        """Return the public name of the field that `fault` is about."""
        if self.field is None or not self.field.endswith(".*"):
            return self.field
        prefix = self.field.removesuffix(".*")
        depth = len(prefix.split("."))
        return f"{prefix}.{fault.path[depth]}" if len(fault.path) > depth else prefix


def first_declared(
    errors: tuple[DeclaredError, ...], faults: Iterable[Fault]
) -> tuple[DeclaredError, Fault] | None:
    """Return the first entry of `errors` that one of `faults` matches, with that fault.

    Among faults of one entry the first in `faults` wins; readers give them in contract order.
    """
    found = tuple(faults)
    for error in errors:
        for fault in found:
            if any(condition.matches(fault) for condition in error.when):
                return error, fault
    return None
