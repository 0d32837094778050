"""The meta-schemas of `contracts/meta`, ready to judge envelopes."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from codegen.catalog import Document, Kind
from codegen.dialect.sites import are_texts, as_object

if TYPE_CHECKING:
    from jsonschema import Draft202012Validator, ValidationError

META: Mapping[Kind, str] = {
    "shared": "contracts/meta/shared.json",
    "tool": "contracts/meta/tool.json",
    "record": "contracts/meta/record.json",
    "manifest_schema": "contracts/meta/manifest-schema.json",
    "config": "contracts/meta/config.json",
    "credential": "contracts/meta/credential.json",
    "plugin": "contracts/meta/plugin.json",
    "policy": "contracts/meta/policy.json",
    "profile": "contracts/meta/profile.json",
}
"""The schema of each kind of envelope."""


@dataclass(frozen=True, slots=True)
class Misfit:
    """One way in which a value does not fit: the path to the place, and the keyword broken there.

    `name` is the missing or unknown member, `wanted` the value of the keyword.
    """

    path: tuple[str | int, ...]
    keyword: str
    wanted: object
    name: str = ""


class Unusable(ValueError):
    """A meta-schema that cannot judge: no schema, or with references that lead nowhere."""


def validators_of(documents: tuple[Document, ...]) -> "Mapping[str, Draft202012Validator | None]":
    """Return a validator for each meta-schema by path; none where it is no JSON Schema."""
    return {document.path: _validator(json.dumps(document.value)) for document in documents}


def misfits_of(value: object, validator: "Draft202012Validator") -> Iterator[Misfit]:
    """Yield each way in which `value` does not fit. Raises `Unusable`."""
    from referencing.exceptions import Unresolvable  # noqa: PLC0415  comes with jsonschema

    try:
        errors = list(validator.iter_errors(value))
    except Unresolvable:
        raise Unusable from None
    for error in errors:
        yield from _misfits(error)


@lru_cache(maxsize=64)
def _validator(text: str) -> "Draft202012Validator | None":
    """Return the validator of a schema given as JSON text; judging the judge takes most time."""
    from jsonschema import Draft202012Validator  # noqa: PLC0415  a tenth of a second
    from jsonschema.exceptions import SchemaError  # noqa: PLC0415
    from referencing import Registry  # noqa: PLC0415

    schema = json.loads(text)
    if not isinstance(schema, dict):
        return None
    try:
        Draft202012Validator.check_schema(schema)
    except SchemaError:
        return None
    # An empty registry, because the default one fetches what it does not know.
    return Draft202012Validator(schema, registry=Registry())


def _misfits(error: "ValidationError") -> Iterator[Misfit]:
    path, keyword = tuple(error.absolute_path), str(error.validator)
    found, wanted = as_object(error.instance), error.validator_value
    if keyword == "required" and are_texts(wanted):
        # One error stands for one missing member; which one only its text would tell.
        yield from (Misfit(path, keyword, wanted, name) for name in wanted if name not in found)
    elif keyword == "additionalProperties":
        known = as_object(as_object(error.schema).get("properties"))
        yield from (Misfit(path, keyword, wanted, name) for name in found if name not in known)
    else:
        yield Misfit(path, keyword, wanted)
