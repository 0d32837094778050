"""Semantic versions (semver.org 2.0.0): their grammar and which one is higher."""

import re

_NUMBER = r"(?:0|[1-9][0-9]*)"
_PART = rf"(?:{_NUMBER}|[0-9]*[A-Za-z-][0-9A-Za-z-]*)"
_VERSION = re.compile(
    rf"({_NUMBER})\.({_NUMBER})\.({_NUMBER})"
    rf"(?:-({_PART}(?:\.{_PART})*))?(?:\+[0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*)?"
)

Precedence = tuple[int, int, int, bool, tuple[tuple[bool, int, str], ...]]


def precedence(version: str) -> Precedence:
    """Return a key that orders versions; build metadata does not count.

    Raises `ValueError` when `version` is not a semantic version.
    """
    match = _VERSION.fullmatch(version)
    if match is None:
        raise ValueError("not a semantic version")
    major, minor, patch, before = match.groups()
    parts = before.split(".") if before else []
    keys = tuple((not p.isdigit(), int(p) if p.isdigit() else 0, p) for p in parts)
    return int(major), int(minor), int(patch), not parts, keys


def is_higher(version: str, than: str) -> bool:
    """Tell whether `version` comes after `than`."""
    return precedence(version) > precedence(than)
