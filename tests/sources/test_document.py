"""Strict TOML and JSON: one meaning, or the code that says why not."""

import datetime
import json
import tomllib

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from mymcp.contract.strict_json import INTEGER_MAX_DIGITS, NESTING_MAX_LEVELS
from mymcp.sources import document
from mymcp.sources.refusal import SourceError

DEEP = NESTING_MAX_LEVELS


def code_of(read, data: bytes) -> str:  # type: ignore[no-untyped-def]
    with pytest.raises(SourceError) as caught:
        read(data)
    assert str(caught.value) == caught.value.code
    assert caught.value.__cause__ is None
    return caught.value.code


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("", {}),
        ("# nothing\n", {}),
        ("[memory]\r\nremember_enabled = true\r\n", {"memory": {"remember_enabled": True}}),
        ("[[plugins]]\nid = 'ä.b'\n", {"plugins": [{"id": "ä.b"}]}),
        ("a.b.c = 1\n", {"a": {"b": {"c": 1}}}),
        ("day = 2026-11-30\n", {"day": datetime.date(2026, 11, 30)}),
        ("many = [0x10, 1_000, -5, 1.5, inf]\n", {"many": [16, 1_000, -5, 1.5, float("inf")]}),
    ],
)
def test_toml_is_read_as_it_stands(text: str, value: object) -> None:
    assert document.toml(text.encode()) == value


@pytest.mark.parametrize(
    "data",
    [b"\xff", b"a = '\xe4'", b"a = '\xed\xa0\x80'", b"\xc0\x80", "a = 'ä'".encode("utf-16")],
)
def test_what_is_not_utf_8_is_told_apart_from_syntax(data: bytes) -> None:
    assert code_of(document.toml, data) == "invalid_utf8"
    assert code_of(document.json, data) == "invalid_utf8"


@pytest.mark.parametrize(
    "text",
    [
        "\ufeff[memory]",
        "[memory",
        "remember_enabled",
        "a = true\na = true",
        "[a]\n[a]",
        "a.b = 1\na.b = 2",
        "a = {b = 1, b = 2}",
        "a = True",
        "a = '\0'",
        "\0",
        'a = "\\ud800"',
        "day = 2026-13-01",
        "a = 01",
        '"',
        "'''",
        'a = """\\',
        f"a = {'9' * 5_000}",
        f"a = {'9' * (INTEGER_MAX_DIGITS + 1)}",
        f"a = [-{'9' * (INTEGER_MAX_DIGITS + 1)}]",
        f"a = 0x{'f' * INTEGER_MAX_DIGITS}",
        "a = " + "[" * 30_000,
        "a = " + "[" * 30_000 + "]" * 30_000,
        "a = " + "{a = " * 10_000,
        "a = " + "[" * DEEP + "1" + "]" * DEEP,
        "a." * DEEP + "a = 1",
        "[" + "a." * DEEP + "a]",
        "[[" + "a . " * DEEP + "a]]",
        "a = {" + "'a'.\"b\" . " * 32 + "a = 1}",
    ],
    ids=lambda text: repr(text[:20]),
)
def test_broken_or_excessive_toml_is_refused(text: str) -> None:
    assert code_of(document.toml, text.encode()) == "invalid_toml"


@pytest.mark.parametrize(
    "text",
    [
        f"a = {'9' * INTEGER_MAX_DIGITS}",
        "a = " + "[" * (DEEP - 1) + "1" + "]" * (DEEP - 1),
        "a." * (DEEP - 1) + "a = 1",
        "a = '" + "a." * 1_000 + "'",
        'a = "' + 'a.\\"' * 1_000 + '"',
        "a = '''\n" + "a.''a.\n" * 1_000 + "'''''",
        'a = """' + 'a.""a.\\"' * 1_000 + '"""""',
        "# " + "a." * 1_000 + "\na = 1 # " + "a." * 1_000,
    ],
    ids=lambda text: repr(text[:20]),
)
def test_what_keeps_to_the_bounds_is_read(text: str) -> None:
    assert document.toml(text.encode()) == tomllib.loads(text)


def test_a_long_key_is_refused_before_it_costs_anything() -> None:
    # The standard parser would take minutes for each of them.
    for key in ("a." * 2**18, "'a' . " * 2**18, 'b = """"""\n' + "a." * 2**18):
        assert code_of(document.toml, f"{key}a = 1".encode()) == "invalid_toml"


KEYS = st.text("ab-_.'\"# \\é", max_size=4)
TEXTS = st.text("ab.'\"#\\\n =[]{}é", max_size=200)
TABLES = st.recursive(
    st.booleans() | st.integers() | TEXTS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=3),
    max_leaves=8,
)


@given(st.dictionaries(KEYS, TABLES, max_size=4))
def test_every_table_is_read_back_from_its_text(tables: dict[str, object]) -> None:
    text = "".join(f"{json.dumps(key)} = {_toml(value)}\n" for key, value in tables.items())
    assert document.toml(text.encode()) == tables


def _toml(value: object) -> str:
    if isinstance(value, dict):
        inner = ", ".join(f"{json.dumps(key)} = {_toml(item)}" for key, item in value.items())
        return f"{{{inner}}}"
    if isinstance(value, list):
        return f"[{', '.join(_toml(item) for item in value)}]"
    return json.dumps(value, ensure_ascii=False)


@given(st.binary(max_size=200) | st.text("a.'\"#\\\n=[]{}1 ", max_size=200).map(str.encode))
@example(b'a = """"""""""')
def test_any_bytes_are_a_table_or_a_coded_refusal(data: bytes) -> None:
    try:
        expected: object = tomllib.loads(data.decode())
    except UnicodeDecodeError:
        expected = "invalid_utf8"
    except ValueError:
        expected = "invalid_toml"
    assert outcome(data) == expected


def outcome(data: bytes) -> object:
    try:
        return document.toml(data)
    except SourceError as error:
        return error.code


def test_json_is_read_as_it_stands() -> None:
    assert document.json(b'{"id": [1, null, "\xc3\xa4"]}') == {"id": [1, None, "ä"]}


@pytest.mark.parametrize(
    "text",
    ["", "{", "\ufeff{}", '{"a": 1, "a": 1}', "NaN", "1e999", "9" * 5_000, "[" * 30_000],
    ids=lambda text: repr(text[:20]),
)
def test_broken_or_excessive_json_is_refused(text: str) -> None:
    assert code_of(document.json, text.encode()) == "invalid_json"
