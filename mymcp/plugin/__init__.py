"""What a plugin author imports: small, stable, documented in `docs/plugins.md`.

A plugin is a module with a callable `mymcp_plugin_v1` that returns a `PluginAdapter`, and a
manifest beside it. Importing this package loads neither models nor the server.
"""

from mymcp.contract.capability import Consent, Effects
from mymcp.plugin.adapter import ENTRY_POINT, PluginAdapter
from mymcp.plugin.contribution import ActivatedTool, Handler, PluginContribution
from mymcp.plugin.definition import (
    Authority,
    Configuration,
    ConfigurationSchema,
    DeclaredCapability,
    HostApiRange,
    PluginDefinition,
)
from mymcp.plugin.errors import PluginContractError, PluginContractErrorCode
from mymcp.plugin.identity import HOST_API, CapabilityId
from mymcp.plugin.manifest import parse_manifest_bytes, parse_manifest_mapping
from mymcp.plugin.parity import validate_plugin_contract
from mymcp.plugin.results import ToolResult, error_result, structured_result, text_result
from mymcp.plugin.surface import SurfacedTool, ToolBinding, bindings_of, compose_tool_surface

__all__ = [
    "ENTRY_POINT",
    "HOST_API",
    "ActivatedTool",
    "Authority",
    "CapabilityId",
    "Configuration",
    "ConfigurationSchema",
    "Consent",
    "DeclaredCapability",
    "Effects",
    "Handler",
    "HostApiRange",
    "PluginAdapter",
    "PluginContractError",
    "PluginContractErrorCode",
    "PluginContribution",
    "PluginDefinition",
    "SurfacedTool",
    "ToolBinding",
    "ToolResult",
    "bindings_of",
    "compose_tool_surface",
    "error_result",
    "parse_manifest_bytes",
    "parse_manifest_mapping",
    "structured_result",
    "text_result",
    "validate_plugin_contract",
]
