"""One measured figure, and the bound it has to keep."""

from collections.abc import Iterable
from dataclasses import dataclass
from statistics import median


class Unmeasurable(Exception):
    """What should be measured does not work; the message says how it failed."""


@dataclass(frozen=True, slots=True)
class Figure:
    """What was measured. A figure without a bound is printed only."""

    name: str
    value: float
    unit: str
    bound: float | None = None
    note: str = ""

    @property
    def kept(self) -> bool:
        """Whether the bound holds; a figure without one always does."""
        return self.bound is None or self.value <= self.bound

    def row(self) -> str:
        """Return the figure as one line of the table."""
        bound = "" if self.bound is None else f"<= {self.bound:g} {self.unit}"
        verdict = "" if self.bound is None else "ok" if self.kept else "EXCEEDED"
        measured = f"{self.value:.3g} {self.unit}"
        return f"{self.name:<46}{measured:>14}  {bound:<14}{verdict:<10}{self.note}".rstrip()


def spread(values: Iterable[float]) -> tuple[float, str]:
    """Return the median of `values`, and their range as a note."""
    ordered = sorted(values)
    return median(ordered), f"of {len(ordered)}: {ordered[0]:.3g} to {ordered[-1]:.3g}"


def percentile(values: Iterable[float], share: float) -> float:
    """Return the smallest value that at least `share` (0 to 1) of `values` do not exceed."""
    ordered = sorted(values)
    return ordered[max(0, -int(-share * len(ordered) // 1) - 1)]
