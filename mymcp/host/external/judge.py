"""The judge of values: an independent validator of JSON Schema 2020-12. docs/decisions/0003."""

from collections.abc import Collection, Mapping
from typing import TYPE_CHECKING, Final

from mymcp.plugin.errors import PluginContractError
from mymcp.schema.resolution import Unresolvable, resolve

if TYPE_CHECKING:
    from jsonschema_rs import Draft202012Validator

BACKTRACK_LIMIT: Final = 10_000
"""Steps of one pattern on one text; catastrophic patterns end here, as a refusal."""

SEARCHED_LEVELS_MAX: Final = 4
"""Deepest value in which a schema that refers to itself has its faults looked for."""

_DYNAMIC: Final = frozenset({"$dynamicRef", "$recursiveRef"})
_DIALECT: Final = "https://json-schema.org/draft/2020-12/schema"


class Judge:
    """Says whether a value is valid under one schema; `is_finite` if that unfolds to an end."""

    def __init__(self, validator: "Draft202012Validator", is_finite: bool) -> None:
        self._validator = validator
        self._is_finite = is_finite

    def fault(self, value: object) -> str | None:
        """Return the JSON pointer of the first fault of `value`, none where it is valid.

        Where to look for the fault would take too long, the pointer is that of the whole: under a
        schema that refers to itself the search takes all branches at every level of the value.
        """
        try:
            if self._validator.is_valid(value):  # keeps in mind what it saw
                return None
            if self._is_finite or not _nests_deeper(value, SEARCHED_LEVELS_MAX):
                for error in self._validator.iter_errors(value):
                    return "/" + "/".join(map(_token, error.instance_path))
        except (ValueError, TypeError):  # a lone surrogate, which no schema can speak of
            pass
        return "/"


def judge_of(schema: Mapping[str, object], member: str) -> Judge:
    """Return the judge of `schema`, which stands in `member` of a tool.

    Nothing outside the schema is ever read, no file and no network. Raises `PluginContractError`
    with `tool_schema_invalid` or `tool_schema_reference`.
    """
    import jsonschema_rs  # noqa: PLC0415  4 MiB that a server without external plugins never needs

    if schema.get("$schema", _DIALECT) not in (_DIALECT, f"{_DIALECT}#"):
        raise PluginContractError("tool_schema_invalid", f"{member}/$schema")
    whole = {**schema, "$schema": _DIALECT}
    try:
        jsonschema_rs.meta.validate(whole)
        return Judge(_validator(whole), _is_finite(schema))
    except ValueError as error:
        place = "/".join(map(_token, getattr(error, "instance_path", ())))
        if not place:  # the schema is valid, yet it leads nowhere
            raise PluginContractError("tool_schema_reference", member) from None
        raise PluginContractError("tool_schema_invalid", f"{member}/{place}") from None


def _validator(schema: Mapping[str, object]) -> "Draft202012Validator":
    from jsonschema_rs import Draft202012Validator, FancyRegexOptions  # noqa: PLC0415  as above

    return Draft202012Validator(
        dict(schema),
        offline=True,
        pattern_options=FancyRegexOptions(backtrack_limit=BACKTRACK_LIMIT),
    )


def _is_finite(schema: Mapping[str, object]) -> bool:
    try:
        whole = resolve(schema, "", {"": schema})
    except Unresolvable:
        return False
    return not _holds_key(whole, _DYNAMIC)


def _holds_key(value: object, names: Collection[str]) -> bool:
    if isinstance(value, Mapping):
        return any(key in names or _holds_key(inner, names) for key, inner in value.items())
    return isinstance(value, list) and any(_holds_key(inner, names) for inner in value)


def _nests_deeper(value: object, levels: int) -> bool:
    if not isinstance(value, dict | list):
        return False
    inner = value.values() if isinstance(value, dict) else value
    return levels == 0 or any(_nests_deeper(one, levels - 1) for one in inner)


def _token(part: object) -> str:
    return str(part).replace("~", "~0").replace("/", "~1")
