"""Tokens that prove nothing: what is wrong with each, and the class of its failure."""

from collections.abc import Iterator
from typing import Final

from tests.authentication.oauth.keys import HEADER, ISSUER, KEY, SigningKey, base64url, claims

NOW: Final = 1_800_000_000
MALFORMED: Final = "malformed"
REJECTED: Final = "rejected"

Row = tuple[str, bytes, str]
"""What is wrong, the evidence, and the code of the failure."""


def token(**changes: object) -> str:
    """Return a well-signed token whose claims are changed; `...` leaves one out."""
    return KEY.signed(HEADER, claims(NOW, **changes))


def headed(header: object) -> bytes:
    """Return a token with good claims and another header, well signed."""
    return KEY.signed(header, claims(NOW)).encode()


def without(name: str) -> dict[str, str]:
    return {key: value for key, value in HEADER.items() if key != name}


def unsigned(header: object, payload: object, signature: str = "") -> bytes:
    whole = KEY.signed(header, payload)
    return f"{whole.rpartition('.')[0]}.{signature}".encode()


GOOD: Final = token()
_HEAD, _BODY, _SIGNATURE = GOOD.split(".")
_NESTED = b'{"a":' * 70 + b"1" + b"}" * 70


def shapes() -> Iterator[Row]:
    """Rows about the compact form."""
    texts = {
        "nothing": ".",
        "one segment": _HEAD,
        "two segments": f"{_HEAD}.{_BODY}",
        "four segments": f"{GOOD}.{_BODY}",
        "five segments, as encrypted": f"{GOOD}.AA.AA",
        "an empty header": f".{_BODY}.{_SIGNATURE}",
        "an empty payload": f"{_HEAD}..{_SIGNATURE}",
        "an empty signature": f"{_HEAD}.{_BODY}.",
        "a dot before": f".{GOOD}",
        "a dot after": f"{GOOD}.",
        "padding": f"{_HEAD}.{_BODY}.{_SIGNATURE}==",
        "padding of the header": f"{_HEAD}=.{_BODY}.{_SIGNATURE}",
        "a space": f"{GOOD} ",
        "a line end": f"{GOOD}\n",
        "a tab before": f"\t{GOOD}",
        "NUL": f"{GOOD}\0",
        "another alphabet": f"{_HEAD}.{_BODY}.{_SIGNATURE[:-2]}+/",
        "a letter beyond ASCII": f"{GOOD}\u00e9",
        "wide digits": f"{_HEAD}.{_BODY}.\uff11{_SIGNATURE}",
        "a long payload": f"{_HEAD}.{'A' * 4_100}.{_SIGNATURE}",
        "a long signature": f"{_HEAD}.{_BODY}.{'A' * 4_100}",
        "a length that no bytes have": f"{_HEAD}.{_BODY}.{_SIGNATURE}AAA",
        "an operator's credential": f"mymcp1.{'0' * 32}.{'A' * 43}",
        "the word null": "null",
        "JSON": '{"payload":"","signatures":[]}',
        "quotes": f'"{GOOD}"',
    }
    yield from ((what, text.encode(), MALFORMED) for what, text in texts.items())
    yield "a long header", headed(HEADER | {"a": "x" * 3_100}), MALFORMED
    yield "bits that no byte has", f"{_HEAD}.{_BODY}.AB".encode(), MALFORMED
    yield "bytes that are no UTF-8", GOOD.encode() + b"\xff", MALFORMED


