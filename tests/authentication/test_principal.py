from base64 import urlsafe_b64decode
from dataclasses import FrozenInstanceError

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mymcp.authentication.principal import Principal, anonymous, is_subject, registered

SUBJECTS = [
    "a",
    "laptop",
    "user@example.invalid",
    "a b",
    " a",
    "a ",
    " a ",
    "a" * 256,
    "é",
    "太郎",
    "é" * 256,
    "\U0001f600",
    "\U0001f600" * 256,
    "oauth-jwt-v1:W4wxrcdxmEXNdwbYlMEEM0JjOxsBqfx_MQ2g8K2qzPk",
    "a\u2028b",
    "a\u3000b",
    "-",
    ":",
]
NO_SUBJECTS = [
    "",
    " ",
    "   ",
    "\u3000",
    "\u2028",
    "a" * 257,
    "\U0001f600" * 257,
    "\t",
    "a\tb",
    "a\nb",
    "\n",
    "a\r",
    "a\x00",
    "\x1f",
    "a\x7f",
    "a\x80",
    "a\x9f",
    "a\u00adb",
    "a\u200b",
    "a\u200eb",
    "a\u202e",
    "\ufeffa",
    "a\ud800",
    "\udfffa",
    "a\ue000",
    "\U000f0000",
    "a\u0378",
    "\U000e0001a",
    "e\u0301",
    "\u212b",
    "\uac00\u11a8",
    None,
    1,
    True,
    b"a",
    ["a"],
    object(),
]


@pytest.mark.parametrize("text", SUBJECTS)
def test_a_subject_makes_a_registered_principal_of_its_method(text: str) -> None:
    assert is_subject(text)
    principal = registered("z", text)
    assert (principal.kind, principal.adapter_id, principal.subject) == ("registered", "z", text)
    start, adapter, encoded = principal.principal_id.split(":")
    assert (start, adapter, "=" in encoded) == ("registered", "z", False)
    assert urlsafe_b64decode(encoded + "=" * (-len(encoded) % 4)).decode() == text


@pytest.mark.parametrize("value", NO_SUBJECTS, ids=ascii)
def test_what_is_no_subject_makes_no_principal_and_is_not_repeated(value: object) -> None:
    assert not is_subject(value)
    with pytest.raises(ValueError, match=r"^the subject breaks the rules for subjects$"):
        registered("z", value)  # type: ignore[arg-type]


def test_the_normal_form_is_as_documented() -> None:
    assert registered("z", "a") == Principal("registered", "z", "a", "registered:z:YQ")
    assert anonymous() == Principal("anonymous", None, None, "anonymous")


@given(st.text(max_size=300))
def test_two_subjects_are_never_one_principal(text: str) -> None:
    if is_subject(text):
        assert len(text.encode()) <= 1024
        assert registered("a", text) == registered("a", text)
        assert registered("a", text) != registered("b", text)
        assert registered("a", text).principal_id != registered("a", f"{text}x"[-256:]).principal_id


def test_a_principal_cannot_be_changed() -> None:
    with pytest.raises(FrozenInstanceError):
        registered("z", "a").subject = "b"  # type: ignore[misc]
