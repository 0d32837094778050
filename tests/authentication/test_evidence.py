from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mymcp.authentication.evidence import EVIDENCE_MAX_BYTES, Evidence, evidence_in
from mymcp.authentication.method import Refused
from mymcp.configuration.settings import Route
from tests.authentication.showing import everything_told

NAME = b"authorization"
LONGEST = b"x" * EVIDENCE_MAX_BYTES
FOUND = [
    (b"Bearer x", "bearer", b"x"),
    (b"bearer x", "bearer", b"x"),
    (b"BEARER x", "bearer", b"x"),
    (b"bEaReR X", "bearer", b"X"),
    (b"Basic dTpw", "basic", b"dTpw"),
    (b"a x", "a", b"x"),
    (b"api-key x", "api-key", b"x"),
    (b"api_key x", "api_key", b"x"),
    (b"a1-b2_c3 x", "a1-b2_c3", b"x"),
    (b"a" * 64 + b" x", "a" * 64, b"x"),
    (b"Bearer " + LONGEST, "bearer", LONGEST),
    (b"Bearer a,b", "bearer", b"a,b"),
    (b"Bearer a\tb", "bearer", b"a\tb"),
    (b"Bearer \t", "bearer", b"\t"),
    (b"Bearer \x00", "bearer", b"\x00"),
    (b"Bearer =", "bearer", b"="),
    (b"Bearer \xe9", "bearer", b"\xc3\xa9"),
    (b"Bearer \xff" + b"x" * (EVIDENCE_MAX_BYTES - 2), "bearer", None),
]
MALFORMED = [
    b"",
    b" ",
    b"  ",
    b"Bearer",
    b"Bearer ",
    b" Bearer",
    b" x",
    b" Bearer x",
    b"Bearer x ",
    b"Bearer  x",
    b"Bearer x y",
    b"Bearer x  y",
    b"Bearer\tx",
    b"Bearer\t x",
    b"Bearer\xa0x",
    b"Bearer\nx",
    b"Bearer:x",
    b"Bearer,x",
    b"Bearer=x y",
    b"1bearer x",
    b"-bearer x",
    b"bearer- x",
    b"bear--er x",
    b"bear-_er x",
    b"bearer_ x",
    b"_bearer x",
    b"bear.er x",
    b"bear:er x",
    b"bear/er x",
    b"\xe9bearer x",
    b"b\xc3\xa9arer x",
    b"b\x00earer x",
    b"\xc4\xb0 x",
    b"a" * 65 + b" x",
    b"Bearer " + LONGEST + b"x",
    b"Bearer \xff" + b"x" * (EVIDENCE_MAX_BYTES - 1),
    b"Bearer " + b"\xff" * (EVIDENCE_MAX_BYTES // 2 + 1),
]


@pytest.mark.parametrize(("value", "scheme", "payload"), FOUND)
def test_one_scheme_one_space_one_word_is_evidence(
    value: bytes, scheme: str, payload: bytes | None
) -> None:
    found = evidence_in([(b"host", b"x"), (NAME, value)])
    assert found is not None
    assert found.route == Route("authorization", scheme, None)
    expected = value.split(b" ")[1].decode("latin-1").encode() if payload is None else payload
    assert found.payload == expected


@pytest.mark.parametrize("value", MALFORMED)
def test_anything_else_is_malformed_and_not_repeated(value: bytes) -> None:
    with pytest.raises(Refused) as caught:
        evidence_in([(NAME, value)])
    assert (caught.value.code, caught.value.args) == ("malformed", ("malformed",))


@pytest.mark.parametrize(
    "values",
    [
        (b"Bearer x", b"Bearer x"),
        (b"Bearer x", b"Basic y"),
        (b"", b"Bearer x"),
        (b"", b""),
        (b"Bearer x",) * 3,
    ],
)
def test_two_headers_are_malformed_whatever_they_say(values: tuple[bytes, ...]) -> None:
    with pytest.raises(Refused, match=r"^malformed$"):
        evidence_in([(NAME, value) for value in values])


@pytest.mark.parametrize(
    "headers",
    [
        [],
        [(b"host", b"x")],
        [(b"proxy-authorization", b"Bearer x")],
        [(b"x-authorization", b"Bearer x")],
        [(b"cookie", b"authorization=Bearer x")],
        [(b"mcp-session-id", b"x")],
    ],
)
def test_other_headers_are_no_evidence(headers: list[tuple[bytes, bytes]]) -> None:
    assert evidence_in(headers) is None


@given(st.binary(max_size=80))
def test_any_value_is_evidence_that_can_be_put_together_again_or_malformed(value: bytes) -> None:
    with suppress(Refused):
        found = evidence_in([(NAME, value)])
        assert found is not None
        again = found.route.scheme.encode() + b" " + found.payload.decode().encode("latin-1")
        assert again.lower() == value.lower()


def test_evidence_is_in_no_representation() -> None:
    shown = Evidence(Route("authorization", "bearer"), b"open-sesame")
    assert "sesame" not in f"{shown!r} {shown}"
    with pytest.raises(Refused) as caught:
        evidence_in([(NAME, b"Bearer open sesame")])
    assert "b'Bearer" not in everything_told(caught.value)
