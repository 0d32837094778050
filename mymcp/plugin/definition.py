"""What a manifest says, as values. Each is checked when it is made: `ValueError` says what for."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Final, Literal

from mymcp.contract.capability import Consent, Effects
from mymcp.plugin.identity import is_local_id, is_plugin_id, is_shown_text, is_version

CAPABILITIES_MAX: Final = 64
SECRET_REFERENCES_MAX: Final = 32
SMALL_NUMBER_MAX: Final = 255
TITLE_MAX_CHARACTERS: Final = 128
DESCRIPTION_MAX_CHARACTERS: Final = 4_096
PROPERTIES_MAX: Final = 32
CONFIGURATION_MAX_LEVELS: Final = 4

FilesystemAuthority = Literal[
    "data_read", "data_write", "state_read", "state_write", "cache_read", "cache_write"
]
FILESYSTEM_AUTHORITIES: Final = frozenset(
    ("data_read", "data_write", "state_read", "state_write", "cache_read", "cache_write")
)
ConfigurationType = Literal["object", "array", "string", "integer", "number", "boolean", "null"]
CONFIGURATION_TYPES: Final = frozenset(
    ("object", "array", "string", "integer", "number", "boolean", "null")
)


@dataclass(frozen=True, slots=True)
class HostApiRange:
    """The versions of the host's plugin API that a plugin works with, 1 to 255, ends included."""

    min: int
    max: int

    def __post_init__(self) -> None:
        _require(_is_small(self.min) and _is_small(self.max), "bounds are 1 to 255")
        _require(self.min <= self.max, "min must not be above max")


@dataclass(frozen=True, slots=True)
class DeclaredCapability:
    """One capability as declared."""

    id: str
    version: str
    effects: Effects
    consent: Consent
    kind: Literal["tool"] = "tool"

    def __post_init__(self) -> None:
        _require(self.kind == "tool", "kind must be tool")
        _require(is_local_id(self.id), "id must be words joined by single underscores")
        _require(is_version(self.version), "version must be a semantic version")
        _require(are_consistent(self.effects, self.consent), "effects and consent do not agree")


@dataclass(frozen=True, slots=True)
class ConfigurationSchema:
    """One schema of the configuration sub-language.

    `properties` and `required` belong to type object, `items` to type array; objects are closed.
    """

    type: ConfigurationType
    properties: tuple[tuple[str, "ConfigurationSchema"], ...] = ()
    required: tuple[str, ...] = ()
    items: "ConfigurationSchema | None" = None

    def __post_init__(self) -> None:
        _require(_are_texts([self.type]), "type must be a text")
        _require(self.type in CONFIGURATION_TYPES, "type is none of the documented ones")
        names = [name for name, _schema in self.properties]
        _require(len(names) <= PROPERTIES_MAX, "at most 32 properties")
        _require(_are_texts(names) and "" not in names, "properties need names")
        _require(_differ(names), "properties must differ")
        _require(all(isinstance(s, ConfigurationSchema) for _, s in self.properties), "no schema")
        _require(_are_texts(self.required) and _differ(self.required), "required must differ")
        _require(set(self.required) <= set(names), "required names no property")
        _require(self.type == "object" or not names, "only objects have properties")
        _require((self.type == "array") == (self.items is not None), "arrays, and they, have items")
        _require(self.levels <= CONFIGURATION_MAX_LEVELS, "at most 4 levels")

    @property
    def levels(self) -> int:
        """How deep it nests; a scalar has one level."""
        inner = [schema.levels for _name, schema in self.properties]
        if self.items is not None:
            inner.append(self.items.levels)
        return 1 + max(inner, default=0)


@dataclass(frozen=True, slots=True)
class Configuration:
    """How a plugin may be configured: version 1 of the sub-language, an object at the root."""

    schema: ConfigurationSchema = field(default_factory=lambda: ConfigurationSchema("object"))
    schema_version: Literal[1] = 1

    def __post_init__(self) -> None:
        _require(_is_small(self.schema_version) and self.schema_version == 1, "version 1 only")
        _require(isinstance(self.schema, ConfigurationSchema), "no schema")
        _require(self.schema.type == "object", "the root must be an object")


