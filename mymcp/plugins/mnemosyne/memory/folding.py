"""Folding: the one form in which texts are compared, and the classes of their characters."""

from unicodedata import category, normalize

from mymcp.contract.text import composed
from mymcp.plugins.mnemosyne.memory.scripts import unspaced_script

_CONNECTORS = frozenset("-_./\\:@+#&~=")
_LETTERS = {"ł": "l", "ø": "o", "đ": "d", "ð": "d", "þ": "th", "æ": "ae", "œ": "oe", "ı": "i",
            "ħ": "h", "\u0640": ""}  # fmt: skip
_OPTIONAL_MARKS = frozenset(
    chr(code)
    for first, last in (
        (0x0300, 0x036F),  # Latin, Greek, Cyrillic
        (0x0591, 0x05BD), (0x05BF, 0x05BF), (0x05C1, 0x05C2), (0x05C4, 0x05C5), (0x05C7, 0x05C7),
        (0x064B, 0x0655), (0x0670, 0x0670),  # Arabic; above, Hebrew
    )
    for code in range(first, last + 1)
)  # fmt: skip


class _Memo(dict[int, str]):
    """A table for `str.translate` that learns. Bounded, since there are a million characters."""

    MAX_CHARACTERS = 20_000

    def __missing__(self, code: int) -> str:
        if len(self) >= self.MAX_CHARACTERS:
            self.clear()
        made = self[code] = self.of(chr(code))
        return made

    def of(self, character: str) -> str:
        raise NotImplementedError


class _Shapes(_Memo):
    """One letter for the class of each character: what word boundaries depend on."""

    def of(self, character: str) -> str:
        kind = category(character)
        if kind[0] == "L":
            script = unspaced_script(character)
            return script or ("U" if kind in {"Lu", "Lt"} else "l")
        if kind[0] in "MN":
            return "m" if kind[0] == "M" else "d"
        return "-" if character in _CONNECTORS else " "


class _Plain(_Memo):
    """Characters without the marks that people leave out when they type in a hurry."""

    def of(self, character: str) -> str:
        if character in _LETTERS:
            return _LETTERS[character]
        bare = (c for c in normalize("NFD", character) if c not in _OPTIONAL_MARKS)
        return normalize("NFC", "".join(bare))


SHAPES: dict[int, str] = _Shapes()
"""For `str.translate`: `U` upper and `l` other letters, `d` numerals, `m` marks, `-` what joins the
parts of an identifier, the letter of a script without spaces, and a space for all else."""
_PLAIN = _Plain()


def folded(text: str) -> str:
    """Return `text` without differences of letter case and width: NFKC, case folded."""
    if text.isascii():
        return text.lower()
    return composed(composed(text, "NFKC").casefold(), "NFKC")


def plain(word: str) -> str:
    """Return a folded word without accents and optional vowel signs."""
    return word if word.isascii() else word.translate(_PLAIN)


def tag_key(tag: str) -> str:
    """Return what makes two tags equal: folded, plain, every run of white space one space."""
    if tag.isascii():
        return " ".join(tag.lower().split())
    return " ".join(plain(folded(tag)).split())
