"""Likeness: which known words a misspelt one may stand for.

Two words are alike if few single changes lead from one to the other: a letter left out, added,
replaced, or two neighbours swapped (optimal string alignment).
"""

from collections import defaultdict
from collections.abc import Callable, Iterable

from mymcp.plugins.mnemosyne.memory.stems import MARK

ALIKE_MIN_CHARACTERS = 4
"""Shorter words are alike too often."""
LONG_MIN_CHARACTERS = 8
"""From here on two changes are allowed instead of one."""
ALIKE_MAX_CHARACTERS = 40


class Vocabulary:
    """Words by length, each with a set of its letters, so that most are refused at a glance."""

    def __init__(self, keys: Iterable[str] = ()) -> None:
        self._by_length: dict[int, dict[str, int]] = defaultdict(dict)
        for key in keys:
            self.add(key)

    def add(self, key: str) -> None:
        """Learn `key`, unless it is a stem or cannot be misspelt."""
        if is_word(key):
            self._by_length[len(key)][key] = _letters(key)

    def discard(self, key: str) -> None:
        """Forget `key` if it is known."""
        self._by_length[len(key)].pop(key, None)

    def like(self, word: str, is_meant: Callable[[str], bool]) -> frozenset[str]:
        """Return the words, of those that are meant, that are least changes away from `word`."""
        if not is_comparable(word):
            return frozenset()
        letters = _letters(word)
        for changes in range(1, allowed_changes(word) + 1):
            found = frozenset(
                other
                for length in range(len(word) - changes, len(word) + changes + 1)
                for other, others in self._by_length.get(length, {}).items()
                if (letters ^ others).bit_count() <= 2 * changes
                and distance(word, other, changes) <= changes
                and is_meant(other)
            )
            if found:
                return found
        return frozenset()


def is_word(key: str) -> bool:
    """Tell whether a key is a word that may be misspelt, not a stem."""
    return not key.startswith(MARK) and is_comparable(key)


def is_comparable(word: str) -> bool:
    """Tell whether a word can be misspelt: numbers and short words are something else."""
    return ALIKE_MIN_CHARACTERS <= len(word) <= ALIKE_MAX_CHARACTERS and not any(
        character.isdigit() for character in word
    )


def allowed_changes(word: str) -> int:
    """Return how many changes away another word may be."""
    return 1 if len(word) < LONG_MIN_CHARACTERS else 2


def distance(one: str, other: str, limit: int) -> int:
    """Return the least number of changes from `one` to `other`, or a number above `limit`."""
    if abs(len(one) - len(other)) > limit:
        return limit + 1
    before: list[int] = []
    above = list(range(len(other) + 1))
    for row, character in enumerate(one, 1):
        current = [row]
        for column, opposite in enumerate(other, 1):
            cost = above[column - 1] + (character != opposite)
            cost = min(cost, above[column] + 1, current[column - 1] + 1)
            if (
                row > 1
                and column > 1
                and character == other[column - 2]
                and one[row - 2] == opposite
            ):
                cost = min(cost, before[column - 2] + 1)
            current.append(cost)
        if min(current) > limit:
            return limit + 1
        before, above = above, current
    return above[-1]


def _letters(word: str) -> int:
    letters = 0
    for character in word:
        letters |= 1 << (ord(character) & 63)
    return letters
