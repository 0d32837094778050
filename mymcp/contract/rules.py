"""Cross-field rules of a contract: pure checks on the raw value.

A contract writes them as plain JSON Schema shapes (contracts/README.md, rule D13); codegen emits
one of these values for each. A rule never raises on a value of the wrong type: the model reports
that, and the rule stays silent.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Protocol

from typing_extensions import override

from mymcp.contract.faults import Fault

Path = tuple[str, ...]
_ABSENT = object()


class Rule(Protocol):
    """One rule; gives its faults on a raw object."""

    def faults(self, value: Mapping[str, object], /) -> Iterable[Fault]:
        """Return a fault for each place where `value` breaks the rule."""
        ...


def at(value: object, path: Path) -> object:
    """Return the member of `value` at `path`, or a private mark where there is none."""
    for name in path:
        if not isinstance(value, dict):
            return _ABSENT
        value = value.get(name, _ABSENT)
    return value


@dataclass(frozen=True, slots=True)
class Requires(Rule):
    """Where member `name` is present, member `other` must be."""

    rule: str
    name: str
    other: str

    @override
    def faults(self, value: Mapping[str, object], /) -> Iterable[Fault]:
        if self.name in value and self.other not in value:
            return (Fault((self.name,), "rule", self.rule),)
        return ()


@dataclass(frozen=True, slots=True)
class Excludes(Rule):
    """The members `names` must not be present together."""

    rule: str
    names: tuple[str, ...]

    @override
    def faults(self, value: Mapping[str, object], /) -> Iterable[Fault]:
        if all(name in value for name in self.names):
            return (Fault((), "rule", self.rule),)
        return ()


@dataclass(frozen=True, slots=True)
class Allows(Rule):
    """The text at `key` decides which texts may stand at `path`."""

    rule: str
    key: Path
    path: Path
    table: Mapping[str, frozenset[str]]

    @override
    def faults(self, value: Mapping[str, object], /) -> Iterable[Fault]:
        chosen, found = at(value, self.key), at(value, self.path)
        if not isinstance(chosen, str) or not isinstance(found, str):
            return ()
        if chosen in self.table and found not in self.table[chosen]:
            return (Fault(self.path, "rule", self.rule),)
        return ()


@dataclass(frozen=True, slots=True)
class PresentExactlyWhen(Rule):
    """Member `name` is present exactly when the text at `key` is `text`."""

    rule: str
    name: str
    key: Path
    text: str

    @override
    def faults(self, value: Mapping[str, object], /) -> Iterable[Fault]:
        if (at(value, self.key) == self.text) != (self.name in value):
            return (Fault((self.name,), "rule", self.rule),)
        return ()


@dataclass(frozen=True, slots=True)
class RequiredWithText(Rule):
    """Member `name` must be present where a text (not null) stands at `key`."""

    rule: str
    name: str
    key: Path

    @override
    def faults(self, value: Mapping[str, object], /) -> Iterable[Fault]:
        if isinstance(at(value, self.key), str) and self.name not in value:
            return (Fault((self.name,), "rule", self.rule),)
        return ()


@dataclass(frozen=True, slots=True)
class Distinct(Rule):
    """The texts of the array at `path` differ, after normalisation and, if asked, case folding."""

    path: Path
    normalise: Callable[[object], object] | None = None
    casefold: bool = False

    @override
    def faults(self, value: Mapping[str, object], /) -> Iterable[Fault]:
        items = at(value, self.path)
        if not isinstance(items, list) or len(items) < 2:
            return ()
        texts = [item for item in items if isinstance(item, str)]
        if len(texts) != len(items):
            return ()
        if self.normalise is not None:
            texts = [str(self.normalise(text)) for text in texts]
        if self.casefold:
            texts = [text.casefold() for text in texts]
        if len(set(texts)) != len(texts):
            return (Fault(self.path, "invalid"),)
        return ()


@dataclass(frozen=True, slots=True)
class NativeInteger(Rule):
    """The constant at `path` is an integer: `true` and `1.0` are not `1`, though Python says so."""

    path: Path

    @override
    def faults(self, value: Mapping[str, object], /) -> Iterable[Fault]:
        found = at(value, self.path)
        if found is not _ABSENT and type(found) is not int:
            return (Fault(self.path, "invalid"),)
        return ()
