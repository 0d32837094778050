"""Import of a plugin's module and the call of its entry point."""

import sys
from importlib import import_module
from types import CoroutineType
from typing import cast

from mymcp.contract.capability import Effects
from mymcp.host.external.containment import Contained, contained
from mymcp.host.external.failure import ExternalCode, ExternalPluginLoadError
from mymcp.host.external.preflight import Preflighted
from mymcp.host.external.reference import PluginReference
from mymcp.plugin.adapter import ENTRY_POINT, PluginAdapter
from mymcp.plugin.contribution import ActivatedTool, PluginContribution
from mymcp.plugin.definition import flags_of
from mymcp.plugin.errors import PluginContractError
from mymcp.plugin.identity import CapabilityId
from mymcp.plugin.parity import validate_plugin_contract

_RESERVED_MODULES = sys.stdlib_module_names | {"__main__", "mymcp", "codegen"}
"""Top-level modules that are no plugins, whatever they hold."""


def load(plugin: Preflighted) -> PluginAdapter:
    """Import the module of `plugin` from the ordinary search path and return its adapter.

    Raises `ExternalPluginLoadError`, whatever the module does.
    """
    reference = plugin.reference
    code: ExternalCode = "external_plugin_import_failed"
    if reference.module.partition(".")[0] in _RESERVED_MODULES:
        raise ExternalPluginLoadError(code, reference, inner="reserved_module")
    try:
        module = contained(lambda: import_module(reference.module))
        code = "external_plugin_entrypoint_invalid"
        entry = contained(lambda: getattr(module, ENTRY_POINT, None))
        if not callable(entry):
            raise ExternalPluginLoadError(code, reference, inner="not_callable")
        adapter = contained(entry)
    except Contained as error:
        raise raised(code, reference, error) from None
    kind = type(adapter)  # isinstance would ask the object itself
    if kind is CoroutineType:
        cast("CoroutineType[object, object, object]", adapter).close()
    if not issubclass(kind, PluginAdapter):
        raise ExternalPluginLoadError("external_plugin_contract_invalid", reference)
    return cast(PluginAdapter, adapter)


def contribution_of(plugin: Preflighted, adapter: PluginAdapter) -> PluginContribution:
    """Return what `adapter` contributes, found to keep to the manifest.

    It is made anew, so that nobody meets an object of the plugin afterwards, nor one that says
    something else when it is asked again. Raises `ExternalPluginLoadError`.
    """
    code: ExternalCode = "external_plugin_composition_invalid"

    def made() -> PluginContribution:
        contribution = _anew(adapter.contribution)
        validate_plugin_contract(plugin.manifest, adapter.definition, contribution)
        return contribution

    try:
        return contained(made, letting=PluginContractError)
    except PluginContractError as error:
        raise ExternalPluginLoadError.of(code, plugin.reference, error) from None
    except Contained as error:  # an object of the plugin that does not even compare
        raise raised(code, plugin.reference, error) from None


def _anew(given: PluginContribution) -> PluginContribution:
    tools = [
        ActivatedTool(
            CapabilityId(_text(tool.capability.plugin_id), _text(tool.capability.local_id)),
            tool.tool,
            tool.handler,
            Effects(*flags_of(tool.effects)),
            "none" if tool.consent == "none" else "per_call",
        )
        for tool in given.tools
    ]
    return PluginContribution(_text(given.plugin_id), _text(given.version), tools)


def _text(value: str) -> str:
    return str.__str__(value)  # of a subclass too, whose own `__str__` could say anything


def raised(
    code: ExternalCode, reference: PluginReference, error: Contained
) -> ExternalPluginLoadError:
    """Return the failure that an exception of plugin code leads to."""
    return ExternalPluginLoadError(
        code, reference, inner=error.kind, field=error.place, remark=error.remark
    )
