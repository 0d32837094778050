"""`mymcp plugin check`: everything that a start would find out about a plugin, without serving."""

import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from mymcp._generated.registry import CAPABILITIES
from mymcp.host.external.composed import ComposedPlugins, ComposedTool
from mymcp.host.external.composition import compose_external
from mymcp.host.external.containment import escaped
from mymcp.host.external.failure import ExternalPluginLoadError
from mymcp.host.external.preflight import preflight
from mymcp.host.external.reference import PluginReference, UnsafeSchemas, is_module_name
from mymcp.plugin.errors import PluginContractError
from mymcp.plugin.identity import is_plugin_id
from mymcp.plugin.manifest import MANIFEST_MAX_BYTES, parse_manifest_bytes

MANIFEST_NAME = "manifest.json"


class NotFound(Exception):
    """No plugin at a path; the message says what was looked for."""


@dataclass(frozen=True, slots=True)
class Plugin:
    """A plugin in a folder: its manifest, its module, and the folder from which that is imported.

    `home` is none where the module is to come from the ordinary search path.
    """

    manifest: Path
    module: str
    home: Path | None


def found_at(path: Path, module: str | None) -> Plugin:
    """Return the plugin at `path`: a manifest, the folder of one, or a project with one package.

    `module` is the name of its module, if that is not the folder of the manifest. Raises
    `NotFound`.
    """
    try:
        return _plugin_at(path.absolute(), module)
    except OSError:
        raise NotFound("that path cannot be looked at, or the current folder is gone") from None


def check(plugin: Plugin, unsafe_schemas: UnsafeSchemas) -> ComposedPlugins:
    """Return what `plugin` brings, all of its checks passed. Its code is imported and runs.

    Raises `ExternalPluginLoadError`.
    """
    if plugin.home is not None:
        sys.path.insert(0, str(plugin.home))
    reference = PluginReference(1, _id_in(plugin.manifest), plugin.manifest, plugin.module)
    taken = [one.name for one in CAPABILITIES]
    return compose_external(preflight([reference]), unsafe_schemas=unsafe_schemas, taken=taken)


def report(plugins: ComposedPlugins) -> Iterator[str]:
    """Yield lines that say what a server would offer."""
    for plugin_id, version in plugins.inventory:
        yield f"{plugin_id} {version}"
    for tool in plugins.tools:
        yield from _lines_of(tool)
    count = len(plugins.tools)
    yield f"ok: {count} {'tool' if count == 1 else 'tools'} would be offered"


def explanation(error: ExternalPluginLoadError) -> str:
    """Return one line for the author of a plugin; it may repeat what the plugin itself said."""
    return f"{error} ({escaped(error.remark)})" if error.remark else str(error)


def _lines_of(tool: ComposedTool) -> Iterator[str]:
    capability = tool.bound.capability
    effects = capability.effects
    verb = "reads only" if effects.read_only else "changes something"
    asks = "asks before each call" if capability.consent == "per_call" else "asks nobody"
    yield f"  {capability.name} {capability.version}: {verb}, {asks}"
    if "description" not in tool.bound.published:
        yield "    warning: no description; models choose a tool by it"
    for loss in tool.losses:
        yield f"    not published: {escaped(loss.what)} at {escaped(loss.pointer or '/')}"


def _plugin_at(path: Path, module: str | None) -> Plugin:
    manifest = _manifest_at(path)
    folder = manifest.parent
    if module is not None:
        if not is_module_name(module):
            raise NotFound("--module must be the dotted ASCII name of a module")
        return Plugin(manifest, module, None)
    if not is_module_name(folder.name) or not (folder / "__init__.py").is_file():
        raise NotFound("the manifest does not lie in a package; name the module with --module")
    return Plugin(manifest, folder.name, folder.parent)


def _manifest_at(path: Path) -> Path:
    if path.is_file():
        return path
    places = [path / MANIFEST_NAME]
    if not places[0].is_file():
        places = sorted([*path.glob(f"*/{MANIFEST_NAME}"), *path.glob(f"src/*/{MANIFEST_NAME}")])
    if not places:
        raise NotFound(f"no {MANIFEST_NAME} there, nor in a package within")
    if len(places) > 1:
        raise NotFound(f"several packages there have a {MANIFEST_NAME}; name one of them")
    return places[0]


def _id_in(manifest: Path) -> str:
    """Return the id that a manifest declares; for one that cannot be read, something like it."""
    try:
        with manifest.open("rb") as file:
            return parse_manifest_bytes(file.read(MANIFEST_MAX_BYTES + 1)).id
    except (OSError, PluginContractError):
        name = manifest.parent.name.removesuffix("_plugin").replace("_", "-").lower()
        return name if is_plugin_id(name) else "plugin"
