"""Why the external plugins do not start, as one stable code and what lies behind it."""

from collections.abc import Mapping
from typing import Final, Literal

from typing_extensions import override

from mymcp.host.external.containment import word
from mymcp.host.external.reference import PluginReference
from mymcp.host.runtime import CompositionError
from mymcp.plugin.errors import ADVICE as ADVICE_OF_INNER
from mymcp.plugin.errors import PluginContractError

ExternalCode = Literal[
    "bundled_plugin_conflict",
    "external_plugin_limit_exceeded",
    "external_plugin_composition_invalid",
    "external_manifest_unsafe_path",
    "external_manifest_unsafe_permissions",
    "external_manifest_not_regular",
    "external_manifest_too_large",
    "external_manifest_unreadable",
    "external_manifest_source_changed",
    "external_manifest_invalid",
    "external_manifest_identity_mismatch",
    "external_manifest_host_api_incompatible",
    "external_plugin_import_failed",
    "external_plugin_entrypoint_invalid",
    "external_plugin_contract_invalid",
]

ADVICE: Final[Mapping[ExternalCode, str]] = {
    "bundled_plugin_conflict": "This id belongs to a bundled plugin; choose another.",
    "external_plugin_limit_exceeded": "Enable at most 32 plugins with 256 capabilities together.",
    "external_plugin_composition_invalid": "The plugins cannot be offered as they are.",
    "external_manifest_unsafe_path": "Manifest and folder must be no symlinks.",
    "external_manifest_unsafe_permissions": "Manifest and folder must be yours or root's, and"
    " writable by nobody else.",
    "external_manifest_not_regular": "The manifest must be a file.",
    "external_manifest_too_large": "Keep the manifest within 65,536 bytes.",
    "external_manifest_unreadable": "The manifest is missing or cannot be read.",
    "external_manifest_source_changed": "The manifest changed while it was read; start again.",
    "external_manifest_invalid": "Mend the manifest.",
    "external_manifest_identity_mismatch": "Declare the plugin under the id of its manifest.",
    "external_manifest_host_api_incompatible": "The plugin is made for another host API.",
    "external_plugin_import_failed": "The module cannot be imported.",
    "external_plugin_entrypoint_invalid": "The module needs a callable mymcp_plugin_v1 that takes"
    " no arguments and does not fail.",
    "external_plugin_contract_invalid": "mymcp_plugin_v1 must return a PluginAdapter.",
}
"""What to do about each code."""


class ExternalPluginLoadError(CompositionError, ValueError):
    """External plugins that do not start.

    `code` is stable. `reference` is the plugin at fault, if one can be named; `inner` says more:
    the code of `PluginContractError`, or the class and place of what the plugin raised; `field`
    where. The message holds these and advice: no path, no value, no text of an exception.
    `remark` explains `inner`, to authors who check their own plugin: advice, or what the plugin
    said when it raised. It is not in the message.
    """

    def __init__(
        self,
        code: ExternalCode,
        reference: PluginReference | None = None,
        *,
        inner: str | None = None,
        field: str | None = None,
        remark: str | None = None,
    ) -> None:
        self.reference = reference
        self.inner = inner
        self.field = field
        self.remark = remark
        super().__init__(code, self._advice(ADVICE[code]))

    @classmethod
    def of(
        cls, code: ExternalCode, reference: PluginReference | None, error: PluginContractError
    ) -> "ExternalPluginLoadError":
        """Return the failure `code` that a broken contract leads to."""
        field = None if error.field is None else word(error.field)
        return cls(
            code, reference, inner=error.code, field=field, remark=ADVICE_OF_INNER[error.code]
        )

    @override
    def fields(self) -> str:
        words = [f"code={self.code}"]
        if self.reference is not None:
            words += [f"position={self.reference.position}", f"plugin={self.reference.plugin_id}"]
        words += [f"inner={self.inner}"] if self.inner else []
        words += [f"field={self.field}"] if self.field else []
        return " ".join(words)

    def _advice(self, advice: str) -> str:
        """Return `advice` after the plugin and the inner code that it is about."""
        plugin = self.reference
        whose = f"plugin {plugin.position} ({plugin.plugin_id}): " if plugin else ""
        place = f" at {self.field}" if self.field else ""
        about = f"{self.inner or ''}{place}: ".lstrip() if self.inner or place else ""
        return f"{whose}{about}{advice}"
