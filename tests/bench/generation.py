"""What generating and checking everything costs."""

import shutil
import sys
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.bench.figure import Figure, spread
from tests.bench.process import processor_seconds_of

CHECKOUT = Path(__file__).resolve().parents[2]
INPUTS = ("codegen", "contracts", "docs", "mymcp", "pyproject.toml")
ROUNDS = 3
SECONDS = 5.0


def generation() -> Iterator[Figure]:
    """Generate and check in a copy of the checkout, several times; the first run warms up."""
    with TemporaryDirectory(prefix="mymcp-bench-") as copied:
        for name in INPUTS:
            _copy(CHECKOUT / name, Path(copied) / name)
        for verb in ("generate", "check"):
            command = [sys.executable, "-m", "codegen", verb]
            costs = [processor_seconds_of(command, Path(copied)) for _ in range(ROUNDS + 1)]
            value, note = spread(costs[1:])
            yield Figure(f"codegen {verb}, processor time", value, "s", SECONDS, note)


def _copy(source: Path, target: Path) -> None:
    if source.is_dir():
        shutil.copytree(source, target, ignore=shutil.ignore_patterns("__pycache__"))
    else:
        shutil.copy(source, target)
