"""No regular expression of the policy can go back and forth: none repeats a repetition."""

import re
import sys
from collections.abc import Iterator
from types import ModuleType
from typing import Any

import pytest

from mymcp.plugins.mnemosyne.memory.policy import assignments, harmless, keys, numbers, reading

_REPEATS = {"MAX_REPEAT", "MIN_REPEAT", "POSSESSIVE_REPEAT"}


def patterns(module: ModuleType) -> Iterator[re.Pattern[str]]:
    for value in vars(module).values():
        if isinstance(value, re.Pattern):
            yield value
    for beginnings in getattr(module, "_BEGINNINGS", {}).values():
        yield from (item.whole for item in beginnings if hasattr(item, "whole"))


FOUND = {
    pattern.pattern: pattern
    for module in (assignments, harmless, keys, numbers, reading)
    for pattern in patterns(module)
}


def depth(node: Any) -> int:
    """Return how many repetitions stand within each other at the deepest place of a parsed node.

    What may stand once or not at all is none.
    """
    if isinstance(node, tuple) and len(node) == 2 and str(node[0]) in _REPEATS:
        _, most, inner = node[1]
        return (most != 1) + depth(inner)
    if isinstance(node, tuple | list) or hasattr(node, "data"):
        items = node if isinstance(node, tuple | list) else list(node)
        return max((depth(item) for item in items), default=0)
    return 0


def test_the_patterns_are_found() -> None:
    assert len(FOUND) >= 70


@pytest.mark.parametrize("pattern", FOUND.values(), ids=lambda pattern: pattern.pattern[:40])
def test_no_repetition_is_repeated(pattern: re.Pattern[str]) -> None:
    parse = sys.modules["re._parser"].parse
    assert depth(parse(pattern.pattern, pattern.flags)) <= 1


def test_a_nested_repetition_would_be_found() -> None:
    parse = sys.modules["re._parser"].parse
    assert depth(parse("(?:a+b)*")) == 2
