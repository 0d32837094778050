"""The sub-language in which a manifest describes its plugin's configuration."""

from typing import Final, Literal, cast

from mymcp.plugin.definition import (
    CONFIGURATION_MAX_LEVELS,
    CONFIGURATION_TYPES,
    PROPERTIES_MAX,
    ConfigurationSchema,
    ConfigurationType,
)

Path = tuple[str, ...]
MisfitCode = Literal[
    "manifest_unknown_field", "manifest_missing_field", "manifest_configuration_schema_invalid"
]

_KEYWORDS: Final = {
    "object": frozenset({"type", "properties", "required", "additionalProperties"}),
    "array": frozenset({"type", "items"}),
}
_EVERY_KEYWORD: Final = _KEYWORDS["object"] | _KEYWORDS["array"]


class Misfit(ValueError):
    """A schema that is not of the sub-language, at `path` below its root."""

    def __init__(self, code: MisfitCode, path: Path) -> None:
        super().__init__(code)
        self.code: MisfitCode = code
        self.path = path


def configuration_schema_of(value: object) -> ConfigurationSchema:
    """Return the schema that `value` is, an object at its root. Raises `Misfit`."""
    schema = _schema(value, ())
    if schema.type != "object":
        raise Misfit("manifest_configuration_schema_invalid", ("type",))
    return schema


def _schema(value: object, path: Path) -> ConfigurationSchema:
    if not isinstance(value, dict) or len(path) // 2 >= CONFIGURATION_MAX_LEVELS:
        raise _invalid(path)
    name = _type_of(value, path)
    if name == "object":
        return _object(value, path)
    if name == "array":
        if "items" not in value:
            raise _invalid(path)
        return ConfigurationSchema(name, items=_schema(value["items"], (*path, "items", "0")))
    return ConfigurationSchema(name)


def _type_of(value: dict[str, object], path: Path) -> ConfigurationType:
    _refuse_unknown(value, _EVERY_KEYWORD, path)
    if "type" not in value:
        raise Misfit("manifest_missing_field", (*path, "type"))
    name = value["type"]
    if not isinstance(name, str) or name not in CONFIGURATION_TYPES:
        raise _invalid((*path, "type"))
    _refuse_unknown(value, _KEYWORDS.get(name, frozenset({"type"})), path)
    return cast(ConfigurationType, name)


def _refuse_unknown(value: dict[str, object], known: frozenset[str], path: Path) -> None:
    for keyword in value:
        if keyword not in known:
            raise Misfit("manifest_unknown_field", (*path, str(keyword)))


def _object(value: dict[str, object], path: Path) -> ConfigurationSchema:
    properties, required = value.get("properties"), value.get("required", [])
    if not isinstance(properties, dict) or len(properties) > PROPERTIES_MAX:
        raise _invalid((*path, "properties"))
    if value.get("additionalProperties") is not False:
        raise _invalid((*path, "additionalProperties"))
    if not isinstance(required, list) or not _are_names(required, properties):
        raise _invalid((*path, "required"))
    if not all(isinstance(name, str) and name for name in properties):
        raise _invalid((*path, "properties"))
    inner = tuple(
        (name, _schema(schema, (*path, "properties", name))) for name, schema in properties.items()
    )
    return ConfigurationSchema("object", inner, tuple(required))


def _are_names(required: list[object], properties: dict[str, object]) -> bool:
    names = [name for name in required if isinstance(name, str) and name in properties]
    return len(names) == len(required) == len(set(names))


def _invalid(path: Path) -> Misfit:
    return Misfit("manifest_configuration_schema_invalid", path)
