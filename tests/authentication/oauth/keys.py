"""Keys that sign tokens, and tokens as an issuer or an attacker makes them."""

import json
import time
from base64 import urlsafe_b64encode
from dataclasses import dataclass
from functools import cache
from typing import Any

import jwt
from cryptography.hazmat.primitives.asymmetric.padding import PKCS1v15
from cryptography.hazmat.primitives.asymmetric.rsa import RSAPrivateKey, generate_private_key
from cryptography.hazmat.primitives.hashes import SHA256
from jwt.algorithms import RSAAlgorithm

ISSUER = "https://issuer.invalid/tenant"
ORIGIN = "http://127.0.0.1:8000"
AUDIENCE = f"{ORIGIN}/mcp"
HEADER = {"alg": "RS256", "typ": "at+jwt", "kid": "key-1"}


def base64url(data: bytes) -> str:
    return urlsafe_b64encode(data).rstrip(b"=").decode()


def number(value: int) -> str:
    """Return `value` as a JSON Web Key spells it."""
    return base64url(value.to_bytes((value.bit_length() + 7) // 8, "big"))


def as_json(value: object) -> bytes:
    return value if isinstance(value, bytes) else json.dumps(value).encode()


@cache
def rsa(name: str, bits: int = 2048, exponent: int = 65_537) -> RSAPrivateKey:
    """Return the private key called `name`, the same at every call."""
    return generate_private_key(exponent, bits)


@dataclass(frozen=True)
class SigningKey:
    """One key of an issuer."""

    id: str = "key-1"
    bits: int = 2048

    @property
    def private(self) -> RSAPrivateKey:
        return rsa(self.id, self.bits)

    def public(self, **changes: object) -> dict[str, Any]:
        """Return the key as an issuer publishes it; a member changed to None is left out."""
        key = RSAAlgorithm.to_jwk(self.private.public_key(), as_dict=True)
        members = key | {"kid": self.id, "use": "sig", "alg": "RS256"} | changes
        return {name: value for name, value in members.items() if value is not None}

    def issued(self, claims: dict[str, object], **header: object) -> str:
        """Return a token as a library makes it."""
        members = {"typ": "at+jwt", "kid": self.id} | header
        return jwt.encode(claims, self.private, algorithm="RS256", headers=members)

    def signed(self, header: object, payload: object) -> str:
        """Return a token with a good signature over whatever is given: JSON, or bytes as such."""
        text = f"{base64url(as_json(header))}.{base64url(as_json(payload))}"
        return f"{text}.{base64url(self.private.sign(text.encode(), PKCS1v15(), SHA256()))}"


KEY = SigningKey()


def claims(now: int | None = None, **changes: object) -> dict[str, object]:
    """Return the claims of a good token; a claim changed to `...` is left out."""
    issued = int(time.time()) if now is None else now
    members: dict[str, object] = {
        "iss": ISSUER,
        "aud": AUDIENCE,
        "sub": "user-1",
        "exp": issued + 300,
        "iat": issued,
        "client_id": "client-1",
        "jti": "token-1",
    }
    return {name: value for name, value in (members | changes).items() if value is not ...}
