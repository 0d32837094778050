"""Where something was raised, in words that a log may hold."""


def place_of(error: BaseException) -> str:
    """Return `module:line` of where `error` was raised: enough to find it, no path of a machine."""
    trace = error.__traceback__
    if trace is None:
        return "unknown"
    while trace.tb_next is not None:
        trace = trace.tb_next
    return f"{trace.tb_frame.f_globals.get('__name__', 'unknown')}:{trace.tb_lineno}"
