"""One name for one value: canonical JSON (RFC 8785) and its SHA-256.

The standard library writes RFC 8785 for the data that contracts hold: integers that every reader
keeps exact, and ASCII member names, which sort alike by code point and by UTF-16 unit. `canonical`
refuses everything else, so the equality cannot be lost unseen.
"""

import json
from collections.abc import Mapping
from hashlib import sha256

SAFE_INTEGER_MAX = 2**53 - 1

_encode = json.JSONEncoder(
    ensure_ascii=False, separators=(",", ":"), sort_keys=True, allow_nan=False
).encode


def canonical(value: object) -> bytes:
    """Return `value` as canonical JSON bytes.

    Raises `ValueError` for a float, an integer beyond 2^53-1, a name that is not ASCII, a lone
    surrogate and a type that JSON does not have.
    """
    _require_exact(value)
    return _encode(value).encode("utf-8")


def digest(value: object) -> str:
    """Return the digest of `value` with its algorithm: `sha256:` and 64 hexadecimal digits."""
    return f"sha256:{sha256(canonical(value)).hexdigest()}"


def _require_exact(value: object) -> None:
    if value is None or isinstance(value, str | bool):
        return
    if isinstance(value, int):
        if abs(value) > SAFE_INTEGER_MAX:
            raise ValueError("an integer that some readers round has no canonical form here")
        return
    if isinstance(value, Mapping):
        for name, member in value.items():
            if not isinstance(name, str) or not name.isascii():
                raise ValueError("a member name that is not ASCII has no canonical form here")
            _require_exact(member)
        return
    if isinstance(value, list | tuple):
        for item in value:
            _require_exact(item)
        return
    raise ValueError(f"a {type(value).__name__} has no canonical form here")
