"""What the entry point of an external plugin returns."""

from dataclasses import dataclass
from typing import Final

from mymcp.plugin.contribution import PluginContribution
from mymcp.plugin.definition import PluginDefinition

ENTRY_POINT: Final = "mymcp_plugin_v1"
"""The attribute of a plugin's module: a callable without arguments that returns an adapter."""


@dataclass(frozen=True, slots=True)
class PluginAdapter:
    """A plugin: what it declares and what it contributes. Raises `ValueError` for other types."""

    definition: PluginDefinition
    contribution: PluginContribution

    def __post_init__(self) -> None:
        if not isinstance(self.definition, PluginDefinition):
            raise ValueError("definition must be a PluginDefinition")
        if not isinstance(self.contribution, PluginContribution):
            raise ValueError("contribution must be a PluginContribution")
