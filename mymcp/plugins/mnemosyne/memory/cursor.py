"""Cursors: opaque, authenticated, good for one selection in one state in one process.

A cursor is two base64url parts: a JSON object in one exact spelling and its HMAC-SHA-256. The
spelling is matched as text, never parsed, so no cursor can be deep or large enough to hurt. The
MAC is checked before anything in it is believed. One thing is read from a cursor that does not
verify: its process marker. A cursor of another process cannot be told from a forged one by its
MAC, so a foreign marker says `stale`, which only asks the client to start again.
"""

import hmac
import re
from base64 import urlsafe_b64decode, urlsafe_b64encode
from binascii import Error as Base64Error
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Self

from mymcp.plugins.mnemosyne.memory.faults import InvalidCursor, StaleCursor

CURSOR_MAX_CHARACTERS = 4_096
KEY_BYTES = 32
MARKER_BYTES = 16
MAC_BYTES = 32

_PAYLOAD = re.compile(
    rb'\{"d":"(?P<snapshot>[0-9a-f]{64})","o":(?P<offset>[1-9][0-9]{0,8}),'
    rb'"p":"(?P<marker>[0-9a-f]{32})","s":"(?P<selector>[0-9a-f]{64})","v":1,'
    rb'"z":(?P<size>[1-9][0-9]?|100)\}'
)


@dataclass(frozen=True, slots=True)
class Cursor:
    """Where a listing goes on: `offset` records are done, `size` a page, of this state."""

    offset: int
    size: int
    selector: str
    snapshot: str


@dataclass(frozen=True, slots=True)
class CursorSeal:
    """The secrets of one process: `key` signs, `marker` tells its cursors from another's."""

    key: bytes
    marker: str

    @classmethod
    def made_of(cls, randomness: bytes) -> Self:
        """Make the seal of this process from `KEY_BYTES + MARKER_BYTES` random bytes."""
        if len(randomness) != KEY_BYTES + MARKER_BYTES:
            raise ValueError("a seal needs exactly 48 random bytes")
        return cls(randomness[:KEY_BYTES], randomness[KEY_BYTES:].hex())

    def digest(self, label: str, parts: Iterable[bytes]) -> str:
        """Return the keyed digest of `parts`, 64 hex digits; `label` keeps purposes apart."""
        return self._mac(label, b"".join(parts)).hex()

    def close(self, cursor: Cursor) -> str:
        """Return `cursor` as the text that a client carries."""
        payload = (
            f'{{"d":"{cursor.snapshot}","o":{cursor.offset},"p":"{self.marker}",'
            f'"s":"{cursor.selector}","v":1,"z":{cursor.size}}}'
        ).encode()
        return f"{_text(payload)}.{_text(self._mac('cursor', payload))}"

    def open(self, text: str) -> Cursor:
        """Return the cursor that `text` carries.

        Raises `InvalidCursor` for text that no process made or that was changed, `StaleCursor`
        for what another process made.
        """
        if len(text) > CURSOR_MAX_CHARACTERS:
            raise InvalidCursor
        first, dot, second = text.partition(".")
        payload, mac = _bytes(first), _bytes(second)
        genuine = bool(dot) and hmac.compare_digest(mac, self._mac("cursor", payload))
        found = _PAYLOAD.fullmatch(payload)
        if found is None:
            raise InvalidCursor
        offset, size = int(found["offset"]), int(found["size"])
        if offset % size or len(mac) != MAC_BYTES:
            raise InvalidCursor
        if not genuine:
            raise InvalidCursor if found["marker"].decode() == self.marker else StaleCursor
        return Cursor(offset, size, found["selector"].decode(), found["snapshot"].decode())

    def _mac(self, label: str, data: bytes) -> bytes:
        return hmac.digest(self.key, f"mnemosyne {label} v1\n".encode() + data, "sha256")


def _text(data: bytes) -> str:
    return urlsafe_b64encode(data).decode().rstrip("=")


def _bytes(text: str) -> bytes:
    """Decode strict base64url without padding: exactly the spelling that `_text` gives."""
    try:
        data = urlsafe_b64decode(text.encode("ascii") + b"=" * (-len(text) % 4))
    except (UnicodeEncodeError, Base64Error):
        raise InvalidCursor from None
    if not data or _text(data) != text:
        raise InvalidCursor
    return data
