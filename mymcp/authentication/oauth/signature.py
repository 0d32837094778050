"""RS256: whether an RSA key of an issuer made a signature (RFC 7518, section 3.3), by PyJWT."""

from collections.abc import Callable
from typing import Final

from jwt import InvalidKeyError
from jwt.algorithms import RSAAlgorithm

Verify = Callable[[bytes, bytes], bool]
"""From what was signed and a signature to whether the key made the one over the other."""

_RS256: Final = RSAAlgorithm(RSAAlgorithm.SHA256)


def rs256(modulus: str, exponent: str) -> Verify | None:
    """Return the question to the public key of these numbers, or none if the library refuses it.

    `modulus` and `exponent` are canonical base64url, as `n` and `e` of a JSON Web Key.
    """
    try:
        key = RSAAlgorithm.from_jwk({"kty": "RSA", "n": modulus, "e": exponent})
    except (InvalidKeyError, ValueError):
        return None

    def verify(signed: bytes, signature: bytes) -> bool:
        return _RS256.verify(signed, key, signature)  # type: ignore[arg-type]  # no `d`: public

    return verify
