"""Canonical JSON against RFC 8785, and what has no canonical form here."""

import hashlib
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from codegen.digest import SAFE_INTEGER_MAX, canonical, digest

_SHORT = {"\b": "\\b", "\t": "\\t", "\n": "\\n", "\f": "\\f", "\r": "\\r", '"': '\\"', "\\": "\\\\"}
_NAMES = st.text(st.characters(max_codepoint=0x7F), max_size=4)
_TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=8)
_NUMBERS = st.integers(-SAFE_INTEGER_MAX, SAFE_INTEGER_MAX)
_VALUES = st.recursive(
    st.none() | st.booleans() | _NUMBERS | _TEXTS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(_NAMES, inner, max_size=4),
    max_leaves=20,
)


def _rfc_8785(value: object) -> str:
    """Sections 3.2.2 and 3.2.3 written out a second time, for values without fractions."""
    if isinstance(value, bool) or value is None:
        return {True: "true", False: "false", None: "null"}[value]
    if isinstance(value, int):
        return str(value)
    if isinstance(value, str):
        return f'"{"".join(_character(character) for character in value)}"'
    if isinstance(value, list):
        return f"[{','.join(_rfc_8785(item) for item in value)}]"
    assert isinstance(value, dict)
    names = sorted(value, key=lambda name: name.encode("utf-16-be"))
    return "{" + ",".join(f"{_rfc_8785(name)}:{_rfc_8785(value[name])}" for name in names) + "}"


def _character(character: str) -> str:
    if character in _SHORT:
        return _SHORT[character]
    return f"\\u{ord(character):04x}" if character < " " else character


def test_the_strings_and_literals_of_the_rfc_come_out_as_printed_there() -> None:
    # RFC 8785, section 3.2.2, the sample without its fractional numbers.
    string = r'"\u20ac$\u000F\u000aA\u0027\u0042\u0022\u005c\\\"\/"'
    sample = f'{{"string": {string}, "literals": [null, true, false]}}'
    expected = '{"literals":[null,true,false],"string":"€$\\u000f\\nA\'B\\"\\\\\\\\\\"/"}'
    assert canonical(json.loads(sample)) == expected.encode()


def test_the_ascii_names_of_the_rfc_sort_as_there() -> None:
    # RFC 8785, section 3.2.3.
    sample = {"1": "One", "\r": "Carriage Return", "</script>": "Less"}
    assert list(json.loads(canonical(sample))) == ["\r", "1", "</script>"]


@given(_VALUES)
def test_canonical_is_what_the_rfc_says(value: object) -> None:
    assert canonical(value) == _rfc_8785(value).encode()


@given(_VALUES)
def test_order_of_members_does_not_count(value: object) -> None:
    assert digest({"a": value, "b": 1}) == digest({"b": 1, "a": value})


def test_a_digest_names_its_algorithm() -> None:
    assert digest({"a": 1}) == "sha256:" + hashlib.sha256(b'{"a":1}').hexdigest()


@pytest.mark.parametrize(
    "value", [1.0, float("nan"), SAFE_INTEGER_MAX + 1, {"é": 1}, {1: 1}, {"a": [{"b": b"x"}]}]
)
def test_a_value_without_one_form_is_refused(value: object) -> None:
    with pytest.raises(ValueError, match="no canonical form"):
        canonical(value)


def test_a_lone_surrogate_is_refused() -> None:
    with pytest.raises(ValueError, match="surrogates"):
        canonical("\ud800")
