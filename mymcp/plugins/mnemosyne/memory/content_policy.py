"""What must not be stored: shapes of secrets and of identifiers of people.

Signatures, not understanding: what has no such shape passes, and harmless text may have one.
Every detector takes time linear in the text, and no text makes one fail.
"""

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Generic, Literal, TypeVar

Reason = Literal[
    "private_key_shape",
    "credential_shape",
    "compact_token_shape",
    "government_identifier_shape",
    "payment_card_shape",
]

Field = TypeVar("Field", bound=str)
"""A public name of what is looked at; each tool has its own."""

_SCHEME = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789+.-")
_URL_LOGIN = re.compile(r"://[^/\s:@]++:[^/\s@]++@")
_CARD = re.compile(r"(?<!\d)\d(?:[ -]?\d){12,18}(?!\d)")


@dataclass(frozen=True, slots=True)
class Detector:
    """One shape; `finds` tells whether a text has it anywhere."""

    name: str
    reason: Reason
    finds: Callable[[str], bool]


@dataclass(frozen=True, slots=True)
class Refusal(Generic[Field]):
    """The first field that must not be stored, and the reason."""

    field: Field
    reason: Reason


def refusal(fields: Iterable[tuple[Field, str | None]]) -> Refusal[Field] | None:
    """Return the first refusal among (name, text) pairs, or none if all may be stored.

    Each text is looked at alone; the first detector in table order gives the reason.
    """
    for name, text in fields:
        reason = None if text is None else reason_against(text)
        if reason is not None:
            return Refusal(name, reason)
    return None


def reason_against(text: str) -> Reason | None:
    """Return the reason of the first detector that `text` sets off."""
    return next((d.reason for d in DETECTORS if d.finds(text)), None)


def _shape(pattern: str, *, any_case: bool = False) -> Callable[[str], bool]:
    search = re.compile(pattern, re.IGNORECASE if any_case else re.NOFLAG).search
    return lambda text: search(text) is not None


def _has_login_in_url(text: str) -> bool:
    """Find `scheme://user:password@`; from each `://` back, or letters and hyphens cost n^2."""
    return any(_has_scheme_before(text, found.start()) for found in _URL_LOGIN.finditer(text))


def _has_scheme_before(text: str, end: int) -> bool:
    """Tell whether a scheme that starts at a word boundary ends at `end`."""
    position = end - 1
    while position >= 0 and text[position] in _SCHEME:
        starts_word = position == 0 or not _is_word(text[position - 1])
        if starts_word and text[position].isalpha():
            return True
        position -= 1
    return False


def _is_word(character: str) -> bool:
    return character.isalnum() or character == "_"


def _has_card_number(text: str) -> bool:
    return any(_passes_luhn(found[0]) for found in _CARD.finditer(text))


def _passes_luhn(number: str) -> bool:
    digits = [int(c) for c in reversed(number) if c not in " -"]
    doubled = (2 * digit for digit in digits[1::2])
    return (sum(digits[::2]) + sum(d - 9 if d > 9 else d for d in doubled)) % 10 == 0


DETECTORS = (
    Detector(
        "private key header",
        "private_key_shape",
        _shape(r"-----BEGIN (?:(?:RSA |EC |DSA |OPENSSH )?PRIVATE KEY|PGP PRIVATE KEY BLOCK)-----"),
    ),
    Detector(
        "AWS access key id",
        "credential_shape",
        _shape(r"(?<![A-Z0-9])A[KS]IA[A-Z0-9]{16}(?![A-Z0-9])"),
    ),
    Detector(
        "GitHub token",
        "credential_shape",
        _shape(
            r"(?<![A-Za-z0-9_])(?:gh[oprsu]_[A-Za-z0-9]{20,}+|github_pat_[A-Za-z0-9_]{20,}+)"
            r"(?![A-Za-z0-9_])"
        ),
    ),
    Detector(
        "Slack token",
        "credential_shape",
        _shape(r"(?<![A-Za-z0-9-])xox[abprs]-[A-Za-z0-9-]{10}"),
    ),
    Detector(
        "Stripe live key",
        "credential_shape",
        _shape(r"(?<![A-Za-z0-9_])[rs]k_live_[A-Za-z0-9]{16}"),
    ),
    Detector(
        "Google API key",
        "credential_shape",
        _shape(r"(?<![A-Za-z0-9_-])AIza[A-Za-z0-9_-]{35}(?![A-Za-z0-9_-])"),
    ),
    Detector(
        "secret key of an AI provider",
        "credential_shape",
        _shape(r"(?<![A-Za-z0-9_-])sk-[A-Za-z0-9_-]{20}"),
    ),
    Detector(
        "authorization header",
        "credential_shape",
        _shape(r"\bauthorization\s*+:\s*+(?:basic|bearer)\s++\S", any_case=True),
    ),
    Detector(
        "credential assignment",
        "credential_shape",
        _shape(
            r"\b(?:password|passwd|pwd|secret|api[_-]?key|(?:access|refresh)[_-]?token"
            r"|client[_-]?secret)\s*+[:=]\s*+\S{4}",
            any_case=True,
        ),
    ),
    Detector("login in a URL", "credential_shape", _has_login_in_url),
    Detector(
        "compact token",
        "compact_token_shape",
        _shape(r"(?<![A-Za-z0-9_-])eyJ[A-Za-z0-9_-]{8,}+\.[A-Za-z0-9_-]++\.[A-Za-z0-9_-]++"),
    ),
    Detector(
        "social security number",
        "government_identifier_shape",
        _shape(r"(?<!\d)\d{3}-\d{2}-\d{4}(?!\d)"),
    ),
    Detector("payment card number", "payment_card_shape", _has_card_number),
)
"""All detectors, in the order in which they are asked."""
