"""JSON with its places: the same values as the strict reader, and where everything stands."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from codegen.positions import NESTING_MAX_LEVELS, Problem, pointer_of, read, tokens_of
from mymcp.contract.strict_json import StrictJSONError, decode

TEXTS = st.text(st.characters(codec="utf-8"), max_size=8)
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53) + 1, 2**53 - 1) | TEXTS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXTS, inner, max_size=4),
    max_leaves=12,
)


@given(VALUES, st.sampled_from([None, 0, 2]), st.booleans())
def test_it_reads_what_the_strict_reader_reads(
    value: object, indent: int | None, ascii_only: bool
) -> None:
    data = json.dumps(value, indent=indent, ensure_ascii=ascii_only).encode()
    located = read(data)
    assert located.problems == ()
    assert json.dumps(located.value) == json.dumps(decode(data))


@given(st.binary(max_size=40) | st.text(alphabet='{}[]:,"\\u0d8 1e.-tn\n', max_size=40))
def test_it_refuses_at_least_what_the_strict_reader_refuses(data: bytes | str) -> None:
    raw = data.encode("utf-8", "surrogatepass") if isinstance(data, str) else data
    located = read(raw)
    try:
        decode(raw)
    except StrictJSONError:
        assert located.problems


@given(VALUES)
def test_every_value_has_a_line_and_a_pointer_that_leads_to_it(value: object) -> None:
    located = read(json.dumps(value, indent=1).encode())
    for pointer, line in located.lines.items():
        found = value
        for token in tokens_of(pointer):
            found = found[int(token)] if isinstance(found, list) else found[token]  # type: ignore[index]
        assert line >= 1
    assert located.lines[""] == 1


@given(st.lists(TEXTS, max_size=4))
def test_a_pointer_gives_back_its_tokens(tokens: list[str]) -> None:
    assert tokens_of(pointer_of(*tokens)) == tuple(tokens)


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        (b'{"a": 1,\n "b": {"c": 1,\n  "c": 2}}', Problem("/b/c", "duplicate", 3)),
        (b'{"a": [1, 2.5]}', Problem("/a/1", "number", 1)),
        (b'{"a": [1, 1e2]}', Problem("/a/1", "number", 1)),
        (b'{"a":\n9007199254740992}', Problem("/a", "number", 2)),
        (b'{"a": -9007199254740992}', Problem("/a", "number", 1)),
        (b'{"a": "\\udc00"}', Problem("/a", "surrogate", 1)),
        (b'{"a": 1,}', Problem("", "syntax", 1)),
        (b'{"a": [1\n 2]}', Problem("/a", "syntax", 2)),
        (b'{"a": "x\ny"}', Problem("/a", "syntax", 1)),
        (b'{"a": NaN}', Problem("/a", "syntax", 1)),
        (b'{"a": 01}', Problem("", "syntax", 1)),
        (b"{} {}", Problem("", "syntax", 1)),
        (b"", Problem("", "syntax", 1)),
        (b"\xef\xbb\xbf{}", Problem("", "encoding", 1)),
        (b'"\xff"', Problem("", "encoding", 1)),
        (
            b"[" * (NESTING_MAX_LEVELS + 1) + b"]" * (NESTING_MAX_LEVELS + 1),
            Problem("/0" * NESTING_MAX_LEVELS, "depth", 1),
        ),
    ],
)
def test_a_problem_says_where_it_is(text: bytes, problem: Problem) -> None:
    assert read(text).problems == (problem,)


def test_integers_at_the_bound_and_nesting_at_the_bound_are_read() -> None:
    assert read(b"[9007199254740991, -9007199254740991]").problems == ()
    assert read(b"[" * NESTING_MAX_LEVELS + b"]" * NESTING_MAX_LEVELS).problems == ()


def test_several_problems_are_all_told() -> None:
    kinds = [problem.kind for problem in read(b'{"a": 1.5, "a": "\\ud800", "b": 1e9}').problems]
    assert kinds == ["number", "duplicate", "surrogate", "number"]
