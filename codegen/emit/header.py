"""The first line of every generated file."""

from collections.abc import Sequence


def python_header(source: str) -> str:
    """Return the docstring of a generated module; `source` is a path from the project's root."""
    return f'"""Generated from {source} by nox -s codegen; do not edit."""'


def markdown_header(sources: Sequence[str]) -> str:
    """Return the comment at the top of a generated page."""
    return f"<!-- Generated from {', '.join(sources)} by nox -s codegen; do not edit. -->"
