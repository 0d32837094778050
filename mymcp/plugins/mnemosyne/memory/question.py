"""Questions: what a query asks for, word by word."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace

from mymcp.plugins.mnemosyne.memory.function_words import FUNCTION_WORDS
from mymcp.plugins.mnemosyne.memory.stems import asked_stem_keys
from mymcp.plugins.mnemosyne.memory.words import Word, words_of

MISSPELT_MAX_WORDS = 16
"""Unknown words of a query that are compared with known ones, in the order of the query."""
DECIDING_MAX_WORDS = 32
"""Words that decide: of more, the rarest."""
Count = Callable[[Iterable[str]], int]
"""How many records have any of some keys."""


@dataclass(frozen=True, slots=True)
class Asked:
    """One word of a query.

    `keys` together are the word itself: one, or its pairs in a script without spaces. Any of
    `stems` is a form of it, any of `like` a word that it may be a misspelling of. `group` numbers
    the place in the query that it was cut out of. A weak word holds the sentence together.
    """

    text: str
    keys: tuple[str, ...]
    group: int
    stems: frozenset[str] = frozenset()
    like: frozenset[str] = frozenset()
    is_weak: bool = False

    @property
    def all_keys(self) -> frozenset[str]:
        """Everything that it is found by."""
        return self.stems.union(self.keys, self.like)


def ask(query: str, languages: Iterable[str]) -> tuple[Asked, ...]:
    """Return the different words of `query`, with their stems in each of `languages`."""
    spoken = sorted(languages)
    found: dict[tuple[str, ...], Asked] = {}
    for word in words_of(query):
        if word.keys not in found:
            found[word.keys] = _asked(word, spoken)
    return tuple(found.values())


def keys_of(asked: Iterable[Asked]) -> frozenset[str]:
    """Return everything that these words are found by."""
    return frozenset[str]().union(*(word.all_keys for word in asked))


def settled(
    asked: tuple[Asked, ...],
    count: Count,
    like: Callable[[str], frozenset[str]],
) -> tuple[Asked, ...]:
    """Return the words that decide; `count` tells how many records have any of some keys.

    Those are the telling words that some record has. Telling words that none has are taken for
    misspelt and get the known words that they are `like`. Weak words decide only if nothing else
    leads anywhere: one more word in a query never empties the answer.
    """
    known = [word for word in asked if not word.is_weak and count(word.all_keys)]
    groups = {word.group for word in known}
    unknown = [word for word in asked if not word.is_weak and word.group not in groups]
    single = [word for word in unknown if len(word.keys) == 1][:MISSPELT_MAX_WORDS]
    alike = [replace(word, like=like(word.keys[0])) for word in single]
    telling = [*known, *(word for word in alike if word.like)]
    if not telling:
        telling = [word for word in asked if word.is_weak and count(word.all_keys)]
    telling.sort(key=lambda word: count(word.all_keys))
    return tuple(telling[:DECIDING_MAX_WORDS])


def _asked(word: Word, languages: list[str]) -> Asked:
    if word.is_run:
        return Asked(word.text, word.keys, word.group, is_weak=word.is_ending)
    stems: set[str] = set()
    if not word.is_compound:
        for language in languages:
            stems |= asked_stem_keys(word.text, language)
    weak = word.keys[0] in FUNCTION_WORDS
    return Asked(
        word.text, word.keys, word.group, frozenset(stems.difference(word.keys)), is_weak=weak
    )
