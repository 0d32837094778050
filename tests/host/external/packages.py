"""Writes plugin packages as an author would, good ones and broken ones."""

import json
from collections.abc import Mapping
from itertools import count
from pathlib import Path

from mymcp.host.external.reference import PluginReference
from tests.plugin.manifests import manifest

MODULE = """
from pathlib import Path
from mymcp.plugin import *

DEFINITION = parse_manifest_bytes(Path(__file__).with_name("manifest.json").read_bytes())
TOOL = {
    "description": "Says what it was told.",
    "inputSchema": {"type": "object", "properties": {}, "additionalProperties": False},
}

def handler(arguments):
    return text_result("ok")

def tools():
    return [
        ActivatedTool.declared(DEFINITION, one.id, TOOL, handler)
        for one in DEFINITION.capabilities
    ]

def contribution():
    return PluginContribution(DEFINITION.id, DEFINITION.version, tools())

def mymcp_plugin_v1():
    return PluginAdapter(DEFINITION, contribution())
"""
"""A plugin that works; what is appended to it may break any part."""

_numbers = count(1)


def written(
    folder: Path,
    more: str = "",
    *,
    source: str = MODULE,
    content: Mapping[str, object] | bytes | None = None,
    position: int = 1,
    plugin_id: str = "demo",
    module: str | None = None,
) -> PluginReference:
    """Write a package into `folder`, which is on the search path, and return its reference.

    `more` is appended to its module; `content` is its manifest. Names are never used twice, for
    Python remembers what it imported.
    """
    package = folder / f"written_{next(_numbers)}"
    package.mkdir(mode=0o755)
    (package / "__init__.py").write_text(source + more, encoding="utf-8")
    declared = manifest(id=plugin_id) if content is None else content
    data = declared if isinstance(declared, bytes) else json.dumps(declared).encode()
    path = package / "manifest.json"
    path.write_bytes(data)
    path.chmod(0o644)
    return PluginReference(position, plugin_id, path, module or package.name)
