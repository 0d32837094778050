"""Everything that is generated, as one tree: a function of the catalog and the ledgers."""

from collections.abc import Mapping, Sequence
from pathlib import PurePosixPath

from codegen.catalog import Catalog
from codegen.compilation import Compilation
from codegen.emit import data, docs, models, python, staging
from codegen.ledger import Entry, dump
from codegen.tree import OWNED, Tree

_PACKAGE, _PAGES = OWNED


def generate(
    catalog: Catalog, compilation: Compilation, ledgers: Mapping[str, Sequence[Entry]]
) -> Tree:
    """Return the generated tree of a linted `catalog` and its `compilation`."""
    modules = python.emit(compilation)
    for path, text in models.emit(staging.stage(catalog)).items():
        modules[PurePosixPath("models") / path] = text
    files = dict(python.tidy(modules))
    copies = {capability: dump(entries) for capability, entries in ledgers.items()}
    for path, content in data.emit(compilation, copies).items():
        files[PurePosixPath("data") / path] = content
    pages = docs.emit(compilation, ledgers)
    return {
        **{_PACKAGE / path: content for path, content in sorted(files.items())},
        **{_PAGES / path: content for path, content in sorted(pages.items())},
    }
