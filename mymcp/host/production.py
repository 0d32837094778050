"""The runtime that the commands serve: the host's own tool and the bundled plugin."""

import logging
from collections.abc import Mapping, Sequence
from pathlib import Path
from secrets import token_hex

from mymcp.host.listing import listing
from mymcp.host.runtime import CompositionError, HostRuntime, assemble, public_names
from mymcp.plugin.contribution import PluginContribution
from mymcp.plugins.mnemosyne import plugin as mnemosyne

BUNDLED_PLUGINS = frozenset({mnemosyne.PLUGIN_ID, "memini"})
"""Ids that are ours: of plugins that come with the host, or will."""

_logger = logging.getLogger("mymcp.host.bootstrap")


def build_production_runtime(environment: Mapping[str, str], home: Path) -> HostRuntime:
    """Return the runtime for this environment and home directory.

    Raises `mymcp.plugins.mnemosyne.settings.SettingsError` for an operator's mistake and
    `CompositionError` for tools that cannot be offered together.
    """
    return compose([mnemosyne.contribute(environment, home)], generation=token_hex(16))


def compose(contributions: Sequence[PluginContribution], *, generation: str) -> HostRuntime:
    """Return the runtime of `list_tools` and the tools of `contributions`, in this order."""
    tools = [tool for contribution in contributions for tool in contribution.tools]
    try:
        runtime = assemble([listing(public_names(tools)), *tools], generation=generation)
    except CompositionError as error:
        _logger.error("runtime_composition outcome=error code=%s", error.code)
        raise
    _logger.info(
        "runtime_composition outcome=loaded bundled=%d external=0 capabilities=%d",
        len(contributions),
        len(tools),
    )
    return runtime