def headers() -> Iterator[Row]:
    """Rows about the header; each of these tokens is well signed."""
    for name in HEADER:
        yield f"no {name}", headed(without(name)), MALFORMED
        for value in (None, 1, True, [HEADER[name]], {}, ""):
            yield f"{name} is {value!r}", headed(HEADER | {name: value}), MALFORMED
    for alg in ("none", "None", "rs256", "RS384", "RS512", "PS256", "ES256", "HS256", "EdDSA"):
        yield f"alg {alg}", headed(HEADER | {"alg": alg}), MALFORMED
    for typ in (
        "JWT",
        "AT+JWT",
        "jwt",
        "at+jwt ",
        "application/jwt",
        "Application/at+jwt",
        "dpop+jwt",
    ):
        yield f"typ {typ}", headed(HEADER | {"typ": typ}), MALFORMED
    for kid in (" ", "k" * 129, "k\u00e9y", "k\n", "\ud800"):
        yield f"kid {kid!a}", headed(HEADER | {"kid": kid}), MALFORMED
    for crit in ([], ["b64"], ["exp"], "b64", None):
        yield f"crit {crit}", headed(HEADER | {"crit": crit, "b64": True}), MALFORMED
    texts = {
        "a list": b'["RS256","at+jwt","key-1"]',
        "a text": b'"RS256"',
        "a number": b"1",
        "null": b"null",
        "broken": b'{"alg":"RS256"',
        "more after it": b'{"alg":"RS256","typ":"at+jwt","kid":"key-1"}{}',
        "a comma too many": b'{"alg":"RS256","typ":"at+jwt","kid":"key-1",}',
        "alg twice": b'{"alg":"none","typ":"at+jwt","kid":"key-1","alg":"RS256"}',
        "a stranger twice": b'{"alg":"RS256","typ":"at+jwt","kid":"key-1","a":{"b":1,"b":1}}',
        "a mark before it": b'\xef\xbb\xbf{"alg":"RS256","typ":"at+jwt","kid":"key-1"}',
        "no UTF-8": b'{"alg":"RS256","typ":"at+jwt","kid":"key-1","a":"\xff"}',
        "NaN": b'{"alg":"RS256","typ":"at+jwt","kid":"key-1","a":NaN}',
        "depth": b'{"alg":"RS256","typ":"at+jwt","kid":"key-1","a":' + _NESTED + b"}",
    }
    yield from ((f"header: {what}", headed(text), MALFORMED) for what, text in texts.items())
    yield "another kid", headed(HEADER | {"kid": "key-2"}), REJECTED
    yield "kid in other case", headed(HEADER | {"kid": "KEY-1"}), REJECTED
    yield "kid with a space", headed(HEADER | {"kid": "key-1 "}), REJECTED


def signatures() -> Iterator[Row]:
    """Rows about who signed."""
    other = SigningKey("other")
    good = KEY.signed(HEADER, claims(NOW)).rpartition(".")[2]
    yield "another key", other.signed(HEADER, claims(NOW)).encode(), REJECTED
    yield "one byte", unsigned(HEADER, claims(NOW), "AA"), REJECTED
    yield "zeros", unsigned(HEADER, claims(NOW), base64url(bytes(256))), REJECTED
    yield "a byte too many", unsigned(HEADER, claims(NOW), f"{good[:-2]}AAAA"), REJECTED
    yield "of another payload", unsigned(HEADER, claims(NOW, sub="root"), good), REJECTED
    yield "of another header", unsigned(HEADER | {"a": 1}, claims(NOW), good), REJECTED
    public = base64url(b"-----BEGIN PUBLIC KEY-----")
    yield "the public key as a secret", unsigned(HEADER, claims(NOW), public), REJECTED
    jwk = HEADER | {"jwk": other.public(kid="key-1")}
    yield "a key of one's own", other.signed(jwk, claims(NOW)).encode(), REJECTED
    jku = HEADER | {"jku": "https://evil.invalid/keys", "x5u": "https://evil.invalid/"}
    yield "keys of one's own", other.signed(jku, claims(NOW)).encode(), REJECTED
    # Verified before it is read: what the payload holds does not show in the failure.
    yield "no JSON below it", unsigned(HEADER, b"no JSON", "AA"), REJECTED
    yield "no issuer below it", unsigned(HEADER, {}, "AA"), REJECTED


