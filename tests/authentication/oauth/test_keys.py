"""Which keys of a set verify tokens, and that no other key of it spoils them."""

from typing import Any

import pytest

from mymcp.authentication.base64url import decoded
from mymcp.authentication.oauth.keys import verifying_keys
from tests.authentication.oauth.keys import KEY, SigningKey, base64url, number, rsa

OTHER = SigningKey("key-2")
N = KEY.private.public_key().public_numbers().n


def signature(key: SigningKey) -> tuple[bytes, bytes]:
    """Return what a token of `key` signs, and the signature."""
    token = key.signed({}, {}).encode()
    signed, _, made = token.rpartition(b".")
    found = decoded(made.decode())
    assert found is not None
    return signed, found


QUALIFIED: list[dict[str, Any]] = [
    {},
    {"use": None},
    {"alg": None},
    {"use": None, "alg": None},
    {"key_ops": ["verify"]},
    {"key_ops": ["sign", "verify"]},
    {"key_ops": ["verify", "something else"]},
    {"kid": "k"},
    {"kid": "k" * 128},
    {"kid": " ~!"},
    {"x5t": "AA", "x5c": ["AA"], "unknown": {}},
]
UNUSABLE_VALUES: dict[str, list[object]] = {
    "kty": [None, "EC", "oct", "rsa", ["RSA"]],
    "use": ["enc", "", ["sig"], 1],
    "alg": ["RS512", "PS256", "none", "HS256", ["RS256"]],
    "key_ops": [
        [], ["sign"], "verify", {"verify": 1}, ["verify", "verify"], ["verify", 1], [["verify"]],
    ],
    "kid": [
        None, "", " ", "k" * 129, 1, ["key-1"], "k\u00e9y", "k\n", "k\0", "k\x7f", "\ud800",
    ],
    "n": [
        None, "", N, number(N) + "=", "!" + number(N), number(N)[:-1], "AA",
        base64url(b"\0" + N.to_bytes(256, "big")), number(N - 1), number(2**2047 - 1),
        number(2**8192 + 1),
    ],
    "e": [
        None, "", 65_537, "AQAB=", "AAEAAQ", "AA", "AQ", "Ag", number(65_536), number(2**32 + 1),
    ],
    "d": ["AQAB"], "p": ["AQAB"], "q": ["AQAB"], "dp": ["AQAB"], "dq": ["AQAB"], "qi": ["AQAB"],
    "oth": [[]],
}  # fmt: skip
UNUSABLE: list[object] = [
    *(KEY.public(**{name: value}) for name, found in UNUSABLE_VALUES.items() for value in found),
    SigningKey("small", 1024).public(),
    *(None, True, 1, "key", [], [KEY.public()], {}),
]


@pytest.mark.parametrize("changes", QUALIFIED)
def test_a_key_for_verifying_rs256_is_used(changes: dict[str, Any]) -> None:
    published = KEY.public(**changes)
    found = verifying_keys([published])
    assert list(found) == [published["kid"]]
    signed, made = signature(KEY)
    verify = found[published["kid"]]
    assert verify(signed, made)
    assert not verify(signed + b"x", made)
    assert not verify(signed, signature(OTHER)[1])
    assert not verify(signed, b"")
    assert not verify(signed, bytes(256))


@pytest.mark.parametrize("bits", [3072, 4096])
def test_a_longer_key_is_used(bits: int) -> None:
    key = SigningKey("long", bits)
    assert verifying_keys([key.public()])["long"](*signature(key))


def test_a_key_with_the_smallest_exponent_is_used() -> None:
    numbers = rsa("three", 2048, 3).public_key().public_numbers()
    assert list(verifying_keys([KEY.public(n=number(numbers.n), e=number(3))])) == ["key-1"]


@pytest.mark.parametrize("key", UNUSABLE)
def test_a_key_that_does_not_qualify_is_left_out_and_spoils_no_other(key: object) -> None:
    assert dict(verifying_keys([key])) == {}
    assert list(verifying_keys([key, OTHER.public(), key])) == ["key-2"]


def test_none_of_several_keys_with_one_id_is_used() -> None:
    twice = [KEY.public(), OTHER.public(kid="key-1"), OTHER.public()]
    assert list(verifying_keys(twice)) == ["key-2"]
    assert dict(verifying_keys([KEY.public(), KEY.public()])) == {}


def test_a_key_for_another_use_may_have_the_same_id() -> None:
    keys = [KEY.public(use="enc"), KEY.public(), KEY.public(kty="EC")]
    assert list(verifying_keys(keys)) == ["key-1"]


def test_the_found_keys_cannot_be_changed() -> None:
    with pytest.raises(TypeError):
        verifying_keys([KEY.public()])["key-2"] = lambda _signed, _made: True  # type: ignore[index]
