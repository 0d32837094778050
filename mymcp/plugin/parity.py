"""Whether a plugin's manifest, its definition and its contribution say the same."""

from dataclasses import fields

from mymcp.plugin.contribution import ActivatedTool, PluginContribution
from mymcp.plugin.definition import DeclaredCapability, PluginDefinition
from mymcp.plugin.errors import PluginContractError
from mymcp.plugin.identity import HOST_API


def validate_plugin_contract(
    manifest: PluginDefinition, definition: PluginDefinition, contribution: PluginContribution
) -> None:
    """Check `definition` and `contribution` against `manifest`, what was read before any import.

    Raises `PluginContractError` with a `ParityCode`; its `field` says what differs. A contribution
    may leave out capabilities, all of them too.
    """
    if definition != manifest:
        raise PluginContractError("definition_manifest_mismatch", _difference(manifest, definition))
    require_host_api(manifest)
    if contribution.plugin_id != manifest.id:
        raise PluginContractError("contribution_plugin_mismatch", "plugin_id")
    if contribution.version != manifest.version:
        raise PluginContractError("contribution_version_mismatch", "version")
    _check_tools(manifest, contribution.tools)


def require_host_api(manifest: PluginDefinition) -> None:
    """Raise `PluginContractError` unless the plugin works with this version of the host's API."""
    if not manifest.host_api.min <= HOST_API <= manifest.host_api.max:
        raise PluginContractError("host_api_incompatible", "requires.host_api")


def _check_tools(manifest: PluginDefinition, tools: tuple[ActivatedTool, ...]) -> None:
    ids = [tool.capability for tool in tools]
    for position, one in enumerate(ids):
        if one in ids[:position]:
            raise PluginContractError("duplicate_selected_capability", f"tools.{position}")
    declared = {one.id: one for one in manifest.capabilities}
    for position, tool in enumerate(tools):
        if tool.capability.plugin_id != manifest.id or tool.capability.local_id not in declared:
            raise PluginContractError("undeclared_capability", f"tools.{position}")
    for position, tool in enumerate(tools):
        if not _agree(tool, declared[tool.capability.local_id]):
            raise PluginContractError("capability_metadata_mismatch", f"tools.{position}")
    order = list(declared)
    places = [order.index(one.local_id) for one in ids]
    if places != sorted(places):
        raise PluginContractError("capability_order_mismatch", "tools")


def _agree(tool: ActivatedTool, declared: DeclaredCapability) -> bool:
    return tool.effects == declared.effects and tool.consent == declared.consent


def _difference(manifest: PluginDefinition, definition: PluginDefinition) -> str:
    """Return the first field in which the two differ."""
    return next(
        field.name
        for field in fields(manifest)
        if getattr(manifest, field.name) != getattr(definition, field.name)
    )
