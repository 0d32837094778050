"""Generated from contracts/manifests by nox -s codegen; do not edit."""

from mymcp.contract.reader import Reader
from mymcp.contract.rules import Distinct, NativeInteger

from .models.manifests.plugin_v1 import PluginManifestV1

PLUGIN_V1 = Reader(
    PluginManifestV1,
    rules=(
        NativeInteger(path=("manifest_version",)),
        NativeInteger(path=("configuration", "schema_version")),
        Distinct(path=("secret_references",)),
        Distinct(path=("authority", "filesystem")),
    ),
)
"""Plugin manifest, version 1. Contract: contracts/manifests/plugin-v1.json."""

MANIFESTS = {"mnemosyne": "mnemosyne.json"}
"""The file below `data/manifests` of each bundled plugin, by its id."""
