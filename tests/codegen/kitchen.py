"""The small catalog of the emitter tests: one plugin, one record, everything the dialect has."""

import json
from collections.abc import Callable
from pathlib import Path, PurePosixPath
from typing import Any

from codegen import catalog, generation
from codegen.catalog import Catalog
from codegen.compilation import Compilation, compile_catalog
from codegen.ledger import Entry
from codegen.tree import Tree

SMALL = Path(__file__).parent / "small"
LEDGER = (
    Entry(
        version="1.0.0",
        since="0.1.0",
        published="sha256:00",
        contract="sha256:11",
        fields=(("bread", "required union[2]"),),
        reason="the first scale",
        previous=None,
    ),
)

Change = Callable[[Any], None]


def small_catalog(**changes: Change) -> Catalog:
    """Return the catalog of `small/`; `changes` edit one file each, named by its stem."""
    files = dict(catalog.read(SMALL))
    for stem, change in changes.items():
        (path,) = (path for path in files if path.endswith(f"/{stem}.json"))
        content = json.loads(files[path])
        change(content)
        files[path] = json.dumps(content).encode()
    return catalog.build(files)


def small_compilation(**changes: Change) -> Compilation:
    """Return the compilation of `small_catalog`."""
    return compile_catalog(small_catalog(**changes))


def small_tree() -> Tree:
    """Return everything that the small catalog generates."""
    found = small_catalog()
    return generation.generate(found, compile_catalog(found), {"weigh": LEDGER})


def in_one_text(tree: Tree) -> str:
    """Return all files of `tree` as one text that a person can read and a diff can show."""
    return "".join(f"===== {path}\n{tree[path].decode()}" for path in sorted(tree))


def module(tree: Tree, path: str) -> str:
    """Return the text of one generated module."""
    return tree[PurePosixPath("mymcp/_generated") / path].decode()
