"""Linux inotify, as much of it as is needed to watch folders.

The kernel queues an event before the system call that caused it returns, so whoever reads the
queue sees everything that was finished before. There is no thread and no delay.
"""

import errno
import os
import weakref
from collections.abc import Callable, Iterator
from functools import cache
from struct import Struct
from typing import NamedTuple

MODIFY, ATTRIB, CLOSE_WRITE = 0x2, 0x4, 0x8
MOVED_FROM, MOVED_TO = 0x40, 0x80
CREATE, DELETE = 0x100, 0x200
DELETE_SELF, MOVE_SELF = 0x400, 0x800
UNMOUNT, Q_OVERFLOW, IGNORED = 0x2000, 0x4000, 0x8000
ISDIR = 0x4000_0000

_ONLYDIR, _EXCL_UNLINK = 0x0100_0000, 0x0400_0000
_MASK = (
    MODIFY | ATTRIB | CLOSE_WRITE | MOVED_FROM | MOVED_TO | CREATE | DELETE | DELETE_SELF
    | MOVE_SELF | _ONLYDIR | _EXCL_UNLINK
)  # fmt: skip
_HEAD = Struct("=iIII")
_BUFFER_BYTES = 65_536
_LONGEST_BYTES = _HEAD.size + 256


class Event(NamedTuple):
    """Something that happened to `name` in the folder of `watch`, or to that folder itself."""

    watch: int
    mask: int
    name: str


class Inotify:
    """One queue of events. Not safe to share between threads. Raises `OSError` if there is none.

    Its descriptor is closed on exec, and when nobody uses the object any more.
    """

    def __init__(self) -> None:
        self._calls = _calls()
        descriptor = self._calls.init(os.O_NONBLOCK | os.O_CLOEXEC)
        if descriptor < 0:
            raise _last_error(self._calls)
        self._descriptor = descriptor
        self.close = weakref.finalize(self, os.close, descriptor)

    def add(self, folder: int) -> int:
        """Watch the open folder with this descriptor; return the number that its events bear.

        A folder that is watched already keeps its number. Raises `OSError`.
        """
        # Watches are added by path. This one leads to the open folder itself, whatever was put
        # in the place of its name meanwhile.
        number = self._calls.add(self._descriptor, b"/proc/self/fd/%d" % folder, _MASK)
        if number < 0:
            raise _last_error(self._calls)
        return number

    def events(self) -> Iterator[Event]:
        """Take from the queue, without waiting, what is in it."""
        while True:
            try:
                data = os.read(self._descriptor, _BUFFER_BYTES)
            except BlockingIOError:
                return
            yield from _parsed(data)
            if len(data) <= _BUFFER_BYTES - _LONGEST_BYTES:  # there was room for another
                return


def _parsed(data: bytes) -> Iterator[Event]:
    start = 0
    while start < len(data):
        watch, mask, _, length = _HEAD.unpack_from(data, start)
        start += _HEAD.size
        name = data[start : start + length].rstrip(b"\0")
        yield Event(watch, mask, os.fsdecode(name))
        start += length


class _Calls(NamedTuple):
    init: Callable[[int], int]
    add: Callable[[int, bytes, int], int]
    errno: Callable[[], int]


@cache
def _calls() -> _Calls:
    try:
        import ctypes  # noqa: PLC0415  5 ms that no start should pay

        library = ctypes.CDLL(None, use_errno=True)
        init, add = library.inotify_init1, library.inotify_add_watch
    except (ImportError, AttributeError):  # some builds of Python have no ctypes
        raise OSError(errno.ENOSYS, "no inotify") from None
    init.argtypes = [ctypes.c_int]
    add.argtypes = [ctypes.c_int, ctypes.c_char_p, ctypes.c_uint32]
    return _Calls(init, add, ctypes.get_errno)


def _last_error(calls: _Calls) -> OSError:
    number = calls.errno()
    return OSError(number, os.strerror(number))
