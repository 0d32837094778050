"""Print every figure as it is measured, then say which parts exceeded a bound.

A part that exceeded one is measured once more: what a busy machine did to it does not happen
twice, what the code did to it does.

Run as `python -m tests.bench`, or with the names of the parts to measure.
"""

import sys
from collections.abc import Callable, Iterator, Sequence
from functools import partial

from tests.bench.authentication import authentication
from tests.bench.corpus import Corpora
from tests.bench.dispatch import dispatch
from tests.bench.figure import Figure, Unmeasurable
from tests.bench.generation import generation
from tests.bench.health import health
from tests.bench.memory import BOUNDS, memory
from tests.bench.oauth import oauth
from tests.bench.policy import policy
from tests.bench.reading import reading
from tests.bench.startup import startup

Part = Callable[[], Iterator[Figure]]


def main(names: Sequence[str]) -> int:
    """Measure the named parts, or all, and return the exit code."""
    with Corpora() as corpora:
        parts = _parts(corpora)
        unknown = [name for name in names if name not in parts]
        if unknown:
            print(f"unknown: {', '.join(unknown)}; there are {', '.join(parts)}", file=sys.stderr)
            return 2
        failed = [name for name in names or parts if not confirmed(name, parts[name])]
    if failed:
        print(f"not as it should be: {', '.join(failed)}", file=sys.stderr)
    return 1 if failed else 0


def confirmed(name: str, part: Part) -> bool:
    """Measure one part, a second time if need be; return whether its bounds are kept."""
    if measure(name, part):
        return True
    print(f"{name}: once more", file=sys.stderr)
    return measure(name, part)


def measure(name: str, part: Part) -> bool:
    """Print the figures of one part; return whether all of them keep their bounds."""
    kept = True
    try:
        for figure in part():
            print(figure.row(), flush=True)
            kept = kept and figure.kept
    except Unmeasurable as trouble:
        print(f"{name}: {trouble}", file=sys.stderr)
        return False
    return kept


def _parts(corpora: Corpora) -> dict[str, Part]:
    return {
        "generation": generation,
        "startup": startup,
        "dispatch": dispatch,
        "authentication": authentication,
        "oauth": oauth,
        "policy": policy,
        "reading": reading,
        "health": partial(health, corpora),
        **{f"memory-{count}": partial(memory, corpora, count) for count in BOUNDS},
    }


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
