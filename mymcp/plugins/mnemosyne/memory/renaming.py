"""Giving a file its name where there are no hard links."""

import errno
import os
from collections.abc import Callable
from functools import cache

from mymcp.plugins.mnemosyne.memory.folder import Folder

_NOREPLACE = 1
_NOT_HERE = frozenset(
    {errno.ENOSYS, errno.EINVAL, errno.ENOTSUP, errno.EOPNOTSUPP, errno.EPERM}  # EPERM: seccomp
)

_Rename = Callable[[int, bytes, int, bytes, int], int]


def rename_unless_taken(folder: Folder, source: str, target: str) -> None:
    """Rename `source` to `target`, both in `folder`. Raises `FileExistsError` if that is taken.

    Claiming the name with an empty file first would leave that file behind when the process is
    killed. Where the system cannot rename without replacing, a look before the rename has to do:
    writers exclude each other, and nobody else knows the random name of a new record.
    """
    if _renamed_by_system(folder.descriptor, source, target):
        return
    if _is_taken(folder.descriptor, target):
        raise FileExistsError(errno.EEXIST, "taken")
    os.rename(source, target, src_dir_fd=folder.descriptor, dst_dir_fd=folder.descriptor)


def _renamed_by_system(descriptor: int, source: str, target: str) -> bool:
    """Rename by one system call; return false where there is none."""
    number = _rename_exclusively(descriptor, source, target)
    if number in _NOT_HERE:
        return False
    if number:
        raise OSError(number, os.strerror(number))
    return True


def _rename_exclusively(descriptor: int, source: str, target: str) -> int:
    """Call `renameat2`, which is not in `os`; return its error number, or zero."""
    found = _renameat2()
    if found is None:
        return errno.ENOSYS
    rename, last_error = found
    done = rename(descriptor, source.encode(), descriptor, target.encode(), _NOREPLACE)
    return last_error() if done else 0


@cache
def _renameat2() -> tuple[_Rename, Callable[[], int]] | None:
    import ctypes  # noqa: PLC0415  5 ms of every start for what few file systems need

    rename = getattr(ctypes.CDLL(None, use_errno=True), "renameat2", None)
    if rename is None:
        return None
    rename.argtypes = [ctypes.c_int, ctypes.c_char_p, ctypes.c_int, ctypes.c_char_p, ctypes.c_uint]
    return rename, ctypes.get_errno


def _is_taken(descriptor: int, name: str) -> bool:
    try:
        os.stat(name, dir_fd=descriptor, follow_symlinks=False)
    except FileNotFoundError:
        return False
    return True
