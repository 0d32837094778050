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
    """Words by length, so that only those of about the same length are compared."""

    def __init__(self, keys: Iterable[str] = ()) -> None:
        self._by_length: dict[int, set[str]] = defaultdict(set)
        for key in keys:
            self.add(key)

    def add(self, key: str) -> None:
        """Learn `key`, unless it is a stem or cannot be misspelt."""
        if not key.startswith(MARK) and is_comparable(key):
            self._by_length[len(key)].add(key)

    def discard(self, key: str) -> None:
        """Forget `key` if it is known."""
        if len(key) in self._by_length:
            self._by_length[len(key)].discard(key)

    def like(self, word: str, is_meant: Callable[[str], bool]) -> frozenset[str]:
        """Return the words, of those that are meant, that are least changes away from `word`."""
        if not is_comparable(word):
            return frozenset()
        near = [one for one in self._near(word, allowed_changes(word)) if is_meant(one[0])]
        least = min((changes for _, changes in near), default=0)
        return frozenset(other for other, changes in near if changes == least)

    def _near(self, word: str, changes: int) -> Iterable[tuple[str, int]]:
        """Yield the words that are at most `changes` away from `word`, and how many they are."""
        # Words are rarely misspelt, and this takes a twentieth of the start.
        from rapidfuzz.distance import OSA  # noqa: PLC0415
        from rapidfuzz.process import extract  # noqa: PLC0415

        for length in range(len(word) - changes, len(word) + changes + 1):
            known = self._by_length.get(length, ())
            found = extract(word, known, scorer=OSA.distance, score_cutoff=changes, limit=None)
            yield from ((other, distance) for other, distance, _ in found)


def is_comparable(word: str) -> bool:
    """Tell whether a word can be misspelt: numbers and short words are something else."""
    return ALIKE_MIN_CHARACTERS <= len(word) <= ALIKE_MAX_CHARACTERS and not any(
        character.isdigit() for character in word
    )


def allowed_changes(word: str) -> int:
    """Return how many changes away another word may be."""
    return 1 if len(word) < LONG_MIN_CHARACTERS else 2
