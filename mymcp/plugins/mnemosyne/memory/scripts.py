"""Scripts: those that put no spaces between words, and the language that a script speaks for."""

from bisect import bisect_right

HAN, HIRAGANA, KATAKANA, HANGUL, SOUTH_EAST = "H", "J", "T", "K", "S"

_UNSPACED = (
    (0x0E00, 0x0EFF, SOUTH_EAST),  # Thai, Lao
    (0x0F00, 0x0FFF, SOUTH_EAST),  # Tibetan
    (0x1000, 0x109F, SOUTH_EAST),  # Myanmar
    (0x1100, 0x11FF, HANGUL),
    (0x1780, 0x17FF, SOUTH_EAST),  # Khmer
    (0x1980, 0x19DF, SOUTH_EAST),  # New Tai Lue
    (0x1A20, 0x1AAF, SOUTH_EAST),  # Tai Tham
    (0x3005, 0x3007, HAN),
    (0x3041, 0x309F, HIRAGANA),
    (0x30A0, 0x30FF, KATAKANA),
    (0x3130, 0x318F, HANGUL),
    (0x31F0, 0x31FF, KATAKANA),
    (0x3400, 0x4DBF, HAN),
    (0x4E00, 0x9FFF, HAN),
    (0xA960, 0xA97F, HANGUL),
    (0xAC00, 0xD7FF, HANGUL),
    (0xF900, 0xFAFF, HAN),
    (0x1B000, 0x1B16F, KATAKANA),
    (0x20000, 0x3FFFF, HAN),
)
_LANGUAGES = (
    (0x0370, 0x03FF, "el"),
    (0x0400, 0x052F, "ru"),
    (0x0530, 0x058F, "hy"),
    (0x0590, 0x05FF, "he"),
    (0x0600, 0x06FF, "ar"),
    (0x0900, 0x097F, "hi"),
    (0x0B80, 0x0BFF, "ta"),
    (0x1F00, 0x1FFF, "el"),
)
_UNSPACED_STARTS = [first for first, _, _ in _UNSPACED]


def unspaced_script(character: str) -> str:
    """Return the letter of a letter's script if that puts no spaces between words, else nothing."""
    code = ord(character)
    if code < _UNSPACED_STARTS[0]:
        return ""
    _, last, script = _UNSPACED[bisect_right(_UNSPACED_STARTS, code) - 1]
    return script if code <= last else ""


def language_of_script(word: str) -> str | None:
    """Return the language whose endings a word of this script most likely has; none for Latin."""
    code = ord(word[0])
    for first, last, language in _LANGUAGES:
        if first <= code <= last:
            return language
    return None
