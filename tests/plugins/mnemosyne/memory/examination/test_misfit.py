"""What the doctor says about a file that is no record: where, and nothing of what stands there."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mymcp.plugins.mnemosyne.memory.examination.misfit import misfit
from mymcp.plugins.mnemosyne.memory.records import UnusableRecord, parse
from tests.plugins.mnemosyne.tree import canonical, legacy

SECRET = "hunter2hunter2"


@pytest.mark.parametrize(
    ("record", "told"),
    [
        (canonical(1, title=7), "title is not as it must be"),
        (canonical(1, tags=["one", ""]), "tags#2 is not as it must be"),
        (canonical(1, tags=["one", "one"]), "tags is not as it must be"),
        (canonical(1, lifecycle={"state": "active"}), "lifecycle.revision is missing"),
        (canonical(1) | {SECRET: 1}, "unknown member in the record"),
        (
            canonical(1, lifecycle={"state": "active", "revision": 1, SECRET: 1}),
            "unknown member in lifecycle",
        ),
        (canonical(1, schema_version=3), "schema_version is not as it must be"),
        (
            canonical(1, updated_at="2001-01-01T00:00:00Z", created_at="2002-01-01T00:00:00Z"),
            "updated_at is before created_at",
        ),
        (legacy(content=""), "content is not as it must be"),
        ([SECRET], "no object"),
    ],
)
def test_member_at_fault_is_named(record: Any, told: str) -> None:
    data = json.dumps(record).encode()
    with pytest.raises(UnusableRecord):
        parse(data)
    assert misfit(data) == told


def test_rule_between_members_is_named() -> None:
    event = canonical(1, kind="event")
    event.pop("occurred_at", None)
    assert misfit(json.dumps(event).encode()).startswith("rule ")


@pytest.mark.parametrize(
    ("data", "told"),
    [
        (b'{\n  "a": 1\n  "b": 2\n}', "near line 3"),
        (b'{"a": 1, "a": 2}', "a member stands twice"),
        (b"\xef\xbb\xbf{}", "byte order mark"),
        (b"[" * 60 + b"]" * 60, "too many levels"),
        (b'{"a": NaN}', "a number out of bounds"),
        (b"\0{}", "near line 1"),
        (b'{"a": ' + b"1" * 5_000 + b"} x", "a number out of bounds"),
    ],
)
def test_place_in_broken_json_is_a_line_or_what_is_not_allowed(data: bytes, told: str) -> None:
    assert misfit(data) == told


@given(
    st.text().map(str.encode)
    | st.dictionaries(st.text(), st.text()).map(json.dumps).map(str.encode)
)
def test_whatever_is_no_record_is_told_about_in_our_own_words(data: bytes) -> None:
    marked = data.replace(b"a", SECRET.encode())
    assert SECRET not in misfit(marked)
