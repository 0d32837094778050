"""Temporary files of records, and what a killed process left of them.

They are made while the root is held, so whoever holds the root knows that every one it finds is
stale. Older servers named theirs alike.
"""

import logging
import os
import re
from pathlib import PurePath
from typing import get_args

from mymcp._generated.models.shared.scope import Scope
from mymcp.plugins.mnemosyne.memory.folder import Folder

TOKEN_BYTES = 8
_TEMPORARY = re.compile(r"\.(mem_[0-9a-f]{32})\.[A-Za-z0-9_-]{1,64}\.tmp")
_SCOPES: tuple[str, ...] = get_args(Scope.__value__)
_LEVELS_BELOW_SCOPE = 2
"""Records lie in namespaces and collections; nothing is written anywhere else."""

logger = logging.getLogger("mymcp.memory.store")


def temporary_name(name: str, token: str) -> str:
    """Return the name beside `name`, a record's file; `token` is a few random hex digits."""
    return f".{PurePath(name).stem}.{token}.tmp"


def is_temporary_name(name: str) -> bool:
    """Tell whether a file of this name, which is none of a record, was made here."""
    return _TEMPORARY.fullmatch(name) is not None


def sweep(root: Folder) -> None:
    """Delete every temporary below the held `root`, as far as that can be done.

    What cannot be listed or deleted is left: it is no reason to refuse a memory, and reading says
    what is wrong with a folder.
    """
    count = sum(_swept_below(root, scope, _LEVELS_BELOW_SCOPE) for scope in _SCOPES)
    if count:
        logger.info("swept temporaries=%d", count)


def discard(folder: Folder, name: str) -> None:
    """Delete every temporary of record file `name` in `folder`. Raises `OSError` if one stays."""
    identifier = PurePath(name).stem
    for entry in folder.entries():
        found = _TEMPORARY.fullmatch(entry.name)
        if found and found[1] == identifier and entry.is_file(follow_symlinks=False):
            os.unlink(entry.name, dir_fd=folder.descriptor)


def _swept_below(above: Folder, name: str, levels: int) -> int:
    try:
        with above.child(name) as folder:
            return _swept(folder, levels)
    except OSError:
        return 0


def _swept(folder: Folder, levels: int) -> int:
    here = below = 0
    for entry in folder.entries():
        if entry.is_dir(follow_symlinks=False):
            below += _swept_below(folder, entry.name, levels - 1) if levels else 0
        elif _TEMPORARY.fullmatch(entry.name) and entry.is_file(follow_symlinks=False):
            here += _is_unlinked(folder, entry.name)
    if here:
        folder.sync()
    return here + below


def _is_unlinked(folder: Folder, name: str) -> bool:
    try:
        os.unlink(name, dir_fd=folder.descriptor)
    except OSError:
        return False
    return True
