"""Constructs of regular expressions, told apart."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mymcp.schema.patterns import parts_of

KINDS = [
    ("^$", set()),
    ("^a$", {"literal"}),
    ("a", {"unanchored", "literal"}),
    ("^a", {"unanchored", "literal"}),
    ("a$", {"unanchored", "literal"}),
    (r"^a\$", {"unanchored", "literal", "escape"}),
    (r"^a\\$", {"literal", "escaped_backslash"}),
    ("", {"unanchored"}),
    ("^", {"unanchored"}),
    ("$", {"unanchored"}),
    ("^[a-z0-9_-]{1,64}$", {"class", "literal", "range", "counted"}),
    ("^[^a]$", {"negated_class", "literal"}),
    ("^[a^]$", {"class", "literal"}),
    ("^[_a-]$", {"class", "literal"}),
    ("^[-a]$", {"class", "class_hyphen", "literal"}),
    ("^[a-c-e]$", {"class", "range", "class_hyphen", "literal"}),
    ("^[z-a]$", {"class", "broken", "literal"}),
    ("^[[a]$", {"class", "class_set", "literal"}),
    ("^[a&&b]$", {"class", "class_set", "literal"}),
    (r"^[\]\-]$", {"class", "class_escape"}),
    (r"^[\d]$", {"class", "shorthand"}),
    ("^[]a]$", {"class", "literal", "broken"}),
    ("^[a$", {"class", "literal", "broken"}),
    ("^(a|b)$", {"group", "literal", "alternation"}),
    ("^a|b$", {"bare_alternation", "literal"}),
    ("^(?:a)$", {"group_extension", "literal"}),
    ("^(a$", {"group", "literal", "broken"}),
    ("^a)$", {"literal", "broken"}),
    ("^a?b*c+$", {"literal", "quantifier"}),
    ("^a+?$", {"literal", "quantifier", "stacked_quantifier"}),
    ("^a{2}{3}$", {"literal", "counted", "broken"}),
    ("^*$", {"broken"}),
    ("^(*a)$", {"group", "broken", "literal"}),
    ("^a{3,2}$", {"literal", "broken"}),
    ("^a{,3}$", {"literal", "broken"}),
    (r"^\d\w\S$", {"shorthand"}),
    (r"^\ba\B$", {"boundary", "literal"}),
    (r"^\p{L}\P{Lu}\pL$", {"property"}),
    (r"^(a)\1$", {"group", "literal", "backreference"}),
    (r"^A\u00e9$", {"code_point", "literal"}),
    (r"^\n\t$", {"control_escape"}),
    (r"^a\/b\-$", {"literal", "other_escape"}),
    ("^.$", {"dot"}),
    ("^a^b$c$", {"literal", "anchor_inside"}),
    ('^"$', {"quote"}),
    ("^é$", {"non_ascii"}),
    ("^\n$", {"control"}),
    ("^[+--]$", {"class", "literal", "class_hyphen"}),
    (r"^[+-\-]$", {"class", "literal", "class_escape", "range"}),
    ("^a\\", {"unanchored", "literal", "broken"}),
]


@pytest.mark.parametrize(("pattern", "kinds"), KINDS)
def test_constructs_are_named(pattern: str, kinds: set[str]) -> None:
    assert {part.kind for part in parts_of(pattern)} == kinds


def test_a_counted_repetition_says_its_largest_count() -> None:
    bounds = [part.bound for part in parts_of("^a{7}b{2,9}c{3,}$") if part.kind == "counted"]
    assert bounds == [7, 9, 3]


@given(st.text(alphabet='^$ab0-[](){}|\\?*+.,&~u<:=!"é\n', max_size=24))
def test_no_pattern_can_crash_it_and_what_it_takes_for_whole_python_compiles(pattern: str) -> None:
    kinds = {part.kind for part in parts_of(pattern)}
    simple = {"literal", "class", "negated_class", "range", "group", "alternation", "escape"}
    if kinds <= simple | {"quantifier", "counted"}:
        re.compile(pattern)


@given(st.text(alphabet="^$ab-[](){}|\\?*+.", max_size=16))
def test_the_parts_of_a_pattern_come_in_order(pattern: str) -> None:
    places = [part.at for part in parts_of(pattern) if part.kind not in ("unanchored", "range")]
    assert all(0 <= place <= len(pattern) for place in places)
