"""Everything that can be wrong with a plugin before it runs, as stable codes."""

from collections.abc import Mapping
from typing import Final, Literal, get_args

ManifestCode = Literal[
    "manifest_resource_invalid",
    "manifest_resource_too_large",
    "manifest_resource_invalid_utf8",
    "manifest_resource_duplicate_key",
    "manifest_resource_invalid_json",
    "manifest_root_invalid",
    "manifest_unknown_field",
    "manifest_missing_field",
    "manifest_invalid_field",
    "manifest_version_unsupported",
    "manifest_capability_kind_unsupported",
    "manifest_duplicate_capability",
    "manifest_duplicate_secret_reference",
    "manifest_configuration_schema_invalid",
    "manifest_authority_invalid",
]
"""What is wrong with a manifest alone."""

ParityCode = Literal[
    "definition_manifest_mismatch",
    "host_api_incompatible",
    "contribution_plugin_mismatch",
    "contribution_version_mismatch",
    "duplicate_selected_capability",
    "undeclared_capability",
    "capability_metadata_mismatch",
    "capability_order_mismatch",
]
"""Where manifest, definition and contribution say different things."""

SurfaceCode = Literal[
    "foreign_object",
    "duplicate_plugin",
    "foreign_capability",
    "duplicate_capability",
    "duplicate_binding",
    "unknown_binding",
    "reserved_tool_name",
    "invalid_tool_name",
    "duplicate_tool_name",
    "missing_binding",
]
"""Why contributions cannot be offered together."""

ToolCode = Literal[
    "handler_invalid",
    "tool_not_serialisable",
    "tool_too_large",
    "tool_member_invalid",
    "tool_schema_invalid",
    "tool_schema_reference",
    "tool_schema_root",
    "tool_header_invalid",
    "unsafe_schema",
]
"""What is wrong with one tool."""

PluginContractErrorCode = ManifestCode | ParityCode | SurfaceCode | ToolCode

CODES: Final[frozenset[str]] = frozenset(
    code for group in (ManifestCode, ParityCode, SurfaceCode, ToolCode) for code in get_args(group)
)

ADVICE: Final[Mapping[PluginContractErrorCode, str]] = {
    "manifest_resource_invalid": "Pass the bytes of the manifest.",
    "manifest_resource_too_large": "Keep the manifest within 65,536 bytes.",
    "manifest_resource_invalid_utf8": "Save the manifest as UTF-8.",
    "manifest_resource_duplicate_key": "Write each key once.",
    "manifest_resource_invalid_json": "Write the manifest as plain JSON without a byte order mark.",
    "manifest_root_invalid": "The manifest must be one JSON object.",
    "manifest_unknown_field": "Remove the field that manifests of version 1 do not have.",
    "manifest_missing_field": "Add the required field.",
    "manifest_invalid_field": "Give the field a value of the documented form.",
    "manifest_version_unsupported": "Set manifest_version to 1.",
    "manifest_capability_kind_unsupported": "Only capabilities of kind tool exist.",
    "manifest_duplicate_capability": "Declare each capability once.",
    "manifest_duplicate_secret_reference": "Name each secret slot once.",
    "manifest_configuration_schema_invalid": "Describe the configuration as a closed object schema"
    " of the documented sub-language.",
    "manifest_authority_invalid": "List each of the documented authorities at most once.",
    "definition_manifest_mismatch": "Make the adapter's definition equal to the manifest.",
    "host_api_incompatible": "Let requires.host_api include 1.",
    "contribution_plugin_mismatch": "Give the contribution the id of the manifest.",
    "contribution_version_mismatch": "Give the contribution the version of the manifest.",
    "duplicate_selected_capability": "Contribute each capability once.",
    "undeclared_capability": "Declare the capability in the manifest, or do not contribute it.",
    "capability_metadata_mismatch": "Give the tool the effects and consent that its manifest has.",
    "capability_order_mismatch": "Contribute tools in the order of the manifest.",
    "foreign_object": "Contributions and bindings must be objects of mymcp.plugin.",
    "duplicate_plugin": "Contribute each plugin once.",
    "foreign_capability": "A contribution may only hold capabilities of its own plugin.",
    "duplicate_capability": "Contribute each capability once.",
    "duplicate_binding": "Bind each capability once.",
    "unknown_binding": "Bind only capabilities that are contributed.",
    "reserved_tool_name": "list_tools and names that begin with mymcp_ belong to the host.",
    "invalid_tool_name": "Plugin id and tool id together may have at most 62 characters, for a"
    " public name is 1 to 64 of A-Z a-z 0-9 _ -.",
    "duplicate_tool_name": "Two tools have the same public name; rename or disable one.",
    "missing_binding": "Bind every capability that is contributed.",
    "handler_invalid": "A handler must be a synchronous callable.",
    "tool_not_serialisable": "A tool definition must be plain JSON: objects with text keys, lists,"
    " texts, finite numbers, booleans, null; at most 64 levels.",
    "tool_too_large": "Keep a tool definition within 65,536 bytes of JSON.",
    "tool_member_invalid": "A tool definition has description, inputSchema and, if you like, title,"
    " outputSchema, annotations, icons and _meta, each of the type that MCP gives it.",
    "tool_schema_invalid": "Both schemas must be valid JSON Schema 2020-12.",
    "tool_schema_reference": "A schema may refer to its own definitions only.",
    "tool_schema_root": 'A schema must be an object with "type": "object" at its root.',
    "tool_header_invalid": "x-mcp-header must be a header token, once in a schema, on a property of"
    " type string, integer or boolean that is reached through properties alone.",
    "unsafe_schema": "Write the input schema so that it fits the profile llama-safe-v1, or have"
    " another policy for unsafe schemas.",
}
"""What to do about each code."""


class PluginContractError(ValueError):
    """A plugin that does not keep to its contract.

    `code` is stable, `field` the place (`capabilities.0.kind`, `/properties/a` within a schema) if
    one can be named, made of names that the contract knows and of positions; never a value.
    """

    def __init__(self, code: PluginContractErrorCode, field: str | None = None) -> None:
        place = f" at {field}" if field else ""
        super().__init__(f"{code}{place}: {ADVICE[code]}")
        self.code: PluginContractErrorCode = code
        self.field = field
