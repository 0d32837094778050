"""What is made of the two documents of an issuer, whatever they hold."""

import json
from collections.abc import Callable

import pytest

from mymcp.authentication.oauth.discovery import (
    KEY_SET_MAX_BYTES,
    METADATA_MAX_BYTES,
    DiscoveryError,
    discovered,
)
from mymcp.authentication.oauth.download import Unavailable
from mymcp.authentication.oauth.location import Location
from tests.authentication.oauth.keys import ISSUER, KEY, SigningKey, as_json

HOME = "https://issuer.invalid"
OTHER = SigningKey("key-2")
METADATA = {"issuer": ISSUER, "jwks_uri": f"{HOME}/keys"}
KEYS = {"keys": [KEY.public()]}
DEEP = b'{"a":' * 65 + b"1" + b"}" * 65


class Documents:
    """A fetch that gives documents in their order, and remembers what was asked."""

    def __init__(self, *documents: object) -> None:
        self._documents = list(documents)
        self.asked: list[tuple[Location, int]] = []

    def __call__(self, location: Location, limit: int) -> bytes:
        self.asked.append((location, limit))
        document = self._documents.pop(0)
        if document is None:
            raise Unavailable
        return as_json(document)


def code_of(*documents: object) -> str:
    with pytest.raises(DiscoveryError) as caught:
        discovered(ISSUER, Documents(*documents))
    assert caught.value.args == (caught.value.code,)
    return caught.value.code


def test_two_fetches_give_the_keys() -> None:
    fetch = Documents(METADATA, KEYS)
    snapshot = discovered(ISSUER, fetch)
    assert snapshot.issuer == ISSUER
    assert list(snapshot.keys) == ["key-1"]
    metadata = Location("issuer.invalid", 443, "/.well-known/oauth-authorization-server/tenant")
    keys = Location("issuer.invalid", 443, "/keys")
    assert fetch.asked == [(metadata, METADATA_MAX_BYTES), (keys, KEY_SET_MAX_BYTES)]


@pytest.mark.parametrize(
    "issuer", [HOME, f"{HOME}/", f"{HOME}:443", f"{HOME}:8443", f"{HOME}:8443/", f"{HOME}:8443/a/b"]
)
def test_an_issuer_may_have_a_port_a_path_and_a_root_slash(issuer: str) -> None:
    origin = f"{HOME}:8443" if "8443" in issuer else HOME
    fetch = Documents({"issuer": issuer, "jwks_uri": f"{origin}/keys"}, KEYS)
    assert discovered(issuer, fetch).issuer == issuer
    assert {location.authority for location, _ in fetch.asked} == {origin.removeprefix("https://")}


@pytest.mark.parametrize(
    ("metadata", "keys"),
    [
        (METADATA | {"token_endpoint": 1, "scopes_supported": None, "jwks": []}, KEYS),
        (METADATA, KEYS | {"unknown": [1.5]}),
        (METADATA, {"keys": [KEY.public()] + [{}] * 15}),
        (METADATA, {"keys": [None, OTHER.public(), OTHER.public(), KEY.public(), "key"]}),
        (METADATA, {"keys": [SigningKey("small", 1024).public(), KEY.public()]}),
        (METADATA, {"keys": [KEY.public(kid=None), KEY.public()]}),
    ],
)
def test_what_we_do_not_know_or_cannot_use_does_not_matter(
    metadata: dict[str, object], keys: dict[str, object]
) -> None:
    assert list(discovered(ISSUER, Documents(metadata, keys)).keys) == ["key-1"]


@pytest.mark.parametrize(
    "document",
    [
        b"", b" ", b"null", b"[]", b'"a"', b"1", b"{", b"{}{}", b'{"issuer":', b"<html></html>",
        b"\xef\xbb\xbf{}", b"\xff\xfe{\0}\0", b'{"a":"\xff"}', b'{"a":NaN}', b'{"a":Infinity}',
        DEEP,
        b'{"issuer":"%b","issuer":"%b","jwks_uri":"%b/keys"}'
        % (ISSUER.encode(), ISSUER.encode(), HOME.encode()),
        b'{"issuer":"%b","jwks_uri":"%b/keys","a":{"b":1,"b":1}}'
        % (ISSUER.encode(), HOME.encode()),
        {}, {"issuer": ISSUER}, {"jwks_uri": f"{HOME}/keys"},
        METADATA | {"issuer": None}, METADATA | {"issuer": [ISSUER]}, METADATA | {"issuer": ""},
        METADATA | {"issuer": f"{ISSUER}/"}, METADATA | {"issuer": HOME},
        METADATA | {"issuer": ISSUER.upper()}, METADATA | {"issuer": f"{ISSUER} "},
        METADATA | {"issuer": "https://issuer.invalid:443/tenant"},
        METADATA | {"issuer": "https://other.invalid/tenant"},
        METADATA | {"jwks_uri": None}, METADATA | {"jwks_uri": [f"{HOME}/keys"]},
        METADATA | {"jwks_uri": "http://issuer.invalid/keys"},
        METADATA | {"jwks_uri": "https://other.invalid/keys"},
        METADATA | {"jwks_uri": "https://issuer.invalid:8443/keys"},
        METADATA | {"jwks_uri": ISSUER}, METADATA | {"jwks_uri": "/keys"},
    ],
)  # fmt: skip
def test_metadata_of_somebody_else_or_none_are_invalid(document: object) -> None:
    assert code_of(document) == "metadata_invalid"


@pytest.mark.parametrize(
    "document",
    [
        b"", b"null", b"[]", b"{", b"\xff", DEEP, b'{"keys":[],"keys":[]}', [KEY.public()], {},
        {"keys": None}, {"keys": {}}, {"keys": "key"}, {"keys": []}, {"keys": [KEY.public()] * 17},
        {"keys": {"key-1": KEY.public()}}, {"Keys": [KEY.public()]},
        b'{"keys":[{"kid":"a","kid":"b"}]}', b'{"keys":[{"n":1e999}]}',
    ],
)  # fmt: skip
def test_what_is_no_set_of_keys_is_invalid(document: object) -> None:
    assert code_of(METADATA, document) == "jwks_invalid"


@pytest.mark.parametrize(
    "keys",
    [
        [{}], [None], [KEY.public(use="enc")], [KEY.public(alg="RS512")], [KEY.public(kid=None)],
        [KEY.public(), KEY.public()], [SigningKey("small", 1024).public()], [KEY.public(d="AQAB")],
        [KEY.public(kty="EC")] * 16,
    ],
)  # fmt: skip
def test_a_set_without_a_key_that_qualifies_says_so(keys: list[object]) -> None:
    assert code_of(METADATA, {"keys": keys}) == "jwks_unusable"


def test_documents_that_cannot_be_had_are_told_apart() -> None:
    assert code_of(None) == "metadata_unavailable"
    assert code_of(METADATA, None) == "jwks_unavailable"


@pytest.mark.parametrize(
    "spoil", [lambda text: text[:-1], lambda text: text + b"}", lambda text: b"\0" + text]
)
def test_a_damaged_document_is_never_half_read(spoil: Callable[[bytes], bytes]) -> None:
    good_metadata, good_keys = json.dumps(METADATA).encode(), json.dumps(KEYS).encode()
    assert code_of(spoil(good_metadata)) == "metadata_invalid"
    assert code_of(good_metadata, spoil(good_keys)) == "jwks_invalid"
