import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mymcp.contract.strict_json import (
    INTEGER_MAX_DIGITS,
    NESTING_MAX_LEVELS,
    VALUES_MAX,
    StrictJSONError,
    decode,
    decode_text,
    encode,
)

values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(st.characters(exclude_categories=("Cs",))),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(st.text(st.characters(exclude_categories=("Cs",))), inner, max_size=4)
    ),
    max_leaves=12,
)


@given(values)
def test_what_is_encoded_is_decoded_unchanged(value: object) -> None:
    assert decode(encode(value).encode()) == value


@given(st.binary(max_size=64))
def test_bytes_are_decoded_as_the_standard_library_does_or_refused(data: bytes) -> None:
    try:
        value = decode(data)
    except StrictJSONError:
        return
    assert value == json.loads(data)


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"", "syntax"),
        (b"{", "syntax"),
        (b"{'a':1}", "syntax"),
        (b"[1,]", "syntax"),
        (b"1 2", "syntax"),
        (b"\xff", "encoding"),
        (b"\xef\xbb\xbf{}", "encoding"),
        ("{}".encode("utf-16"), "encoding"),
        (b'{"a":1,"a":1}', "duplicate"),
        (b'[{"b":{"a":1,"a":2}}]', "duplicate"),
        (b'{"a":1,"\\u0061":2}', "duplicate"),
        (b"NaN", "number"),
        (b"[-Infinity]", "number"),
        (b"1e999", "number"),
        (b"1" * (INTEGER_MAX_DIGITS + 1), "number"),
        (b"1" * 5_000, "number"),
        (b"[" * 10_000, "depth"),
        (b"[" * 10_000 + b"]" * 10_000, "depth"),
        (b'{"a":' * 3_000 + b"1" + b"}" * 3_000, "depth"),
    ],
)
def test_a_trap_is_refused_with_its_reason(data: bytes, reason: str) -> None:
    with pytest.raises(StrictJSONError) as refusal:
        decode(data)
    assert refusal.value.reason == reason


def test_nesting_is_counted_in_levels_of_containers() -> None:
    deepest = "[" * NESTING_MAX_LEVELS + "]" * NESTING_MAX_LEVELS
    assert decode_text(deepest) is not None
    with pytest.raises(StrictJSONError, match="depth"):
        decode_text(f"[{deepest}]")
    assert decode_text("[" + "[]," * 200 + "[]]") == [[]] * 201


def test_brackets_inside_text_do_not_count_as_nesting() -> None:
    assert decode_text(encode("[" * 500)) == "[" * 500


def test_an_integer_of_the_longest_length_is_exact() -> None:
    assert decode(b"9" * INTEGER_MAX_DIGITS) == 10**INTEGER_MAX_DIGITS - 1


@pytest.mark.parametrize("text", ["[@]", '{"a":[@]}', "[[@]]"])
def test_values_are_counted_at_all_levels(text: str) -> None:
    assert decode_text(text.replace("@", ",".join(["0"] * (VALUES_MAX - 10)))) is not None
    with pytest.raises(StrictJSONError, match="count"):
        decode_text(text.replace("@", ",".join(["[]"] * VALUES_MAX)))


def test_commas_and_brackets_inside_text_do_not_count_as_values() -> None:
    text = ',[{"\\' * VALUES_MAX
    assert decode_text(encode([text, text])) == [text, text]
    with pytest.raises(StrictJSONError):
        decode_text(encode([text])[:-2])


def test_a_lone_surrogate_is_left_to_the_reader_of_the_field() -> None:
    assert decode(b'"\\ud800"') == "\ud800"


def test_a_refusal_names_nothing_that_stood_in_the_text() -> None:
    with pytest.raises(StrictJSONError) as refusal:
        decode(b'{"password":1,"password":2}')
    assert "password" not in str(refusal.value)
    assert refusal.value.__cause__ is None
