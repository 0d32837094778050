"""Finding the record files of a selection, without reading one of them."""

import os
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Literal

from mymcp.plugins.mnemosyne.memory.faults import CandidateLimitExceeded, SourceUnavailable
from mymcp.plugins.mnemosyne.memory.folder import Folder
from mymcp.plugins.mnemosyne.memory.places import Container

SkipReason = Literal[
    "symlink",
    "too_deep",
    "unreadable",
    "oversized",
    "invalid_encoding",
    "invalid_json",
    "invalid_record",
    "path_mismatch",
]
Path = tuple[str, ...]
"""Names from the root: scope first, the file's name last."""
Stamp = tuple[int, int, int, int, int]
"""Device, inode, time of the last write and of the last change (ns), size."""

_SUFFIX = ".json"


@dataclass(frozen=True, slots=True)
class Candidate:
    """One record file as it was seen, not read."""

    path: Path
    stamp: Stamp


@dataclass(frozen=True, slots=True)
class Skip:
    """Something in the selection that cannot be served."""

    path: Path
    reason: SkipReason


@dataclass(frozen=True, slots=True)
class Discovery:
    """What lies in a selection, in code-point order of names, descending in place."""

    candidates: list[Candidate] = field(default_factory=list)
    skips: list[Skip] = field(default_factory=list)


def stamp_of(state: os.stat_result) -> Stamp:
    """Return what changes when a file does; the time of change cannot be put back."""
    return (state.st_dev, state.st_ino, state.st_mtime_ns, state.st_ctime_ns, state.st_size)


def discover(folder: Folder, container: Container, limit: int) -> Discovery:
    """Return the record files in `folder`, which is the opened `container`.

    Raises `CandidateLimitExceeded` at file number `limit + 1`, `SourceUnavailable` where a folder
    cannot be listed: a partial answer would read as a complete one.
    """
    found = Discovery()
    walk = _walk(folder, container.folders, container.levels, container, found.skips)
    try:
        for candidate in walk:
            if len(found.candidates) == limit:
                raise CandidateLimitExceeded
            found.candidates.append(candidate)
    except OSError as error:
        raise SourceUnavailable from error
    return found


def _walk(
    folder: Folder, here: Path, levels: int, container: Container, skips: list[Skip]
) -> Iterator[Candidate]:
    for entry in folder.entries():
        path = (*here, entry.name)
        if entry.is_symlink():
            skips.append(Skip(path, "symlink"))
        elif entry.is_dir(follow_symlinks=False):
            if levels:
                yield from _descended(folder, path, levels - 1, container, skips)
            elif not container.exact:
                skips.append(Skip(path, "too_deep"))
        elif _is_record_name(entry.name) and entry.is_file(follow_symlinks=False):
            try:
                yield Candidate(path, stamp_of(entry.stat(follow_symlinks=False)))
            except FileNotFoundError:
                skips.append(Skip(path, "unreadable"))


def _descended(
    folder: Folder, path: Path, levels: int, container: Container, skips: list[Skip]
) -> Iterator[Candidate]:
    try:
        child = folder.child(path[-1])
    except FileNotFoundError:
        return  # gone since it was listed
    with child:
        yield from _walk(child, path, levels, container, skips)


def _is_record_name(name: str) -> bool:
    return name.endswith(_SUFFIX) and name != _SUFFIX
