"""From the bytes of a manifest to a definition. Contract: `contracts/manifests/plugin-v1.json`.

Which of several faults is reported is fixed: the first of the list that `_findings` goes through.
"""

import re
from codecs import BOM_UTF8
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Final

from mymcp.contract.capability import Effects
from mymcp.contract.faults import Fault
from mymcp.contract.strict_json import StrictJSONError, decode
from mymcp.plugin.configuration import Misfit, configuration_schema_of
from mymcp.plugin.definition import (
    CAPABILITIES_MAX,
    DESCRIPTION_MAX_CHARACTERS,
    SECRET_REFERENCES_MAX,
    TITLE_MAX_CHARACTERS,
    Authority,
    Configuration,
    DeclaredCapability,
    HostApiRange,
    PluginDefinition,
    are_consistent,
)
from mymcp.plugin.errors import ManifestCode, PluginContractError
from mymcp.plugin.identity import is_shown_text

if TYPE_CHECKING:
    from mymcp._generated.models.manifests.plugin_v1 import (
        DeclaredCapability as CapabilityModel,
    )
    from mymcp._generated.models.manifests.plugin_v1 import PluginManifestV1

MANIFEST_MAX_BYTES: Final = 65_536

Finding = tuple[ManifestCode, str | None]
Path = tuple[str, ...]

_repeatable = re.compile(r"[A-Za-z0-9_$-]{1,64}").fullmatch


def parse_manifest_bytes(data: object) -> PluginDefinition:
    """Return what the manifest in `data` declares; `data` are at most 65,536 bytes of JSON.

    Raises `PluginContractError` with a `ManifestCode`.
    """
    if not isinstance(data, bytes):
        raise PluginContractError("manifest_resource_invalid")
    if len(data) > MANIFEST_MAX_BYTES:
        raise PluginContractError("manifest_resource_too_large")
    try:
        value = decode(data)
    except StrictJSONError as error:
        raise PluginContractError(_refusal(error, data)) from None
    return parse_manifest_mapping(value)


def parse_manifest_mapping(value: object) -> PluginDefinition:
    """Return what a decoded manifest declares.

    Raises `PluginContractError` with a `ManifestCode` other than those of bytes.
    """
    if not isinstance(value, dict):
        raise PluginContractError("manifest_root_invalid")
    faults, model = _read(value)
    for code, field in _findings(value, faults):
        raise PluginContractError(code, field)
    if model is None:  # what is left are names that are no texts, in a mapping made by hand
        raise PluginContractError("manifest_unknown_field")
    return _definition_of(model, value)


def _refusal(error: StrictJSONError, data: bytes) -> ManifestCode:
    if error.reason == "duplicate":
        return "manifest_resource_duplicate_key"
    is_text = error.reason != "encoding" or data.startswith(BOM_UTF8)
    return "manifest_resource_invalid_json" if is_text else "manifest_resource_invalid_utf8"


def _read(value: dict[str, object]) -> tuple[Sequence[Fault], "PluginManifestV1 | None"]:
    # An author who builds a definition by hand needs no models; they are most of an import.
    from mymcp._generated.manifests import PLUGIN_V1  # noqa: PLC0415
    from mymcp.contract.reader import Unreadable  # noqa: PLC0415

    try:
        return (), PLUGIN_V1.read(_trimmed(value))
    except Unreadable as error:
        return error.faults, None


def _trimmed(value: dict[str, object]) -> dict[str, object]:
    """Return `value` with lists no longer than allowed: their length is the last thing to judge."""
    result = dict(value)
    for name, most in _LENGTHS:
        items = value.get(name)
        if isinstance(items, list):
            result[name] = items[:most]
    return result


_LENGTHS: Final = (("capabilities", CAPABILITIES_MAX), ("secret_references", SECRET_REFERENCES_MAX))


def _findings(value: dict[str, object], faults: Sequence[Fault]) -> Iterator[Finding]:
    """Yield what is wrong, in the order in which it is reported."""
    yield from _exact(faults, ())
    yield from _below(faults, ("$schema",), "manifest_invalid_field")
    yield from _below(faults, ("manifest_version",), "manifest_version_unsupported")
    yield from _exact(faults, ("requires",))
    yield from _exact(faults, ("requires", "host_api"))
    yield from _capabilities(value, faults)
    yield from _secrets(value, faults)
    for name in ("id", "title", "description", "version", "requires"):
        yield from _below(faults, (name,), "manifest_invalid_field")
    yield from _texts_and_bounds(value, faults)
    yield from _configuration(value, faults)
    yield from _below(faults, ("data_schema_version",), "manifest_invalid_field")
    yield from _exact(faults, ("authority",), "manifest_authority_invalid")
    yield from _below(faults, ("authority",), "manifest_authority_invalid")
    yield from _lengths(value)


