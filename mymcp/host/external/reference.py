"""Which external plugins an operator asks for."""

from dataclasses import dataclass
from keyword import iskeyword
from pathlib import Path
from typing import Final, Literal

from mymcp.plugin.identity import is_plugin_id

MODULE_MAX_CHARACTERS: Final = 255

UnsafeSchemas = Literal["rewrite", "refuse", "publish"]
"""What becomes of a tool whose input schema breaks some clients. `[tools] unsafe_schemas`.

`rewrite` publishes a wider one that does not and logs what was lost, `refuse` stops the start,
`publish` shows the schema as it is.
"""


@dataclass(frozen=True, slots=True)
class PluginReference:
    """One enabled external plugin as the operator declared it.

    Args:
        position: its place among all declarations, from 1; what the log names it by.
        plugin_id: the id that its manifest must have.
        manifest_path: absolute path of its manifest.
        module: name of the module with its entry point, on the ordinary search path.

    Raises `ValueError` for a value that no configuration could have passed on.
    """

    position: int
    plugin_id: str
    manifest_path: Path
    module: str

    def __post_init__(self) -> None:
        if self.position < 1 or not is_plugin_id(self.plugin_id):
            raise ValueError("position must be 1 or more, plugin_id a plugin id")
        if not self.manifest_path.is_absolute() or not is_module_name(self.module):
            raise ValueError("manifest_path must be absolute, module a dotted name")


def is_module_name(name: str) -> bool:
    """Tell whether a plugin's module may have this `name`."""
    parts = name.split(".")
    return (
        name.isascii()
        and len(name) <= MODULE_MAX_CHARACTERS
        and all(part.isidentifier() and not iskeyword(part) for part in parts)
    )
