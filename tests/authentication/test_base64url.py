"""Base64url: one spelling for each byte string, and every other is refused."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mymcp.authentication.base64url import decoded, encoded


@given(st.binary(min_size=1, max_size=100))
def test_what_is_encoded_is_decoded(data: bytes) -> None:
    assert decoded(encoded(data)) == data


@given(st.text(alphabet="AQgwZz09-_+/= \n\u00e9", max_size=8))
def test_no_other_spelling_is_decoded(text: str) -> None:
    data = decoded(text)
    assert data is None or encoded(data) == text


@pytest.mark.parametrize(
    "text",
    [
        "",
        "A",
        "AB",
        "AAB",
        "AA==",
        "AA=",
        "AAA=",
        "A A",
        "AA\n",
        "+A",
        "/A",
        "++++",
        "A\u00e9",
        "\ud800",
    ],
)
def test_a_spelling_that_is_not_canonical_is_none(text: str) -> None:
    assert decoded(text) is None
