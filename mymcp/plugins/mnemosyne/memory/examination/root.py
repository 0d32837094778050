"""The root of a memory: where it is, and whether it can be used."""

import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from mymcp.plugins.mnemosyne.memory.examination.findings import Finding
from mymcp.plugins.mnemosyne.memory.examination.trouble import name_of, trouble
from mymcp.plugins.mnemosyne.memory.files import leads_nowhere
from mymcp.plugins.mnemosyne.memory.folder import Folder
from mymcp.plugins.mnemosyne.memory.watching.filesystem import REPORTING
from mymcp.plugins.mnemosyne.memory.watching.mounts import mount_type

PASSING: Final = frozenset({"tmpfs", "ramfs", "overlay"})
"""File systems that a restart of the machine, or of a container, ends."""


@dataclass(frozen=True, slots=True)
class RootState:
    """What is known of a root without reading a record.

    `real_path` is where `path` leads through links above it. `trouble` says in a few words why it
    cannot be used, if it cannot. For a missing root, `is_writable` and `file_system` are those of
    the nearest folder above; `file_system` is none where it cannot be known.
    """

    path: Path
    real_path: Path
    exists: bool
    is_empty: bool
    is_writable: bool
    file_system: str | None
    trouble: str | None = None

    @property
    def reports_changes(self) -> bool:
        """Whether the kernel tells of every change there, so that no call has to look for them."""
        return self.file_system in REPORTING

    def findings(self, *, is_changed: bool) -> Iterator[Finding]:
        """Yield what is wrong with it; `is_changed` says that the server may write to it."""
        if self.trouble is not None:
            yield Finding("root_unusable", detail=self.trouble)
            return
        if not self.exists:
            yield Finding("root_missing")
        elif self.is_empty:
            yield Finding("root_empty")
        if self.file_system in PASSING:
            yield Finding("not_persistent", detail=self.file_system or "")
        if is_changed and not self.is_writable:
            yield Finding("not_writable", detail="" if self.exists else "it cannot be made")


def root_state(path: Path) -> RootState:
    """Return what is known of the root at `path`, which is absolute. Changes nothing."""
    try:
        with Folder.at(path) as folder:
            return _state_of(path, folder)
    except FileNotFoundError:
        return _missing(path)
    except OSError as error:
        return _unusable(path, _told(path, error))


def is_writable(folder: Folder) -> bool:
    """Tell whether this process may make and replace files in `folder`, without trying."""
    effective = os.access in os.supports_effective_ids
    return os.access(".", os.W_OK | os.X_OK, dir_fd=folder.descriptor, effective_ids=effective)


def _state_of(path: Path, folder: Folder) -> RootState:
    with os.scandir(folder.descriptor) as entries:
        is_empty = next(entries, None) is None
    return RootState(
        path=path,
        real_path=path.resolve(),
        exists=True,
        is_empty=is_empty,
        is_writable=is_writable(folder),
        file_system=mount_type(folder.descriptor),
    )


def _missing(path: Path) -> RootState:
    if leads_nowhere(path):
        return _unusable(path, "above it a symlink that leads nowhere")
    above = next(folder for folder in path.parents if folder.exists())
    try:
        with Folder.at(above.resolve()) as folder:
            return RootState(
                path=path,
                real_path=path.resolve(),
                exists=False,
                is_empty=True,
                is_writable=is_writable(folder),
                file_system=mount_type(folder.descriptor),
            )
    except OSError as error:
        return _unusable(path, _told(above, error))


def _unusable(path: Path, trouble: str) -> RootState:
    return RootState(path, path, False, False, False, None, trouble)


def _told(path: Path, error: OSError) -> str:
    try:
        return trouble(error, path.lstat().st_mode)
    except OSError:  # nor can it be looked at, so what stands in the way is above it
        return f"above it {name_of(error)}"
