"""Reading record files onto a shelf."""

import errno
import os
from collections.abc import Callable, Collection, Mapping
from contextlib import ExitStack
from itertools import islice

from mymcp.plugins.mnemosyne.memory.collector import uncollected
from mymcp.plugins.mnemosyne.memory.discovery import is_settled, stamp_of, unsettled
from mymcp.plugins.mnemosyne.memory.entries import (
    Entry,
    Path,
    Reading,
    SkipReason,
    Stamp,
    reading_of,
)
from mymcp.plugins.mnemosyne.memory.faults import SourceUnavailable
from mymcp.plugins.mnemosyne.memory.folder import Folder
from mymcp.plugins.mnemosyne.memory.notices import Skip
from mymcp.plugins.mnemosyne.memory.records import RECORD_MAX_BYTES
from mymcp.plugins.mnemosyne.memory.shelf import FolderState, Shelf

MANY = 64
"""From so many files on, a shelf is put in order once for all of them."""
LARGE = 5_000
"""From so many files on, the cycle collector is kept away from them."""
BATCH = 128
"""So many files are read before they are placed: each kind of work is quicker by itself."""
_LACK_OF_MEANS = frozenset({errno.EMFILE, errno.ENFILE, errno.ENOMEM})
_UNSEEN: Stamp = unsettled((0, 0, 0, 0, 0, 0))


class Reader:
    """Reads files below a root. `key` is the one of `reading_of`; threads may share it."""

    def __init__(self, key: bytes, now_ns: Callable[[], int]) -> None:
        self._key = key
        self.now_ns = now_ns

    def read(
        self, root: Folder, shelf: Shelf, unread: Mapping[Path, Collection[str]], skips: list[Skip]
    ) -> None:
        """Place the files of `unread`, names by folder; add what cannot be served to `skips`.

        A file that vanished is taken off the shelf. Raises `SourceUnavailable` where this process
        lacks the means to read: a file left out for that would read as one that is not there.
        """
        count = sum(map(len, unread.values()))
        with ExitStack() as load:
            if count >= MANY:
                load.enter_context(shelf.loading())
            if count >= LARGE:
                load.enter_context(uncollected())
            for path, names in sorted(unread.items()):  # what comes in order need not be sorted
                try:
                    self._read_folder(root, shelf, path, names, skips)
                except FileNotFoundError:  # gone since it was listed
                    for name in shelf.folders[path].stamps.keys() & set(names):
                        shelf.remove((*path, name))
                except OSError as error:  # swapped since then
                    reason = _unreadable(error)
                    for name in names:
                        shelf.place((*path, name), _UNSEEN, reason)
                        skips.append(Skip((*path, name), reason))

    def _read_folder(
        self, root: Folder, shelf: Shelf, path: Path, names: Collection[str], skips: list[Skip]
    ) -> None:
        waiting = iter(sorted(names))
        with root.below(path) as folder:
            while batch := list(islice(waiting, BATCH)):
                for name, read in [(name, self._read(folder, (*path, name))) for name in batch]:
                    _put(shelf, (*path, name), read, skips)

    def _read(self, folder: Folder, path: Path) -> "_Read | None":
        """Return the file at `path`, which lies in `folder`; none if it is gone."""
        try:
            return self._reading(folder, path)
        except FileNotFoundError:
            return None

    def _reading(self, folder: Folder, path: Path) -> "_Read":
        """Return the file's stamp, its reading, and whether that stamp vouches for it."""
        before = self.now_ns()
        name = path[-1]
        try:
            data, state = folder.read(name, RECORD_MAX_BYTES + 1)
        except FileNotFoundError:
            raise
        except OSError as error:
            reason = _unreadable(error)
            state = os.stat(name, dir_fd=folder.descriptor, follow_symlinks=False)
            return stamp_of(state), reason, False
        stamp = stamp_of(state)
        return stamp, reading_of(path, data, self._key), is_settled(stamp, before)


_Read = tuple[Stamp, Reading, bool]


def _put(shelf: Shelf, path: Path, read: _Read | None, skips: list[Skip]) -> None:
    """Place what was read of the file at `path`; nothing if it is gone."""
    state, name = shelf.folders[path[:-1]], path[-1]
    if read is None:
        if name in state.stamps:
            shelf.remove(path)
        return
    stamp, reading, is_final = read
    kept = stamp if is_final else unsettled(stamp)
    if _is_on(shelf, state, name, reading):
        state.stamps[name] = kept
    else:
        shelf.place(path, kept, reading)
    if not isinstance(reading, Entry):
        skips.append(Skip(path, reading, stamp))


def _is_on(shelf: Shelf, state: FolderState, name: str, reading: Reading) -> bool:
    """Tell whether just this record is on the shelf: taking it out and in would be in vain."""
    number = state.numbers.get(name)
    return (
        number is not None
        and isinstance(reading, Entry)
        and shelf.entry(number).mark == reading.mark
    )


def _unreadable(error: OSError) -> SkipReason:
    if error.errno in _LACK_OF_MEANS:
        raise SourceUnavailable from error
    return "unreadable"
