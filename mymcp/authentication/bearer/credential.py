"""One credential: how it is written, and what a verifier keeps of it.

    mymcp1.<32 hex digits: id>.<43 characters of base64url: 32 random bytes>

The id is no secret. The secret has 256 random bits, so its digest needs neither salt nor stretching
and nobody finds a credential by trying.
"""

from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Callable
from dataclasses import dataclass, field
from hashlib import sha256
from re import compile as pattern
from typing import Final

SECRET_BYTES: Final = 32
ID_BYTES: Final = 16

_is_id: Final = pattern(r"[0-9a-f]{32}").fullmatch
# The last character carries two bits that nobody reads; only the spelling with zeros counts.
_parsed: Final = pattern(
    rb"mymcp1\.([0-9a-f]{32})\.([A-Za-z0-9_-]{42}[AEIMQUYcgkosw048])"
).fullmatch


@dataclass(frozen=True, slots=True)
class Credential:
    """What a caller shows; `secret` is shown to nobody."""

    id: str
    secret: bytes = field(repr=False)

    @property
    def text(self) -> str:
        """The credential as it is sent. Whoever has this text is its subject."""
        return f"mymcp1.{self.id}.{encoded(self.secret)}"

    @property
    def digest(self) -> bytes:
        """What a verifier keeps: 32 bytes that lead back to no secret."""
        return sha256(self.secret).digest()


def credential_in(payload: bytes) -> Credential | None:
    """Return the credential that `payload` is, to the byte; none for anything else."""
    found = _parsed(payload)
    if found is None:
        return None
    return Credential(found[1].decode("ascii"), decoded(found[2].decode("ascii")))


def is_credential_id(text: str) -> bool:
    """Tell whether `text` could be the id of a credential."""
    return _is_id(text) is not None


def issued(random: Callable[[int], bytes]) -> Credential:
    """Return a new credential; `random` gives as many unguessable bytes as it is asked for."""
    return Credential(random(ID_BYTES).hex(), random(SECRET_BYTES))


def encoded(data: bytes) -> str:
    """Return `data` as base64url without padding."""
    return urlsafe_b64encode(data).rstrip(b"=").decode("ascii")


def decoded(text: str) -> bytes:
    """Return the 32 bytes that 43 characters of base64url hold."""
    return urlsafe_b64decode(f"{text}=")
