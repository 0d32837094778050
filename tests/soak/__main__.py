"""Print every figure, and return 1 if one exceeds its bound: python -m tests.soak [SECONDS]."""

import sys

from tests.soak.endurance import endurance

USUAL_SECONDS = 60.0


def main(arguments: list[str]) -> int:
    """Soak a server for so many seconds and return the exit code."""
    seconds = float(arguments[0]) if arguments else USUAL_SECONDS
    kept = True
    for figure in endurance(seconds):
        print(figure.row(), flush=True)
        kept = kept and figure.kept
    return 0 if kept else 1


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
