"""Print every figure as it is measured, then say which parts exceeded a bound.

A part that exceeded one is measured once more: what a busy machine did to it does not happen
twice, what the code did to it does.

Run as `python -m tests.bench`, or with the names of the parts to measure.
"""

import sys
from collections.abc import Callable, Iterator, Sequence

from tests.bench.authentication import authentication
from tests.bench.dispatch import dispatch
from tests.bench.figure import Figure, Unmeasurable
from tests.bench.generation import generation
from tests.bench.health import health
from tests.bench.oauth import oauth
from tests.bench.policy import policy
from tests.bench.startup import startup

PARTS: dict[str, Callable[[], Iterator[Figure]]] = {
    part.__name__: part
    for part in (generation, startup, dispatch, authentication, oauth, health, policy)
}


def main(names: Sequence[str]) -> int:
    """Measure the named parts, or all, and return the exit code."""
    unknown = [name for name in names if name not in PARTS]
    if unknown:
        print(f"unknown: {', '.join(unknown)}; there are {', '.join(PARTS)}", file=sys.stderr)
        return 2
    failed = [name for name in names or PARTS if not confirmed(PARTS[name])]
    if failed:
        print(f"not as it should be: {', '.join(failed)}", file=sys.stderr)
    return 1 if failed else 0


def confirmed(part: Callable[[], Iterator[Figure]]) -> bool:
    """Measure one part, a second time if need be; return whether its bounds are kept."""
    if measure(part):
        return True
    print(f"{part.__name__}: once more", file=sys.stderr)
    return measure(part)


def measure(part: Callable[[], Iterator[Figure]]) -> bool:
    """Print the figures of one part; return whether all of them keep their bounds."""
    kept = True
    try:
        for figure in part():
            print(figure.row(), flush=True)
            kept = kept and figure.kept
    except Unmeasurable as trouble:
        print(f"{part.__name__}: {trouble}", file=sys.stderr)
        return False
    return kept


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
