"""Which file systems report every change to whoever watches a folder.

Not those that others may change without this kernel: network and shared file systems, and the
layers below an overlay.
"""

import errno

from mymcp.plugins.mnemosyne.memory.watching.mounts import mount_type

REPORTING = frozenset({"ext4", "xfs", "btrfs", "tmpfs", "f2fs"})


def reports_changes(descriptor: int) -> bool:
    """Tell whether the file system of an open folder reports all changes.

    Raises `OSError` if that cannot be found out now: descriptors have run out, say.
    """
    kind = mount_type(descriptor)
    if kind is None:
        raise OSError(errno.ENODATA, "a file system of unknown type")
    return kind in REPORTING
