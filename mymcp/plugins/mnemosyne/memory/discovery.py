"""Seeing what changed in one folder, without reading one file of it."""

import os
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from operator import attrgetter

from mymcp.plugins.mnemosyne.memory.entries import Stamp
from mymcp.plugins.mnemosyne.memory.faults import CandidateLimitExceeded
from mymcp.plugins.mnemosyne.memory.folder import Folder

SETTLED_NS = 50_000_000
COARSE_SETTLED_NS = 2_000_000_000
LISTINGS_MAX = 8
"""So often a folder is listed that changes all the while; what two listings miss is rare."""
INODE = 1
"""Where a stamp holds the file's number."""
LINKS = 2
"""Where a stamp holds how many names its file has."""
_CHANGED = 4
_SUFFIX = ".json"

stamp_of: Callable[[os.stat_result], Stamp] = attrgetter(
    "st_dev", "st_ino", "st_nlink", "st_mtime_ns", "st_ctime_ns", "st_size"
)
"""Return what changes when a file does; the time of change cannot be put back.

The bulk of a sweep, so it is made of one C function: twice as fast as a tuple written out.
"""


@dataclass(slots=True)
class Listing:
    """What lies in one folder, against what was known of it.

    `same` are the record files whose stamps are the known ones, `changed` those that are new or
    have other stamps, `gone` the known ones that are not among them.
    """

    same: list[str] = field(default_factory=list)
    changed: list[str] = field(default_factory=list)
    gone: set[str] = field(default_factory=set)
    subfolders: set[str] = field(default_factory=set)
    symlinks: set[str] = field(default_factory=set)

    @property
    def count(self) -> int:
        """How many record files there are."""
        return len(self.same) + len(self.changed)

    @property
    def names(self) -> set[str]:
        """The names of all of them, and of folders and symlinks."""
        return self.subfolders.union(self.same, self.changed, self.symlinks)


def unsettled(stamp: Stamp) -> Stamp:
    """Return `stamp` as one that no file will show: what is kept under it is read again."""
    return (*stamp, 0)


def is_settled(stamp: Stamp, before_ns: int) -> bool:
    """Tell whether a write after `before_ns` would surely show in the stamp.

    Clocks of file systems tick: two writes in one tick leave one stamp. A file that changed just
    before it was read is therefore read again next time. Whole seconds betray a coarse clock.
    """
    changed_ns = stamp[_CHANGED]
    tick = SETTLED_NS if changed_ns % 1_000_000_000 else COARSE_SETTLED_NS
    return changed_ns + tick < before_ns


def is_record_name(name: str) -> bool:
    """Tell whether a regular file of this name is a record file."""
    return name.endswith(_SUFFIX) and name != _SUFFIX


def listed(
    folder: Folder, known: Mapping[str, Stamp], room: int, now_ns: Callable[[], int]
) -> Listing:
    """Return what lies in `folder`; `known` are the stamps of its record files as last seen.

    A file that is replaced just now may be passed over by the kernel, whose lists are not made in
    one go. So a folder that changed meanwhile is listed again, until nothing more is found.

    Raises `CandidateLimitExceeded` at record file number `room + 1`, `OSError` where the folder
    or something in it cannot be looked at.
    """
    found, is_quiet = Listing(), False
    for _ in range(LISTINGS_MAX):
        before_ns, before = now_ns(), stamp_of(os.fstat(folder.descriptor))
        names = found.names
        _list(found, folder, known, room, names)
        is_quiet = stamp_of(os.fstat(folder.descriptor)) == before and is_settled(before, before_ns)
        if is_quiet or (names and len(found.names) == len(names)):
            break
    if found.count > room:
        _require_room(found, folder, room)
    if len(found.same) < len(known) or not is_quiet:
        found.gone = known.keys() - set(found.same) - set(found.changed)
    return found


def _list(
    found: Listing, folder: Folder, known: Mapping[str, Stamp], room: int, names: set[str]
) -> None:
    """Add to `found` what lies in `folder` and is not among `names`, which it had before."""
    same = found.same.append
    stamp_known = known.get
    with os.scandir(folder.descriptor) as entries:
        for entry in entries:
            name = entry.name
            if name in names:
                continue
            stamp = stamp_known(name)
            # Most files are known and unchanged, so this comes first and costs one system call.
            if stamp is not None:
                try:
                    if stamp_of(entry.stat(follow_symlinks=False)) == stamp:
                        same(name)
                        continue
                except FileNotFoundError:
                    continue
            _sort_in(found, entry)
            if found.count > room and not names:
                raise CandidateLimitExceeded


def _require_room(found: Listing, folder: Folder, room: int) -> None:
    """Raise `CandidateLimitExceeded` if more than `room` of the files found are there still.

    Several listings may show one that went and another that came.
    """
    found.same = [name for name in dict.fromkeys(found.same) if _is_in(folder, name)]
    found.changed = [name for name in dict.fromkeys(found.changed) if _is_in(folder, name)]
    if found.count > room:
        raise CandidateLimitExceeded


def _is_in(folder: Folder, name: str) -> bool:
    with suppress(FileNotFoundError):
        os.stat(name, dir_fd=folder.descriptor, follow_symlinks=False)
        return True
    return False


def _sort_in(found: Listing, entry: os.DirEntry[str]) -> None:
    if entry.is_symlink():
        found.symlinks.add(entry.name)
    elif entry.is_dir(follow_symlinks=False):
        found.subfolders.add(entry.name)
    elif (
        is_record_name(entry.name)
        and entry.is_file(follow_symlinks=False)
        and (found.changed or _is_there(entry))
    ):
        found.changed.append(entry.name)


def _is_there(entry: os.DirEntry[str]) -> bool:
    """Tell whether a file is there still.

    Asked of one file: a folder that lists its names but may not be searched fails here, and not
    file by file.
    """
    with suppress(FileNotFoundError):
        entry.stat(follow_symlinks=False)
        return True
    return False
