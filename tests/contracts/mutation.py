"""Mutated instances of a contract: close enough to good ones that both verdicts are common."""

import copy
from collections.abc import Iterator
from random import Random
from typing import Any

TEXTS = [
    "", " ", "\n", "a", "A", " a ", "a b", "a  b", "ab\r\ncd", "null", "true", "1", "2", "{}", "[]",
    "self", "project", "agent", "event", "decision", "persona", "attribute", "topic", "aspect",
    "active", "archived", "en", "EN", "pt-BR", "de-", "e\u0301", "\u00e9", "\u0958", "\u200b",
    "\u3000", "\x00", "\x1b[0m", "\x85", "\x1c", "\u00df", "SS", "ss", "\u212a", "日本", "𝄞", "..",
    "a/b", "a-b", "-a", "a_", "x" * 49, "x" * 50, "x" * 51, "x" * 64, "x" * 65, "x" * 100,
    "x" * 101, "x" * 200, "x" * 201, "x" * 1000, "x" * 1001, "x" * 4000, "x" * 4001,
    " " + "x" * 200 + "\t", "mem_" + "0" * 32, "mem_" + "F" * 32, "mem_" + "a" * 33,
    "2024-02-29T00:00:00Z", "2023-02-29T00:00:00Z", "2026-07-20T15:00:60Z", "0001-01-01T00:00:00Z",
    "0000-01-01T00:00:00Z", "2026-07-20t15:00:00z", "explicit_user_statement", "manual", "tool",
    "none", "per_call", "1.0.0", "1.0.0-rc.1", "01.0.0", "data_read", "state_write",
]  # fmt: skip
NUMBERS: list[object] = [0, 1, 2, 3, 99, 100, 101, 255, 256, -1, 10**15, 10**30, 1.5, -0.5]
OTHERS: list[object] = [None, True, False, [], {}, [None], ["a"], {"a": 1}, [["a"]]]


def instances(bases: list[Any], random: Random, count: int) -> Iterator[Any]:
    """Yield `count` instances, each some mutations away from one of `bases`."""
    for _ in range(count):
        value = copy.deepcopy(random.choice(bases))
        for _ in range(random.choice((0, 1, 1, 1, 2, 2, 3, 5))):
            value = mutated(value, bases, random)
        yield value


def mutated(value: Any, bases: list[Any], random: Random) -> Any:
    """Return `value` with one change somewhere inside it."""
    places = list(_places(value))
    if not places or random.random() < 0.01:
        return {"a": 1} if random.random() < 0.5 else scalar(random)
    parent, key = random.choice(places)
    change = random.random()
    if change < 0.15:
        del parent[key]
    elif change < 0.25 and isinstance(parent, dict):
        parent[random.choice(["other", "", "scope", "é", "occurred_at", "collection_id"])] = scalar(
            random
        )
    elif change < 0.45:
        parent[key] = scalar(random)
    elif change < 0.75:
        parent[key] = _borrowed(parent, key, bases, random)
    else:
        parent[key] = _tweaked(parent[key], random)
    return value


def scalar(random: Random) -> object:
    return copy.deepcopy(random.choice(random.choice((TEXTS, TEXTS, NUMBERS, OTHERS))))


def _places(value: Any) -> Iterator[tuple[Any, Any]]:
    if isinstance(value, dict):
        for key, item in value.items():
            yield value, key
            yield from _places(item)
    elif isinstance(value, list):
        for key, item in enumerate(value):
            yield value, key
            yield from _places(item)


def _borrowed(parent: Any, key: Any, bases: list[Any], random: Random) -> object:
    """Return what stands under the same name in some base: often right, sometimes out of place."""
    if isinstance(parent, list):
        return copy.deepcopy(random.choice(parent))
    found = [
        holder[name]
        for base in bases
        for holder, name in _places(base)
        if name == key and isinstance(holder, dict)
    ]
    return copy.deepcopy(random.choice(found)) if found else scalar(random)


def _tweaked(value: Any, random: Random) -> object:
    if isinstance(value, bool) or value is None:
        return random.choice((True, False, None, 0, 1))
    if isinstance(value, int):
        return value + random.choice((-1, 1, 100, -value))
    if isinstance(value, str):
        return random.choice((
            value + " ", "\n" + value, value.upper(), value[:-1], value + value, value + "é",
            value + "\x07", value + "-", value.replace("a", "a\u0301"),
        ))  # fmt: skip
    if isinstance(value, list):
        return random.choice((value + value, [*value, "tag"], value * 7, value[:-1]))
    return value
