"""`mymcp plugin new`: a small external plugin that works, to start from."""

import os
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from string import Template
from typing import Final

from mymcp.plugin.identity import RESERVED_PLUGIN_IDS, is_plugin_id
from mymcp.settings import PRODUCT_VERSION

FOLDER_MODE: Final = 0o755
FILE_MODE: Final = 0o644
"""Whatever the umask allows: the host reads no manifest that a group may write."""

_FILES: Final = {
    "pyproject.toml": "pyproject.toml.txt",
    "README.md": "README.md.txt",
    "{package}/__init__.py": "__init__.py.txt",
    "{package}/greet.py": "greet.py.txt",
    "{package}/manifest.json": "manifest.json.txt",
    "tests/test_{package}.py": "test_plugin.py.txt",
}


class Unmakeable(Exception):
    """A plugin that cannot be made; the message says what to do."""


@dataclass(frozen=True, slots=True)
class Scaffold:
    """A plugin that was made: its folder, its manifest and the module with the entry point."""

    folder: Path
    manifest: Path
    module: str


def make(plugin_id: str, parent: Path) -> Scaffold:
    """Write a new plugin into the folder `parent/plugin_id` and return where it is.

    Raises `Unmakeable` for an id that no external plugin may have, for one that leaves no room for
    the name of a tool, and where something stands already.
    """
    if not is_plugin_id(plugin_id):
        raise Unmakeable("an id is lower-case words joined by hyphens, at most 64 characters")
    if plugin_id in RESERVED_PLUGIN_IDS or plugin_id == "mymcp":
        raise Unmakeable("this id belongs to the host; choose another")
    if len(f"{plugin_id}__greet") > 64:
        raise Unmakeable("the id is too long: with the name of a tool it exceeds 64 characters")
    package = f"{plugin_id.replace('-', '_')}_plugin"
    values = {
        "id": plugin_id,
        "title": plugin_id.replace("-", " ").capitalize(),
        "package": package,
        "host_version": PRODUCT_VERSION,
    }
    try:
        folder = parent.resolve() / plugin_id
        _write(folder, package, values)
    except FileExistsError:
        raise Unmakeable("a file or folder of that name is there already") from None
    except OSError:
        raise Unmakeable("the folder cannot be written") from None
    return Scaffold(folder, folder / package / "manifest.json", package)


def _write(folder: Path, package: str, values: Mapping[str, str]) -> None:
    folder.mkdir(mode=FOLDER_MODE)
    for inner in (package, "tests"):
        (folder / inner).mkdir(mode=FOLDER_MODE)
    template = files("mymcp.cli").joinpath("template")
    for target, source in _FILES.items():
        text = Template(template.joinpath(source).read_text(encoding="utf-8")).substitute(values)
        path = folder / target.format(package=package)
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL
        with os.fdopen(os.open(path, flags, FILE_MODE), "w", encoding="utf-8") as file:
            file.write(text)
