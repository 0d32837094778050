"""The manifests of all external plugins, read and checked before any of their code runs."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from mymcp.contract.capability import Consent, Effects
from mymcp.host.external.failure import ExternalCode, ExternalPluginLoadError
from mymcp.host.external.reference import PluginReference
from mymcp.plugin.definition import PluginDefinition
from mymcp.plugin.errors import PluginContractError
from mymcp.plugin.identity import RESERVED_PLUGIN_IDS, CapabilityId
from mymcp.plugin.manifest import MANIFEST_MAX_BYTES, parse_manifest_bytes
from mymcp.plugin.parity import require_host_api
from mymcp.sources.file import read
from mymcp.sources.refusal import SourceCode, SourceError

PLUGINS_MAX: Final = 32
CAPABILITIES_MAX: Final = 256
"""Most external plugins, and most capabilities that they may declare together."""

_SOURCE_CODES: Final[Mapping[SourceCode, ExternalCode]] = {
    "unsafe_path": "external_manifest_unsafe_path",
    "unsafe_permissions": "external_manifest_unsafe_permissions",
    "not_regular": "external_manifest_not_regular",
    "too_large": "external_manifest_too_large",
    "source_changed": "external_manifest_source_changed",
}


@dataclass(frozen=True, slots=True)
class Preflighted:
    """A plugin whose manifest was read."""

    reference: PluginReference
    manifest: PluginDefinition


@dataclass(frozen=True, slots=True)
class DeclaredTool:
    """A tool that a manifest lets its plugin offer; `name` is the one that clients would see."""

    plugin: str
    name: str
    effects: Effects
    consent: Consent


def declared_tools(plugins: Sequence[Preflighted]) -> tuple[DeclaredTool, ...]:
    """Return all tools that `plugins` may offer, in order."""
    return tuple(
        DeclaredTool(
            one.manifest.id,
            CapabilityId(one.manifest.id, declared.id).public_name,
            declared.effects,
            declared.consent,
        )
        for one in plugins
        for declared in one.manifest.capabilities
    )


def preflight(references: Sequence[PluginReference]) -> tuple[Preflighted, ...]:
    """Return the enabled plugins with their manifests, in order.

    Raises `ExternalPluginLoadError` for the first plugin that cannot be used.
    """
    for reference in references:
        if reference.plugin_id in RESERVED_PLUGIN_IDS:
            raise ExternalPluginLoadError("bundled_plugin_conflict", reference)
    if len(references) > PLUGINS_MAX:
        raise ExternalPluginLoadError("external_plugin_limit_exceeded")
    _refuse_twins(references)
    found: list[Preflighted] = []
    for reference in references:
        found.append(Preflighted(reference, _manifest_of(reference)))
        if sum(len(one.manifest.capabilities) for one in found) > CAPABILITIES_MAX:
            raise ExternalPluginLoadError("external_plugin_limit_exceeded", reference)
    return tuple(found)


def _refuse_twins(references: Sequence[PluginReference]) -> None:
    modules: set[str] = set()
    for reference in references:
        if reference.module in modules:
            raise ExternalPluginLoadError(
                "external_plugin_composition_invalid", reference, inner="duplicate_module"
            )
        modules.add(reference.module)


def _manifest_of(reference: PluginReference) -> PluginDefinition:
    try:
        manifest = parse_manifest_bytes(_bytes_of(reference))
    except PluginContractError as error:
        raise ExternalPluginLoadError.of("external_manifest_invalid", reference, error) from None
    if manifest.id != reference.plugin_id:
        raise ExternalPluginLoadError("external_manifest_identity_mismatch", reference)
    try:
        require_host_api(manifest)
    except PluginContractError as error:
        code: ExternalCode = "external_manifest_host_api_incompatible"
        raise ExternalPluginLoadError.of(code, reference, error) from None
    return manifest


def _bytes_of(reference: PluginReference) -> bytes:
    try:
        data = read(reference.manifest_path, limit=MANIFEST_MAX_BYTES)
    except SourceError as error:
        code = _SOURCE_CODES.get(error.code, "external_manifest_unreadable")
        raise ExternalPluginLoadError(code, reference) from None
    if data is None:
        raise ExternalPluginLoadError("external_manifest_unreadable", reference, inner="missing")
    return data
