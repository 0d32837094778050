"""The almanac as a plugin."""

from importlib.resources import files

from almanac_plugin import sky
from mymcp.plugin import ActivatedTool, PluginContribution, parse_manifest_bytes
from mymcp.plugin.adapter import PluginAdapter

TOOLS = {
    "moon": (sky.MOON, sky.moon),
    "note": (sky.NOTE, sky.Notes()),
    "wait": (sky.PLAIN, sky.wait),
    "leave": (sky.PLAIN, sky.leave),
}


def mymcp_plugin_v1() -> PluginAdapter:
    definition = parse_manifest_bytes(files(__name__).joinpath("manifest.json").read_bytes())
    tools = [ActivatedTool.declared(definition, name, *TOOLS[name]) for name in TOOLS]
    return PluginAdapter(definition, PluginContribution(definition.id, definition.version, tools))
