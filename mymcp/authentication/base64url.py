"""Canonical base64url without padding (RFC 7515, section 2): one spelling for each byte string."""

from base64 import urlsafe_b64decode, urlsafe_b64encode


def encoded(data: bytes) -> str:
    """Return the spelling of `data`."""
    return urlsafe_b64encode(data).rstrip(b"=").decode("ascii")


def decoded(text: str) -> bytes | None:
    """Return the bytes that `text` spells, or none if it is empty or another spelling of them.

    Other spellings are padding, the other alphabet, white space, and bits that no byte has.
    """
    if not text.isascii():
        return None
    try:
        data = urlsafe_b64decode(text + "=" * (-len(text) % 4))
    except ValueError:
        return None
    return data if data and encoded(data) == text else None
