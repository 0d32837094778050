"""Why the system did not open a folder, in a few words that hold no path."""

import errno
from stat import S_ISDIR, S_ISLNK


def trouble(error: OSError, mode: int) -> str:
    """Return what `error` means for something of this mode, looked at without following it."""
    if S_ISLNK(mode):
        return "a symlink"
    if not S_ISDIR(mode):
        return "no folder"
    return name_of(error)


def name_of(error: OSError) -> str:
    """Return the name of what the system said, such as `EACCES`."""
    return errno.errorcode.get(error.errno or 0, "unknown")