def payloads() -> Iterator[Row]:
    """Rows about what is no set of claims; each of these tokens is well signed."""
    texts = {
        "a list": b"[]",
        "a text": b'"sub"',
        "null": b"null",
        "blank": b" ",
        "broken": b"{",
        "no UTF-8": b'{"sub":"\xff"}',
        "sub twice": b'{"sub":"a","sub":"a"}',
        "Infinity": b'{"exp":Infinity}',
        "a long number": b'{"exp":' + b"9" * 1_001 + b"}",
        "depth": _NESTED,
        "empty": b"{}",
    }
    for what, text in texts.items():
        yield f"payload: {what}", KEY.signed(HEADER, text).encode(), MALFORMED


def claimed() -> Iterator[Row]:
    """Rows about claims; each of these tokens is well signed."""
    values: dict[str, dict[str, list[object]]] = {
        "iss": {
            MALFORMED: [..., None, 1, [ISSUER], {}],
            REJECTED: [
                "", "https://other.invalid", f"{ISSUER}/", ISSUER.upper(), f" {ISSUER}",
                "https://issuer.invalid", f"{ISSUER}:443", "\ud800",
            ],
        },
        "aud": {
            MALFORMED: [..., None, 1, [], {}, [1], ["http://127.0.0.1:8000/mcp", 1], [None], [[]]],
            REJECTED: [
                "", "http://127.0.0.1:8000/mcp/", "http://127.0.0.1:8000", "http://localhost:8000/mcp",
                "http://127.0.0.1:8001/mcp", "https://127.0.0.1:8000/mcp", "HTTP://127.0.0.1:8000/mcp",
                "http://127.0.0.1:8000/mcp#a", "mymcp", ["other"], ["http://127.0.0.1:8000/"],
            ],
        },
        "exp": {
            MALFORMED: [..., None, "1800000300", 1_800_000_300.0, True, [], -1],
            REJECTED: [0, NOW - 31, NOW, NOW + 301, NOW + 10**9, 10**30],
        },
        "iat": {
            MALFORMED: [..., None, "1800000000", 1_800_000_000.5, False, {}, -1],
            REJECTED: [0, NOW - 1, NOW + 31, NOW + 300, NOW + 400, 10**30],
        },
        "nbf": {
            MALFORMED: [None, "1800000000", 1.0, True, [], -1],
            REJECTED: [NOW + 31, 10**30],
        },
        "sub": {
            MALFORMED: [
                ..., None, 1, ["user-1"], {}, "", " ", "\u3000", "a" * 257, "\U0001f600" * 257,
                "e\u0301", "a\0", "a\n", "a\x7f", "a\u200b", "a\u202e", "\ud800", "\ue000",
                "\u0378",
            ],
        },
        "client_id": {
            MALFORMED: [..., None, 1, [], "", " ", "c" * 257, "c\n", "c\u00e9", "c\0", "\ud800"],
        },
        "jti": {MALFORMED: [..., None, 1, [], "", "  ", "j" * 257, "j\t", "j\u00e9", "\ud800"]},
    }  # fmt: skip
    for name, by_code in values.items():
        for code, found in by_code.items():
            for value in found:
                yield f"{name} is {value!a}"[:60], token(**{name: value}).encode(), code
    yield "nbf long gone, expired", token(iat=NOW - 400, exp=NOW - 100).encode(), REJECTED
    yield "not yet", token(iat=NOW + 100, exp=NOW + 200).encode(), REJECTED


def rows() -> list[Row]:
    """Return all rows."""
    return [*shapes(), *headers(), *signatures(), *payloads(), *claimed()]


IN_ORDER: Final[list[tuple[dict[str, object], str]]] = [
    ({"jti": ..., "iss": "other"}, MALFORMED),
    ({"iss": "other", "aud": 1}, REJECTED),
    ({"aud": "other", "exp": None}, REJECTED),
    ({"exp": 0, "iat": "later"}, MALFORMED),
    ({"exp": NOW - 31, "iat": NOW - 32, "nbf": None}, REJECTED),
    ({"iat": NOW + 31, "exp": NOW + 32, "nbf": None}, REJECTED),
    ({"exp": NOW + 301, "nbf": None}, REJECTED),
    ({"nbf": NOW + 31, "sub": None}, REJECTED),
    ({"sub": None, "client_id": None}, MALFORMED),
]
"""Claims with two faults, of which the first one counts."""
