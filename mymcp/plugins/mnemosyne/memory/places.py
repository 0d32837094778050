"""Where memories lie below the root: addresses of records and the folders that hold them.

A path is a pure function of ids. Labels and kinds never enter it, so renaming moves nothing.
"""

import re
from dataclasses import dataclass

from mymcp._generated.models.shared.scope import Scope

SCOPE_LEVELS = 4
"""How many folders below a scope are walked."""
NAMESPACE_LEVELS = 1
"""How many folders below a listed namespace are walked: its collections."""

_IDENTIFIER = re.compile(r"[a-z0-9](?:[a-z0-9_-]{0,62}[a-z0-9])?")
_MEMORY_ID = re.compile(r"mem_[0-9a-f]{32}")


def folder_name(identifier: str) -> str:
    """Return `identifier`, which is safe as the name of one folder, or raise `ValueError`.

    Contracts refuse other names long before. This is the last line: whatever calls the store, no
    path leaves the root.
    """
    if _IDENTIFIER.fullmatch(identifier) is None:
        raise ValueError("not an identifier")
    return identifier


@dataclass(frozen=True, slots=True)
class Address:
    """One version-2 record, addressed exactly; `collection_id` is none where it has none."""

    scope: Scope
    namespace_id: str
    collection_id: str | None
    id: str

    @property
    def folders(self) -> tuple[str, ...]:
        """Names of the folders from the root to the record. Raises `ValueError` on unsafe ids."""
        return _folders(self.scope, self.namespace_id, self.collection_id)

    @property
    def file_name(self) -> str:
        """Name of the record's file. Raises `ValueError` on an unsafe id."""
        if _MEMORY_ID.fullmatch(self.id) is None:
            raise ValueError("not a memory id")
        return f"{self.id}.json"

    @property
    def path(self) -> tuple[str, ...]:
        """Folders and file name. Raises `ValueError` on unsafe ids."""
        return (*self.folders, self.file_name)


@dataclass(frozen=True, slots=True)
class Container:
    """The folder that a selection walks, and how far down.

    `levels` counts the folders below it that are walked. What lies deeper is left out with a
    mark, except in an `exact` container, where it was never part of the selection.
    """

    folders: tuple[str, ...]
    levels: int
    exact: bool = False


def scope_container(scope: str) -> Container:
    """Return all of a scope."""
    return Container(_folders(scope), SCOPE_LEVELS)


def recalled_namespace(scope: str, namespace_id: str) -> Container:
    """Return one namespace as recall searches it: what a walk of its scope sees of it.

    One folder deeper, as it once was, and a record would be found in the namespace but not in
    the scope that holds it.
    """
    return Container(_folders(scope, namespace_id), SCOPE_LEVELS - 1)


def listed_namespace(scope: str, namespace_id: str) -> Container:
    """Return one namespace with its collections."""
    return Container(_folders(scope, namespace_id), NAMESPACE_LEVELS)


def collectionless(scope: str, namespace_id: str) -> Container:
    """Return the records of one namespace that are in no collection."""
    return Container(_folders(scope, namespace_id), 0, exact=True)


def collection(scope: str, namespace_id: str, collection_id: str) -> Container:
    """Return the records of one collection."""
    return Container(_folders(scope, namespace_id, collection_id), 0, exact=True)


def _folders(*names: str | None) -> tuple[str, ...]:
    return tuple(folder_name(name) for name in names if name is not None)
