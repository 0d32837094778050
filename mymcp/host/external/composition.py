"""All external plugins of a server, from references to tools."""

import json
import logging
from collections.abc import Collection, Sequence
from hashlib import sha256
from typing import Final

from mymcp._generated import data
from mymcp.contract.capability import Capability
from mymcp.host.external.calling import bound
from mymcp.host.external.composed import ComposedPlugins, ComposedTool
from mymcp.host.external.containment import Contained, contained, word
from mymcp.host.external.failure import ExternalPluginLoadError
from mymcp.host.external.loading import contribution_of, load, raised
from mymcp.host.external.preflight import Preflighted
from mymcp.host.external.reference import UnsafeSchemas
from mymcp.host.external.tool import CheckedTool, checked
from mymcp.plugin.contribution import PluginContribution
from mymcp.plugin.errors import PluginContractError
from mymcp.plugin.surface import SurfacedTool, bindings_of, compose_tool_surface
from mymcp.schema.profile import Profile, profile_of
from mymcp.schema.publication import Loss

LOSSES_LOGGED_MAX = 20

_INVALID: Final = "external_plugin_composition_invalid"

_logger = logging.getLogger("mymcp.host.external")


def compose_external(
    plugins: Sequence[Preflighted],
    *,
    unsafe_schemas: UnsafeSchemas = "rewrite",
    taken: Collection[str] = (),
) -> ComposedPlugins:
    """Import, check and bind `plugins`, in order.

    All are imported before any is checked, and all checked before anything is bound. `taken` are
    the public names of the server's other tools. Raises `ExternalPluginLoadError`.
    """
    adapters = [load(plugin) for plugin in plugins]
    contributions = [
        contribution_of(plugin, adapter) for plugin, adapter in zip(plugins, adapters, strict=True)
    ]
    surface = _surface(plugins, contributions, taken)
    safe = profile()
    by_id = {plugin.manifest.id: plugin for plugin in plugins}
    tools = tuple(
        _tool(by_id[one.tool.capability.plugin_id], one, safe, unsafe_schemas) for one in surface
    )
    inventory = tuple((plugin.manifest.id, plugin.manifest.version) for plugin in plugins)
    return ComposedPlugins(tools, inventory)


def profile() -> Profile:
    """Return what may be published to every client."""
    return profile_of(json.loads(data.read("profiles/llama-safe-v1.json")))


def log_losses(plugins: ComposedPlugins) -> None:
    """Log once what published schemas do not say, at most 20 lines a tool."""
    for tool in plugins.tools:
        name = tool.bound.capability.name
        for loss in tool.losses[:LOSSES_LOGGED_MAX]:
            _logger.warning(
                "schema_rewritten tool=%s step=%s lost=%s", name, loss.step, _word(loss)
            )
        if len(tool.losses) > LOSSES_LOGGED_MAX:
            more = len(tool.losses) - LOSSES_LOGGED_MAX
            _logger.warning("schema_rewritten tool=%s more=%d", name, more)


def _surface(
    plugins: Sequence[Preflighted],
    contributions: Sequence[PluginContribution],
    taken: Collection[str],
) -> tuple[SurfacedTool, ...]:
    """Add one plugin after the other, so that the one that does not fit can be named."""
    surface: tuple[SurfacedTool, ...] = ()
    for count, plugin in enumerate(plugins, 1):
        some = contributions[:count]
        try:
            surface = compose_tool_surface(some, bindings_of(some), taken=taken)
        except PluginContractError as error:
            raise ExternalPluginLoadError.of(_INVALID, plugin.reference, error) from None
    return surface


def _tool(
    plugin: Preflighted, one: SurfacedTool, safe: Profile, unsafe_schemas: UnsafeSchemas
) -> ComposedTool:
    tool, reference = one.tool, plugin.reference
    try:
        found = contained(
            lambda: checked(tool, one.name, safe, unsafe_schemas), letting=PluginContractError
        )
    except PluginContractError as error:
        place = ".".join(filter(None, (one.name, error.field)))
        placed = PluginContractError(error.code, place)
        raise ExternalPluginLoadError.of(_INVALID, reference, placed) from None
    except Contained as error:  # an object of the plugin within the definition
        raise raised(_INVALID, reference, error) from None
    local_id = tool.capability.local_id
    capability = Capability(
        plugin=tool.capability.plugin_id,
        name=one.name,
        version=next(c.version for c in plugin.manifest.capabilities if c.id == local_id),
        title=found.title,
        effects=tool.effects,
        consent=tool.consent,
        gate=None,
        digest=_digest(found),
    )
    return ComposedTool(bound(capability, found, tool.handler), found.losses)


def _digest(tool: CheckedTool) -> str:
    """Return what changes when the definition does: SHA-256 of its canonical JSON."""
    text = json.dumps(tool.published, sort_keys=True, separators=(",", ":"))
    return f"sha256:{sha256(text.encode('ascii')).hexdigest()}"


def _word(loss: Loss) -> str:
    return f"{word(loss.what)} at={word(loss.pointer or '/')}"
