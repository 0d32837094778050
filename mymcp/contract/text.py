"""Normalisation of text, applied before bounds. Contract keyword: `x-normalise`.

Every function passes a value that is not a string through unchanged: telling its type is the
model's work. White space is what `str.isspace` says, U+001C to U+001F included.
"""

from unicodedata import normalize


def trimmed(value: object) -> object:
    """Turn CRLF and CR into LF, compose (NFC) and cut white space off both ends."""
    if not isinstance(value, str):
        return value
    return _composed(value.replace("\r\n", "\n").replace("\r", "\n")).strip()


def collapsed(value: object) -> object:
    """Compose (NFC) and turn every run of white space into one space, none at the ends."""
    if not isinstance(value, str):
        return value
    return " ".join(_composed(value).split())


def lowered(value: object) -> object:
    """Cut white space off both ends and lower the ASCII letters; others stay, to be refused."""
    if not isinstance(value, str):
        return value
    stripped = value.strip()
    return stripped.lower() if stripped.isascii() else stripped


def _composed(value: str) -> str:
    return value if value.isascii() else normalize("NFC", value)
