"""From a raw JSON object to a model, with every fault of it in one list."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Generic, TypeVar

from pydantic import ValidationError

from mymcp.contract.faults import Fault, FaultKind
from mymcp.contract.model import ContractModel
from mymcp.contract.rules import Path, Rule

M = TypeVar("M", bound=ContractModel)

_KINDS: dict[str, FaultKind] = {"missing": "missing", "extra_forbidden": "unknown"}


class Unreadable(ValueError):
    """A value that its contract refuses. The message names neither value nor place."""

    def __init__(self, faults: tuple[Fault, ...]) -> None:
        super().__init__("the value does not fit its contract")
        self.faults = faults


@dataclass(frozen=True, slots=True)
class Reader(Generic[M]):
    """Reads one contract: its generated `model`, its cross-field `rules`.

    `unions` are the paths of tagged unions; pydantic puts the tag into the location of a fault
    there, and readers of faults should not see it.
    """

    model: type[M]
    rules: tuple[Rule, ...] = ()
    unions: frozenset[Path] = frozenset()

    def read(self, value: object) -> M:
        """Return `value` as a model. Raises `Unreadable` with all faults, in contract order."""
        found: list[Fault] = []
        model: M | None = None
        try:
            model = self.model.__pydantic_validator__.validate_python(value)
        except ValidationError as error:
            found.extend(self._faults_of(error, value))
        if isinstance(value, dict):
            for rule in self.rules:
                found.extend(rule.faults(value))
        if model is None or found:
            raise Unreadable(tuple(found))
        return model

    def _faults_of(self, error: ValidationError, value: object) -> Iterator[Fault]:
        lines = error.errors(include_url=False, include_context=False, include_input=False)
        if any(line["type"] == "string_unicode" for line in lines):
            yield from self._faults_beside_broken_names(value)
            return
        for line in lines:
            yield Fault(self._path(line["loc"]), _KINDS.get(line["type"], "invalid"))

    def _faults_beside_broken_names(self, value: object) -> Iterator[Fault]:
        """Report member names with lone surrogates as unknown; pydantic stops at the first."""
        broken: list[Fault] = []
        mended = _without_broken_names(value, (), broken)
        try:
            self.model.__pydantic_validator__.validate_python(mended)
        except ValidationError as error:
            for line in error.errors(include_url=False, include_context=False, include_input=False):
                yield Fault(self._path(line["loc"]), _KINDS.get(line["type"], "invalid"))
        yield from broken

    def _path(self, location: tuple[int | str, ...]) -> Path:
        path: list[str] = []
        tag_follows = False
        for part in location:
            if tag_follows:
                tag_follows = False
                continue
            path.append(str(part))
            tag_follows = tuple(path) in self.unions
        return tuple(path)


def _without_broken_names(value: object, path: Path, broken: list[Fault]) -> object:
    if isinstance(value, list):
        return [
            _without_broken_names(item, (*path, str(position)), broken)
            for position, item in enumerate(value)
        ]
    if not isinstance(value, dict):
        return value
    mended: dict[str, object] = {}
    for name, item in value.items():
        if _is_encodable(name):
            mended[name] = _without_broken_names(item, (*path, name), broken)
        else:
            broken.append(Fault((*path, "?"), "unknown"))
    return mended


def _is_encodable(name: str) -> bool:
    try:
        name.encode()
    except UnicodeEncodeError:
        return False
    return True
