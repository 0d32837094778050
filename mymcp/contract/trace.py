"""What was raised and where, in words that a log may hold.

Whoever raised it chose both, a plugin for example: its own code is not asked for them.
"""

from types import TracebackType
from typing import Final

UNKNOWN: Final = "unknown"

_name_of_class: Final = type.__dict__["__name__"].__get__


def kind_of(error: BaseException) -> str:
    """Return the name of the class of `error`, as the class statement said it."""
    return str(_name_of_class(type(error)))


def place_of(error: BaseException) -> str:
    """Return `module:line` of where `error` was raised: enough to find it, no path of a machine."""
    trace = error.__traceback__
    if trace is None:
        return UNKNOWN
    while trace.tb_next is not None:
        trace = trace.tb_next
    return place_in(trace)


def place_in(trace: TracebackType) -> str:
    """Return `module:line` of the outermost frame of `trace`."""
    name = dict.get(trace.tb_frame.f_globals, "__name__")
    return f"{name if type(name) is str else UNKNOWN}:{trace.tb_lineno}"
