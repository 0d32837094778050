"""The table of mounts: whether it changed, and of what type a mount is."""

import os
import re
import select
import weakref
from pathlib import Path
from typing import Self

_TABLE = "/proc/self/mountinfo"
_MOUNT_ID = re.compile(rb"^mnt_id:\s*(\d+)$", re.MULTILINE)


class MountTable:
    """Tells whether anything was mounted or unmounted since it was last asked.

    No event of a folder tells that another file system covers it now.
    """

    def __init__(self, descriptor: int) -> None:
        self.close = weakref.finalize(self, os.close, descriptor)
        self._poll = select.poll()
        self._poll.register(descriptor, select.POLLPRI)

    @classmethod
    def opened(cls) -> Self | None:
        """Open the table of this process; none where there is no such thing."""
        if not hasattr(select, "poll"):
            return None
        try:
            return cls(os.open(_TABLE, os.O_RDONLY | os.O_CLOEXEC))
        except OSError:
            return None

    def has_changed(self) -> bool:
        """Tell whether it changed since the last time it was asked, or since it was opened."""
        return bool(self._poll.poll(0))


def mount_type(descriptor: int) -> str | None:
    """Return the type of the file system in which an open file or folder lies, if it is known."""
    try:
        found = _MOUNT_ID.search(Path(f"/proc/self/fdinfo/{descriptor}").read_bytes())
        return None if found is None else _type_in(Path(_TABLE).read_bytes(), found[1])
    except OSError:
        return None


def _type_in(table: bytes, mount_id: bytes) -> str | None:
    """Return the type of the mount with this id: after a lone dash, for fields before it vary."""
    for line in table.splitlines():
        number, _, rest = line.partition(b" ")
        if number == mount_id:
            _, dash, after = rest.partition(b" - ")
            return after.partition(b" ")[0].decode("ascii", "replace") if dash else None
    return None
