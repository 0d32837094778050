"""Which keys of an issuer's set (RFC 7517) verify its tokens: those that qualify, without the rest.

A key that does not qualify is left out and spoils no other: issuers publish keys for other uses,
and old ones beside new ones.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Final

from mymcp.authentication.base64url import decoded
from mymcp.authentication.oauth.reading import is_name
from mymcp.authentication.oauth.signature import Verify, rs256

KEY_ID_MAX_CHARACTERS: Final = 128
MODULUS_BITS: Final = range(2_048, 8_192 + 1)
"""Shorter ones are broken too easily; longer ones cost the server, which verifies every call."""
EXPONENT_MAX: Final = 2**32 - 1

_PRIVATE: Final = frozenset({"d", "p", "q", "dp", "dq", "qi", "oth"})


def verifying_keys(keys: Sequence[object]) -> Mapping[str, Verify]:
    """Return the questions to those of `keys` that qualify, by key id.

    A key qualifies if it is for verifying RS256, has an id, and has numbers that are written and
    chosen as they should be. One that holds private members is everybody's and qualifies never.
    Neither do two under one id: nobody could tell which of them was meant.
    """
    found = [pair for key in keys if (pair := _qualified(key)) is not None]
    counts = Counter(name for name, _ in found)
    return MappingProxyType({name: verify for name, verify in found if counts[name] == 1})


def _qualified(key: object) -> tuple[str, Verify] | None:
    if not isinstance(key, dict) or not _is_for_rs256(key) or not _PRIVATE.isdisjoint(key):
        return None
    name, modulus, exponent = key.get("kid"), key.get("n"), key.get("e")
    if not is_name(name, KEY_ID_MAX_CHARACTERS):
        return None
    if not isinstance(modulus, str) or not isinstance(exponent, str):
        return None
    if not _is_modulus(_number(modulus)) or not _is_exponent(_number(exponent)):
        return None
    verify = rs256(modulus, exponent)
    return None if verify is None else (name, verify)


def _is_for_rs256(key: Mapping[str, object]) -> bool:
    return (
        key.get("kty") == "RSA"
        and key.get("use", "sig") == "sig"
        and key.get("alg", "RS256") == "RS256"
        and _may_verify(key.get("key_ops", ["verify"]))
    )


def _may_verify(operations: object) -> bool:
    if not isinstance(operations, list) or not all(isinstance(each, str) for each in operations):
        return False
    return "verify" in operations and len(set(operations)) == len(operations)


def _number(text: str) -> int | None:
    """Return the number that `text` spells in as few octets as it needs (RFC 7518, section 2)."""
    octets = decoded(text)
    if octets is None or octets[0] == 0:
        return None
    return int.from_bytes(octets, "big")


def _is_modulus(number: int | None) -> bool:
    return number is not None and number.bit_length() in MODULUS_BITS and number % 2 == 1


def _is_exponent(number: int | None) -> bool:
    return number is not None and 3 <= number <= EXPONENT_MAX and number % 2 == 1
