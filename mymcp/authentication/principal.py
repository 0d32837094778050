"""Who is calling, in one normal form: nobody in particular, or a subject that a method vouches for.

Only the host makes principals; methods give subjects.
"""

from base64 import urlsafe_b64encode
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, Literal
from unicodedata import category, is_normalized

SUBJECT_MAX_CHARACTERS: Final = 256
SUBJECT_MAX_BYTES: Final = 1_024

_NO_SUBJECT: Final = "the subject breaks the rules for subjects"

PrincipalKind = Literal["anonymous", "registered"]


@dataclass(frozen=True, slots=True)
class Principal:
    """One caller. Two are the same exactly when all four fields are."""

    kind: PrincipalKind
    adapter_id: str | None
    subject: str | None
    principal_id: str


_ANONYMOUS: Final = Principal("anonymous", None, None, "anonymous")


def anonymous() -> Principal:
    """Return the principal of a caller that showed no evidence."""
    return _ANONYMOUS


def registered(adapter_id: str, subject: str) -> Principal:
    """Return the principal of `subject` as the method of declaration `adapter_id` knows it.

    Raises `ValueError` if `subject` is none; the message does not hold it.
    """
    if not isinstance(subject, str):
        raise ValueError(_NO_SUBJECT)
    return _registered(adapter_id, subject)


@lru_cache(maxsize=256)  # clients come again and again
def _registered(adapter_id: str, subject: str) -> Principal:
    if not is_subject(subject):
        raise ValueError(_NO_SUBJECT)
    encoded = urlsafe_b64encode(subject.encode()).rstrip(b"=").decode("ascii")
    return Principal("registered", adapter_id, subject, f"registered:{adapter_id}:{encoded}")


def is_subject(text: object) -> bool:
    """Tell whether `text` can name a caller: 1 to 256 characters, at most 1,024 bytes of UTF-8.

    It is in NFC, not only white space, and has no control, format, private, unassigned or half
    character (Unicode categories C*). White space around it belongs to it.
    """
    if not isinstance(text, str) or len(text) > SUBJECT_MAX_CHARACTERS or not text.strip():
        return False
    if text.isascii():
        return text.isprintable()
    # Halves of surrogate pairs go out here, before anything encodes them.
    if any(category(sign).startswith("C") for sign in text):
        return False
    return len(text.encode()) <= SUBJECT_MAX_BYTES and is_normalized("NFC", text)
