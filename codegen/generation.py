"""Everything that is generated, as one tree: a function of the catalog and the ledgers."""

from collections.abc import Mapping
from pathlib import PurePosixPath

from codegen.catalog import Catalog
from codegen.compilation import Compilation
from codegen.emit import data, models, python, staging
from codegen.tree import OWNED, Tree

_PACKAGE, _PAGES = OWNED


def generate(
    catalog: Catalog, compilation: Compilation, ledgers: Mapping[str, bytes]
) -> Tree:
    """Return the generated tree of a linted `catalog` and its `compilation`."""
    modules = python.emit(compilation)
    for path, text in models.emit(staging.stage(catalog)).items():
        modules[PurePosixPath("models") / path] = text
    files = dict(python.tidy(modules))
    for path, content in data.emit(compilation, ledgers).items():
        files[PurePosixPath("data") / path] = content
    return {_PACKAGE / path: content for path, content in sorted(files.items())}
