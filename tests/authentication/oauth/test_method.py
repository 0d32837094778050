"""Whom a token proves, and that nothing else proves anybody and nothing of it is told."""

import logging
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mymcp.authentication.evidence import Evidence
from mymcp.authentication.method import Method, Refused
from mymcp.authentication.oauth.composition import ROUTE
from mymcp.authentication.oauth.discovery import Snapshot
from mymcp.authentication.oauth.keys import verifying_keys
from mymcp.authentication.oauth.method import OAuthMethod, subject_for
from mymcp.authentication.oauth.resource import Resource
from mymcp.authentication.principal import registered
from mymcp.authentication.router import Router
from tests.authentication.oauth.keys import AUDIENCE, HEADER, ISSUER, KEY, ORIGIN, claims
from tests.authentication.oauth.rows import (
    GOOD,
    IN_ORDER,
    NOW,
    rows,
    token,
)

METHOD = OAuthMethod(
    "local", ROUTE, Snapshot(ISSUER, verifying_keys([KEY.public()])), Resource(ORIGIN), lambda: NOW
)
SUBJECT = subject_for(ISSUER, "user-1")
ROWS = rows()


def subject_of(evidence: bytes | str, method: OAuthMethod = METHOD) -> str:
    payload = evidence.encode() if isinstance(evidence, str) else evidence
    return method.subject_of(Evidence(ROUTE, payload))


def at(now: float) -> OAuthMethod:
    return replace(METHOD, clock=lambda: now)


def code_of(evidence: bytes | str, method: OAuthMethod = METHOD) -> str:
    """Return the code of a refusal that holds nothing else."""
    with pytest.raises(Refused) as caught:
        subject_of(evidence, method)
    assert caught.value.args == (caught.value.code,)
    assert caught.value.__context__ is None
    assert caught.value.__cause__ is None
    return caught.value.code


def test_it_is_a_method() -> None:
    assert isinstance(METHOD, Method)


def test_a_token_of_the_issuer_proves_its_subject() -> None:
    assert subject_of(GOOD) == SUBJECT
    assert subject_of(KEY.issued(claims(NOW))) == SUBJECT
    assert Router([METHOD], False).principal_of(Evidence(ROUTE, GOOD.encode())) == registered(
        "local", SUBJECT
    )


def test_a_subject_is_a_digest_of_issuer_and_sub() -> None:
    known = "oauth-jwt-v1:W4wxrcdxmEXNdwbYlMEEM0JjOxsBqfx_MQ2g8K2qzPk"
    assert subject_for("https://issuer.invalid", "u1") == known
    assert subject_for("https://issuer.invalid", "u2") != known
    assert subject_for("https://issuer.invali", "du1") != known


@pytest.mark.parametrize(
    "header",
    [
        {"typ": "application/at+jwt"},
        {"x5t": "AA", "x5c": ["AA"], "cty": "JWT"},
        {"jku": "https://evil.invalid/keys", "jwk": {"kty": "RSA"}},
        {"unknown": {"a": [1, None]}},
    ],
)
def test_what_a_header_says_beyond_the_contract_is_ignored(header: dict[str, Any]) -> None:
    assert subject_of(KEY.signed(HEADER | header, claims(NOW))) == SUBJECT


@pytest.mark.parametrize(
    "changes",
    [
        {"aud": [AUDIENCE]},
        {"aud": ["other", AUDIENCE, "another"]},
        {"nbf": 0},
        {"nbf": NOW + 30},
        {"iat": NOW + 30, "exp": NOW + 330},
        {"iat": NOW - 330, "exp": NOW - 30},
        {"iat": NOW, "exp": NOW + 1},
        {"client_id": "c" * 256, "jti": " ~" * 128},
        {"scope": "mcp", "azp": [1], "nested": {"a": {"b": [1.5, None, True]}}},
    ],
)
def test_claims_within_their_bounds_are_believed(changes: dict[str, object]) -> None:
    assert subject_of(token(**changes)) == SUBJECT


@pytest.mark.parametrize("sub", ["a" * 256, "\u00e9", " a ", "user@example.invalid", "\U0001f600"])
def test_any_subject_of_the_contract_is_told_apart(sub: str) -> None:
    assert subject_of(token(sub=sub)) == subject_for(ISSUER, sub)


def test_the_moment_of_expiry_is_thirty_seconds_later_to_the_second() -> None:
    assert subject_of(GOOD, at(NOW + 330.9)) == SUBJECT
    assert code_of(GOOD, at(NOW + 331)) == "rejected"
    assert subject_of(GOOD, at(NOW - 30)) == SUBJECT
    assert code_of(GOOD, at(NOW - 30.1 - 1)) == "rejected"


@pytest.mark.parametrize(("what", "evidence", "code"), ROWS, ids=[row[0] for row in ROWS])
def test_a_token_that_proves_nothing_is_refused_in_silence(
    what: str, evidence: bytes, code: str, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    assert code_of(evidence) == code, what
    assert caplog.text == ""


@pytest.mark.parametrize(("changes", "code"), IN_ORDER)
def test_the_first_fault_in_the_order_of_the_contract_counts(
    changes: dict[str, object], code: str
) -> None:
    assert code_of(token(**changes)) == code


def test_a_key_that_was_withdrawn_proves_nothing_after_the_next_start() -> None:
    later = replace(METHOD, snapshot=Snapshot(ISSUER, verifying_keys([KEY.public(kid="key-2")])))
    assert code_of(GOOD, later) == "rejected"


def test_a_token_for_another_server_proves_nothing_here() -> None:
    for origin in ("http://127.0.0.2:8000", "http://127.0.0.1:8001", "http://[::1]:8000"):
        assert code_of(GOOD, replace(METHOD, resource=Resource(origin))) == "rejected"


def test_representations_show_neither_issuer_nor_keys_nor_evidence() -> None:
    evidence = Evidence(ROUTE, GOOD.encode())
    shown = f"{METHOD!r} {METHOD.snapshot!r} {evidence!r}"
    assert "issuer" not in shown.replace("Snapshot", "")
    assert "key-1" not in shown
    assert GOOD[:20] not in shown


@given(st.binary(max_size=600))
def test_no_bytes_but_a_token_prove_anybody(evidence: bytes) -> None:
    code_of(evidence)


@given(place=st.integers(0, len(GOOD) - 1), byte=st.integers(0, 255), cut=st.booleans())
def test_no_token_that_differs_in_one_byte_proves_anybody(place: int, byte: int, cut: bool) -> None:
    evidence = bytearray(GOOD.encode())
    if cut:
        del evidence[place]
    else:
        evidence[place] = byte
    if evidence != GOOD.encode():
        code_of(bytes(evidence))


@given(
    st.dictionaries(
        st.sampled_from([*claims(NOW), "nbf"]),
        st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), st.text(), st.just([])),
        min_size=1,
    )
)
def test_any_claims_are_believed_or_refused_and_never_fail(changes: dict[str, object]) -> None:
    try:
        found = subject_of(token(**changes))
    except Refused as refused:
        found = refused.code
    assert found in {SUBJECT, "malformed", "rejected"} or "sub" in changes
