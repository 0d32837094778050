"""What the commands have to say: findings, each with what to do about it."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

DIFF_MAX_LINES = 200


class GenerationError(RuntimeError):
    """A tool that the generator stands on refused or gave something else than was asked for."""


@dataclass(frozen=True, slots=True)
class Finding:
    """What does not pass: where, what is wrong, what to do, and a diff where one helps."""

    subject: str
    problem: str
    remedy: str
    diff: str = ""


def render(findings: Iterable[Finding]) -> str:
    """Return `findings` as text; those with the same remedy stand together, the remedy once."""
    groups: dict[str, list[Finding]] = {}
    for finding in findings:
        groups.setdefault(finding.remedy, []).append(finding)
    return "".join(line for remedy, group in groups.items() for line in _group(remedy, group))


def _group(remedy: str, findings: Iterable[Finding]) -> Iterator[str]:
    for finding in findings:
        yield f"{finding.subject}: {finding.problem}\n"
        yield from _bounded(finding.diff)
    yield f"remedy: {remedy}\n"


def _bounded(diff: str) -> Iterator[str]:
    lines = diff.splitlines(keepends=True)
    yield from lines[:DIFF_MAX_LINES]
    if len(lines) > DIFF_MAX_LINES:
        yield f"... {len(lines) - DIFF_MAX_LINES} more lines\n"