@dataclass(frozen=True, slots=True)
class Authority:
    """What a plugin asks for; asking grants nothing."""

    filesystem: tuple[FilesystemAuthority, ...] = ()
    network: bool = False

    def __post_init__(self) -> None:
        _own(self, "filesystem", tuple(self.filesystem))
        _require(_are_texts(self.filesystem), "authorities must be texts")
        _require(set(self.filesystem) <= FILESYSTEM_AUTHORITIES, "an authority is not documented")
        _require(len(set(self.filesystem)) == len(self.filesystem), "authorities must differ")
        _require(isinstance(self.network, bool), "network must be a boolean")


@dataclass(frozen=True, slots=True, kw_only=True)
class PluginDefinition:
    """The typed mirror of a manifest, without its `$schema`.

    Two definitions are equal when they say the same in the same order.
    """

    id: str
    title: str
    description: str
    version: str
    host_api: HostApiRange
    capabilities: tuple[DeclaredCapability, ...]
    configuration: Configuration = field(default_factory=Configuration)
    secret_references: tuple[str, ...] = ()
    data_schema_version: int = 1
    authority: Authority = field(default_factory=Authority)

    def __post_init__(self) -> None:
        _own(self, "capabilities", tuple(self.capabilities))
        _own(self, "secret_references", tuple(self.secret_references))
        _require(is_plugin_id(self.id), "id must be words joined by hyphens")
        _require(is_shown_text(self.title, TITLE_MAX_CHARACTERS), "title is no plain line")
        _require(
            is_shown_text(self.description, DESCRIPTION_MAX_CHARACTERS),
            "description is no plain line",
        )
        _require(is_version(self.version), "version must be a semantic version")
        _require(isinstance(self.host_api, HostApiRange), "host_api must be a HostApiRange")
        _require(isinstance(self.configuration, Configuration), "no configuration")
        _require(_is_small(self.data_schema_version), "data_schema_version is 1 to 255")
        _require(isinstance(self.authority, Authority), "authority must be an Authority")
        self._check_capabilities()
        self._check_secrets()

    def _check_capabilities(self) -> None:
        declared = self.capabilities
        _require(0 < len(declared) <= CAPABILITIES_MAX, "1 to 64 capabilities")
        _require(all(isinstance(one, DeclaredCapability) for one in declared), "no capability")
        _require(_differ((one.kind, one.id) for one in declared), "capabilities must differ")

    def _check_secrets(self) -> None:
        secrets = self.secret_references
        _require(len(secrets) <= SECRET_REFERENCES_MAX, "at most 32 secret references")
        _require(all(map(is_local_id, secrets)), "a secret reference is not well-formed")
        _require(_differ(secrets), "secret references must differ")


def are_consistent(effects: object, consent: object) -> bool:
    """Tell whether these are effects and a consent that agree.

    What only reads destroys nothing, and what may destroy needs the user's consent to each call.
    """
    if not isinstance(effects, Effects) or consent not in ("none", "per_call"):
        return False
    if not all(isinstance(one, bool) for one in flags_of(effects)):
        return False
    return not (effects.destructive and (effects.read_only or consent == "none"))


def flags_of(effects: Effects) -> tuple[bool, bool, bool, bool]:
    """Return the four effects in the order of the manifest."""
    return (effects.read_only, effects.destructive, effects.idempotent, effects.open_world)


def _own(value: object, name: str, content: object) -> None:
    object.__setattr__(value, name, content)


def _differ(values: Iterable[object]) -> bool:
    found = list(values)
    return len(set(found)) == len(found)


def _are_texts(values: Iterable[object]) -> bool:
    return all(isinstance(value, str) for value in values)


def _is_small(value: object) -> bool:
    return type(value) is int and 1 <= value <= SMALL_NUMBER_MAX


def _require(holds: bool, what: str) -> None:
    if not holds:
        raise ValueError(what)
