"""Stems: what the inflected forms of a word have in common, by language.

The algorithms are those of Snowball. A stemmer may only be used by one thread at a time.
"""

import re
from collections.abc import Iterable, Iterator
from threading import Lock

from Stemmer import Stemmer

from mymcp.plugins.mnemosyne.memory.folding import plain
from mymcp.plugins.mnemosyne.memory.scripts import language_of_script

STEMMED_MAX_CHARACTERS = 40
"""Longer words are no words of a language."""
MARK = "~"
"""Stands before a stem, so that stems and words can share one table."""

_CODES = (
    "ar ca cs da de el en eo es et eu fa fi fr ga hi hu hy id it lt ne nl no pl pt ro ru sr sv ta "
    "tr yi"
)
LANGUAGES = frozenset(_CODES.split())
"""All languages that `stemmed_language` returns."""
_READ_AS = {code: code for code in LANGUAGES} | {"nb": "no", "nn": "no"}
_SCRIPT_OF = {
    "ar": "ar", "fa": "ar", "el": "el", "hi": "hi", "hy": "hy", "ne": "hi", "ru": "ru",
    "ta": "ta", "yi": "he",
}  # fmt: skip
_UNKNOWN = "en"
"""Words of an unknown language are taken for English, if they are written like it."""

_HAS_DIGIT = re.compile(r"\d")
_stemmers: dict[str, Stemmer] = {}
_lock = Lock()


def stemmed_language(language: str) -> str:
    """Return the language whose endings a text of `language`, such as `pt-br`, is read with."""
    return _READ_AS.get(language.partition("-")[0], _UNKNOWN)


def stem_keys(words: Iterable[str], language: str) -> set[str]:
    """Return the keys of the stems of folded `words` in a text of `language`.

    A word that is its own stem has none besides itself. A word in the script of another language
    is read as one of that language. Stems come from the word with its accents and from that
    without, since stemmers know accents and hasty people leave them out.
    """
    return {MARK + stem for form, stem in _stemmed(words, language) if stem != plain(form)}


def asked_stem_keys(word: str, language: str) -> set[str]:
    """Return all keys by which other forms of a folded `word` are found in texts of `language`."""
    stems = {stem for _, stem in _stemmed((word,), language)}
    return stems.union(MARK + stem for stem in stems)


def _stemmed(words: Iterable[str], language: str) -> Iterator[tuple[str, str]]:
    by_language: dict[str, list[str]] = {}
    for word in words:
        if len(word) <= STEMMED_MAX_CHARACTERS and _HAS_DIGIT.search(word) is None:
            forms = (word,) if word.isascii() else {word, plain(word)}
            by_language.setdefault(_spoken(word, language), []).extend(forms)
    for spoken, group in by_language.items():
        yield from zip(group, map(plain, _stems(group, spoken)), strict=True)


def _stems(words: list[str], language: str) -> list[str]:
    if language not in LANGUAGES:
        return words
    with _lock:
        stemmer = _stemmers.get(language)
        if stemmer is None:
            stemmer = _stemmers[language] = Stemmer(language, 0)
        stems: list[str] = stemmer.stemWords(words)
    return stems


def _spoken(word: str, language: str) -> str:
    script = None if word.isascii() else language_of_script(word)
    if script is None:
        return _UNKNOWN if language in _SCRIPT_OF else language
    return language if language == "sr" or _SCRIPT_OF.get(language) == script else script
