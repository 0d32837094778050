import hashlib
from contextlib import suppress

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from mymcp.authentication.bearer import method as module
from mymcp.authentication.bearer.credential import Credential, issued
from mymcp.authentication.bearer.method import ROUTE, operator_bearer
from mymcp.authentication.bearer.verifiers import verifier_of
from mymcp.authentication.method import Method, Refused
from tests.authentication.bearer.known import CREDENTIAL, ID, SECRET_TEXT, TEXT, VERIFIER
from tests.authentication.showing import everything_told, evidence

RANDOM = (hashlib.shake_256(bytes([n])).digest for n in range(256))
ISSUED = [issued(next(RANDOM)) for _ in range(31)]
METHOD = operator_bearer(
    "local",
    [VERIFIER, *(verifier_of(one, f"subject-{n % 8}") for n, one in enumerate(ISSUED))],
)
KNOWN = {one.text.encode() for one in (CREDENTIAL, *ISSUED)}


def test_it_is_a_method_of_one_route_without_challenge() -> None:
    assert isinstance(METHOD, Method)
    assert (METHOD.adapter_id, METHOD.route, METHOD.challenge) == ("local", ROUTE, None)


def test_every_issued_credential_names_its_subject() -> None:
    assert METHOD.subject_of(evidence(TEXT.encode())) == "laptop"
    for n, credential in enumerate(ISSUED):
        shown = evidence(credential.text.encode())
        assert METHOD.subject_of(shown) == f"subject-{n % 8}"


def test_what_is_no_credential_is_malformed() -> None:
    for payload in (b"x", TEXT.encode() + b"\n", TEXT.upper().encode(), b"\xc3\xa9"):
        with pytest.raises(Refused, match=r"^malformed$"):
            METHOD.subject_of(evidence(payload))


def test_ids_and_secrets_of_two_credentials_do_not_make_a_third() -> None:
    for one in ISSUED[:8]:
        for other in ISSUED[:8]:
            if one is not other:
                mixed = Credential(one.id, other.secret)
                with pytest.raises(Refused, match=r"^rejected$"):
                    METHOD.subject_of(evidence(mixed.text.encode()))


def test_a_credential_of_an_id_that_is_gone_is_rejected() -> None:
    without = operator_bearer("local", [verifier_of(ISSUED[0], "a")])
    with pytest.raises(Refused, match=r"^rejected$"):
        without.subject_of(evidence(TEXT.encode()))


def test_the_digest_of_a_secret_is_not_its_secret() -> None:
    shown = Credential(ID, CREDENTIAL.digest).text.encode()
    with pytest.raises(Refused, match=r"^rejected$"):
        METHOD.subject_of(evidence(shown))


@pytest.mark.parametrize("payload", [TEXT, Credential("f" * 32, CREDENTIAL.secret).text])
def test_an_unknown_id_costs_the_comparison_that_a_known_one_costs(
    payload: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    compared: list[tuple[bytes, bytes]] = []

    def watched(given: bytes, expected: bytes) -> bool:
        compared.append((given, expected))
        return True

    monkeypatch.setattr(module, "compare_digest", watched)
    with suppress(Refused):
        assert METHOD.subject_of(evidence(payload.encode())) == "laptop"
        assert payload == TEXT, "an unknown id was let in because a comparison said so"
    ((given, expected),) = compared
    assert given == CREDENTIAL.digest
    assert (len(expected), expected == VERIFIER.digest) == (32, payload == TEXT)


def test_nothing_is_known_to_an_empty_file() -> None:
    for payload in sorted(KNOWN):
        with pytest.raises(Refused, match=r"^rejected$"):
            operator_bearer("local", []).subject_of(evidence(payload))


@st.composite
def near_misses(draw: st.DrawFn) -> bytes:
    """Return an issued credential with some bytes changed, left out or doubled."""
    data = bytearray(draw(st.sampled_from(sorted(KNOWN))))
    for _ in range(draw(st.integers(1, 3))):
        place = draw(st.integers(0, len(data) - 1))
        match draw(st.sampled_from(["change", "drop", "double"])):
            case "change":
                data[place] = draw(st.integers(0, 255))
            case "drop":
                del data[place]
            case _:
                data.insert(place, data[place])
    return bytes(data)


@given(st.binary(max_size=8192) | near_misses())
@example(f"mymcp1.{ID}.{SECRET_TEXT[:-1]}F".encode())
@example(b"")
def test_no_other_byte_string_authenticates(payload: bytes) -> None:
    if payload in KNOWN:
        return
    with pytest.raises(Refused) as caught:
        METHOD.subject_of(evidence(payload))
    assert caught.value.code in {"malformed", "rejected"}
    assert caught.value.args == (caught.value.code,)


def test_nothing_secret_is_shown_of_the_method_or_of_a_refusal() -> None:
    with pytest.raises(Refused) as caught:
        METHOD.subject_of(evidence(f"{TEXT}x".encode()))
    told = f"{METHOD!r} {everything_told(caught.value)}"
    assert SECRET_TEXT not in told
    assert ID not in told
