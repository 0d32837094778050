"""Print every figure as it is measured, then say which bounds were exceeded.

Run as `python -m tests.bench`, or with the names of the parts to measure.
"""

import sys
from collections.abc import Callable, Iterator, Sequence

from tests.bench.dispatch import dispatch
from tests.bench.figure import Figure
from tests.bench.generation import generation
from tests.bench.health import health
from tests.bench.startup import startup

PARTS: dict[str, Callable[[], Iterator[Figure]]] = {
    part.__name__: part for part in (generation, startup, dispatch, health)
}


def main(names: Sequence[str]) -> int:
    """Measure the named parts, or all, and return the exit code."""
    unknown = [name for name in names if name not in PARTS]
    if unknown:
        print(f"unknown: {', '.join(unknown)}; there are {', '.join(PARTS)}", file=sys.stderr)
        return 2
    exceeded = []
    for name in names or PARTS:
        for figure in PARTS[name]():
            print(figure.row(), flush=True)
            if not figure.kept:
                exceeded.append(figure.name)
    if exceeded:
        print(f"exceeded: {'; '.join(exceeded)}", file=sys.stderr)
    return 1 if exceeded else 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
