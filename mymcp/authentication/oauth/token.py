"""The form of an access token: a compact JWS (RFC 7515) of the type of RFC 9068."""

from dataclasses import dataclass, field
from typing import Final

from mymcp.authentication.base64url import decoded
from mymcp.authentication.method import Refused
from mymcp.authentication.oauth.keys import KEY_ID_MAX_CHARACTERS
from mymcp.authentication.oauth.reading import is_name, object_in

SEGMENT_MAX_CHARACTERS: Final = 4_096
ALGORITHM: Final = "RS256"
TYPES: Final = frozenset({"at+jwt", "application/at+jwt"})


@dataclass(frozen=True, slots=True)
class Token:
    """A token as it was sent. Nothing of it may be believed before the signature is verified."""

    key_id: str = field(repr=False)
    payload: bytes = field(repr=False)
    signed: bytes = field(repr=False)
    signature: bytes = field(repr=False)


def token_in(evidence: bytes) -> Token:
    """Return the token that `evidence` spells. Raises `Refused("malformed")` if it spells none.

    Members of the header that we do not know are ignored, keys and places of keys among them; not
    `crit`, which says that one of them must not be (RFC 7515, section 4.1.11).
    """
    segments = evidence.decode("ascii").split(".") if evidence.isascii() else []
    if len(segments) != 3 or max(map(len, segments)) > SEGMENT_MAX_CHARACTERS:
        raise Refused("malformed")
    header, payload, signature = map(decoded, segments)
    if header is None or payload is None or signature is None:
        raise Refused("malformed")
    signed = evidence[: evidence.rindex(b".")]
    return Token(_key_id(header), payload, signed, signature)


def _key_id(header: bytes) -> str:
    members = object_in(header)
    if members is None or "crit" in members:
        raise Refused("malformed")
    kind, key_id = members.get("typ"), members.get("kid")
    if members.get("alg") != ALGORITHM or not isinstance(kind, str) or kind not in TYPES:
        raise Refused("malformed")
    if not is_name(key_id, KEY_ID_MAX_CHARACTERS):
        raise Refused("malformed")
    return key_id
