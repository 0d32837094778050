"""The judge of values: an independent validator of JSON Schema 2020-12. docs/decisions/0003."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

from mymcp.plugin.errors import PluginContractError

if TYPE_CHECKING:
    from jsonschema_rs import Draft202012Validator

BACKTRACK_LIMIT: Final = 10_000
"""Steps of one pattern on one text; catastrophic patterns end here, as a refusal."""

_DIALECT: Final = "https://json-schema.org/draft/2020-12/schema"


class Judge:
    """Says whether a value is valid under one schema."""

    def __init__(self, validator: "Draft202012Validator") -> None:
        self._validator = validator

    def fault(self, value: object) -> str | None:
        """Return the JSON pointer of the first fault of `value`, none where it is valid."""
        try:
            for error in self._validator.iter_errors(value):
                return "/" + "/".join(map(_token, error.instance_path))
        except (ValueError, TypeError):  # a lone surrogate, which no schema can speak of
            return "/"
        return None


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
        return Judge(_validator(whole))
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


def _token(part: object) -> str:
    return str(part).replace("~", "~0").replace("/", "~1")