def _exact(
    faults: Sequence[Fault], path: Path, otherwise: ManifestCode = "manifest_invalid_field"
) -> Iterator[Finding]:
    """Yield whether the object at `path` is none, has a member too many, or lacks one."""
    yield from ((otherwise, _field(path)) for one in faults if one.path == path)
    members = [one for one in faults if one.path[:-1] == path and one.path]
    for code, kind in (
        ("manifest_unknown_field", "unknown"),
        ("manifest_missing_field", "missing"),
    ):
        found = (one for one in members if one.kind == kind)
        yield from ((code, _field(one.path)) for one in found)  # type: ignore[misc]  # both are codes


def _below(faults: Sequence[Fault], path: Path, code: ManifestCode) -> Iterator[Finding]:
    found = (one for one in faults if one.path[: len(path)] == path)
    yield from ((code, _field(one.path)) for one in found)


def _capabilities(value: dict[str, object], faults: Sequence[Fault]) -> Iterator[Finding]:
    items = value.get("capabilities")
    if not isinstance(items, list):
        yield "manifest_invalid_field", "capabilities"
        return
    seen: set[object] = set()
    for position, item in enumerate(items[:CAPABILITIES_MAX]):
        path = ("capabilities", str(position))
        yield from _exact(faults, path)
        yield from _below(faults, (*path, "kind"), "manifest_capability_kind_unsupported")
        yield from _below(faults, path, "manifest_invalid_field")
        effects = Effects(*(item[name] for name in _EFFECTS))
        if not are_consistent(effects, item["consent"]):
            yield "manifest_invalid_field", _field(path)
    for position, item in enumerate(items[:CAPABILITIES_MAX]):
        if item["id"] in seen:
            yield "manifest_duplicate_capability", f"capabilities.{position}"
        seen.add(item["id"])


_EFFECTS: Final = ("read_only", "destructive", "idempotent", "open_world")


def _secrets(value: dict[str, object], faults: Sequence[Fault]) -> Iterator[Finding]:
    found = [one for one in faults if one.path[:1] == ("secret_references",)]
    yield from (("manifest_invalid_field", _field(one.path)) for one in found if one.path[1:])
    if found:
        is_list = isinstance(value["secret_references"], list)
        code: ManifestCode = (
            "manifest_duplicate_secret_reference" if is_list else "manifest_invalid_field"
        )
        yield code, "secret_references"


def _texts_and_bounds(value: dict[str, object], faults: Sequence[Fault]) -> Iterator[Finding]:
    for name, most in (
        ("title", TITLE_MAX_CHARACTERS),
        ("description", DESCRIPTION_MAX_CHARACTERS),
    ):
        if not is_shown_text(value[name], most):
            yield "manifest_invalid_field", name
    bounds = value["requires"]["host_api"]  # type: ignore[index]  # found to be one just before
    if bounds["min"] > bounds["max"]:
        yield "manifest_invalid_field", "requires.host_api"


def _configuration(value: dict[str, object], faults: Sequence[Fault]) -> Iterator[Finding]:
    yield from _exact(faults, ("configuration",), "manifest_configuration_schema_invalid")
    yield from _below(faults, ("configuration",), "manifest_configuration_schema_invalid")
    schema = value["configuration"]["schema"]  # type: ignore[index]  # found to be one just before
    try:
        configuration_schema_of(schema)
    except Misfit as misfit:
        yield misfit.code, _field(("configuration", "schema", *misfit.path))


def _lengths(value: dict[str, object]) -> Iterator[Finding]:
    for name, most in _LENGTHS:
        items = value[name]
        if (
            not isinstance(items, list)
            or len(items) > most
            or (name == "capabilities" and not items)
        ):
            yield "manifest_invalid_field", name


def _field(path: Path) -> str | None:
    """Return `path` as text; a name that is no plain word stays unsaid."""
    return ".".join(part if _repeatable(part) else "?" for part in path) or None


def _definition_of(model: "PluginManifestV1", value: dict[str, object]) -> PluginDefinition:
    bounds = model.requires.host_api
    return PluginDefinition(
        id=model.id,
        title=model.title,
        description=model.description,
        version=model.version,
        host_api=HostApiRange(bounds.min, bounds.max),
        capabilities=tuple(map(_capability_of, model.capabilities)),
        configuration=Configuration(configuration_schema_of(model.configuration.schema_)),
        secret_references=tuple(model.secret_references),
        data_schema_version=model.data_schema_version,
        authority=Authority(tuple(model.authority.filesystem), model.authority.network),
    )


def _capability_of(model: "CapabilityModel") -> DeclaredCapability:
    effects = Effects(model.read_only, model.destructive, model.idempotent, model.open_world)
    return DeclaredCapability(model.id, model.version, effects, model.consent, model.kind)
