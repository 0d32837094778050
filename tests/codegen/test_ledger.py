"""The chain of entries: what may be appended, and how a lost or changed past shows."""

import json
from dataclasses import replace

import pytest

from codegen import ledger
from codegen.ledger import Entry, LedgerError, State
from codegen.states import states
from tests.codegen.kitchen import small_compilation

STATE = State(
    capability="weigh",
    source="contracts/tools/kitchen/weigh.json",
    version="1.0.0",
    contract="sha256:aa",
    published="sha256:bb",
    fields=(("bread", "required object"),),
)


def accepted(*states_: State) -> tuple[Entry, ...]:
    entries: tuple[Entry, ...] = ()
    for number, state in enumerate(states_):
        entries = ledger.appended(entries, state, f"reason {number}", since="0.1.0")
    return entries


def bumped(version: str, contract: str) -> State:
    return replace(STATE, version=version, contract=contract)


THREE = accepted(STATE, bumped("1.1.0", "sha256:a2"), bumped("2.0.0", "sha256:a3"))


def test_an_entry_records_the_state_the_reason_and_the_entry_before() -> None:
    first, second, _ = THREE
    assert (first.version, first.contract, first.published) == ("1.0.0", "sha256:aa", "sha256:bb")
    assert (first.since, first.reason, first.previous) == ("0.1.0", "reason 0", None)
    assert second.previous is not None
    assert ledger.broken_at(THREE) is None


def test_a_file_reads_back_as_it_was_written() -> None:
    whole = replace(STATE, contract=f"sha256:{'a' * 64}", published=f"sha256:{'b' * 64}")
    entries = accepted(whole, replace(whole, version="1.1.0", published=None))
    content = ledger.dump(entries)
    assert ledger.parse(json.loads(content)) == entries
    assert list(json.loads(content)[0]) == [
        "version", "since", "published", "contract", "fields", "reason", "previous",
    ]  # fmt: skip


def test_an_unchanged_capability_is_not_accepted() -> None:
    with pytest.raises(LedgerError, match=r"nothing changed since 1\.0\.0"):
        ledger.appended(accepted(STATE), STATE, "again", since=None)


def test_a_bare_bump_is_no_change() -> None:
    with pytest.raises(LedgerError, match="nothing changed"):
        ledger.appended(accepted(STATE), replace(STATE, version="1.1.0"), "bump", since=None)


@pytest.mark.parametrize("version", ["1.0.0", "0.9.0", "1.0.0-rc.1", "1.0.0+build"])
def test_a_version_that_is_not_higher_is_not_accepted(version: str) -> None:
    with pytest.raises(LedgerError, match=r"not higher than the accepted 1\.0\.0; raise it"):
        ledger.appended(accepted(STATE), bumped(version, "sha256:a2"), "why", since=None)


@pytest.mark.parametrize("reason", ["", "  ", "two\nlines", "bell\a", "x" * 1001])
def test_a_reason_is_one_line_that_says_something(reason: str) -> None:
    with pytest.raises(LedgerError, match="reason"):
        ledger.appended((), STATE, reason, since=None)


def test_nothing_is_appended_to_a_broken_chain() -> None:
    broken = (replace(THREE[0], reason="another"), *THREE[1:])
    with pytest.raises(LedgerError, match=r"before 1\.1\.0 was altered"):
        ledger.appended(broken, bumped("3.0.0", "sha256:a4"), "why", since=None)


def test_the_order_of_fields_counts_though_a_digest_cannot_see_it() -> None:
    two = (("a", "required string"), ("b", "required string"))
    before = replace(STATE, fields=two)
    after = replace(STATE, fields=two[::-1], version="1.0.1")
    assert ledger.appended(accepted(before), after, "order", since=None)[-1].version == "1.0.1"


def test_a_format_counts_up_its_accepted_changes() -> None:
    state = replace(STATE, version="2", published=None, formats=True)
    entries = accepted(state, replace(state, contract="sha256:a2"))
    assert [entry.version for entry in entries] == ["2.0.0", "2.1.0"]


@pytest.mark.parametrize(
    ("entries", "problem"),
    [
        (None, "the ledger was removed"),
        ((), "the ledger entry 1.0.0 was removed"),
        (THREE[:2], "the ledger entry 2.0.0 was removed"),
        (THREE[1:], "the ledger entry 1.0.0 was removed"),
        ((THREE[0], THREE[2]), "the ledger entry 1.1.0 was removed"),
        ((*THREE[:2], replace(THREE[2], reason="x")), "the ledger entry 2.0.0 was altered"),
        ((replace(THREE[0], since=None), *THREE[1:]), "the ledger entry 1.0.0 was altered"),
        ((THREE[1], THREE[0], THREE[2]), "the ledger entries changed their order"),
    ],
)
def test_what_the_copy_pinned_must_still_be_there(
    entries: tuple[Entry, ...] | None, problem: str
) -> None:
    finding = ledger.rewritten("weigh", entries, THREE)
    assert finding is not None
    assert finding.problem == problem
    assert finding.diff
    assert "contracts/ledger/weigh.json" in finding.remedy
    assert "\n" not in finding.remedy


def test_a_ledger_that_only_grew_is_fine() -> None:
    assert ledger.rewritten("weigh", THREE, THREE[:2]) is None
    assert ledger.rewritten("weigh", THREE, ()) is None


@pytest.mark.parametrize(
    "entries",
    [
        (replace(THREE[0], reason="x"), *THREE[1:]),
        THREE[1:],
        (THREE[0], THREE[0]),
    ],
)
def test_a_past_that_was_changed_together_with_its_copy_breaks_the_chain(
    entries: tuple[Entry, ...],
) -> None:
    finding = ledger.rewritten("weigh", entries, entries)
    assert finding is not None
    assert "version control" in finding.remedy


def test_the_accepted_state_gives_no_finding() -> None:
    assert ledger.unaccepted(accepted(STATE), STATE) is None


@pytest.mark.parametrize(
    ("state", "problem", "remedy"),
    [
        (
            bumped("1.0.0", "sha256:a2"),
            "weigh changed without a version higher than 1.0.0",
            'raise "version" in contracts/tools/kitchen/weigh.json, then: '
            'python -m codegen accept weigh --reason "..."',
        ),
        (
            bumped("1.1.0", "sha256:a2"),
            "weigh changed since 1.0.0 and is not accepted",
            'record it: python -m codegen accept weigh --reason "..."',
        ),
        (
            bumped("1.1.0", "sha256:aa"),
            "version 1.1.0 of weigh has no change to record",
            'set "version" back to 1.0.0',
        ),
    ],
)
def test_what_is_not_accepted_says_what_to_do(state: State, problem: str, remedy: str) -> None:
    finding = ledger.unaccepted(accepted(STATE), state)
    assert finding is not None
    assert (finding.subject, finding.problem) == (STATE.source, problem)
    assert finding.remedy == remedy
    assert ("sha256:a2" in finding.diff) == (state.contract == "sha256:a2")


def test_a_capability_without_ledger_is_not_accepted() -> None:
    finding = ledger.unaccepted((), STATE)
    assert finding is not None
    assert finding.problem == "weigh 1.0.0 has no ledger"


@pytest.mark.parametrize(
    "value",
    [
        None,
        {},
        [{}],
        ["x"],
        [{**THREE[0].as_json(), "more": 1}],
        [{**THREE[0].as_json(), "version": 1}],
        [{**THREE[0].as_json(), "fields": [["a"]]}],
        [{**THREE[0].as_json(), "fields": {"a": "b"}}],
    ],
)
def test_another_shape_is_no_ledger(value: object) -> None:
    with pytest.raises(LedgerError):
        ledger.parse(value)


def test_every_tool_format_and_plugin_has_a_state() -> None:
    found = {state.capability: state for state in states(small_compilation())}
    assert list(found) == [
        "ping_kitchen",
        "weigh",
        "slice_bread",
        "config-oven-v1",
        "config-pantry",
        "credential-lock-v1",
        "manifest-plugin-v1",
        "record-order-v1",
        "plugin-kitchen",
    ]
    assert found["plugin-kitchen"].fields == (("weigh", "1.0.0"), ("slice_bread", "2.1.0"))
    assert found["weigh"].fields == (
        ("bread", "required union[2]"),
        ("bread(1).form", "required integer const 1"),
        ("bread(1).grain", "required string enum[2]"),
        ("bread(2).form", "required integer const 2"),
        ("bread(2).seeds", "required boolean"),
        ("unit", "optional string enum[2]"),
        ("note", "optional string 1..40 or null"),
        ("result.status", "required string enum[1]"),
        ("result.weights", "required array of integer 0..9000"),
    )


def test_a_shared_definition_changes_every_capability_that_uses_it() -> None:
    def change(content: dict[str, dict[str, dict[str, object]]]) -> None:
        content["$defs"]["Label"]["maxLength"] = 41

    before = {state.capability: state for state in states(small_compilation())}
    after = {state.capability: state for state in states(small_compilation(bread=change))}
    changed = {name for name in before if before[name].contract != after[name].contract}
    assert changed == {"weigh", "slice_bread"}


def test_a_version_of_a_tool_changes_its_plugin_and_not_its_own_digest() -> None:
    def change(content: dict[str, object]) -> None:
        content["version"] = "1.0.1"

    before = {state.capability: state for state in states(small_compilation())}
    after = {state.capability: state for state in states(small_compilation(weigh=change))}
    assert before["weigh"].contract == after["weigh"].contract
    assert before["plugin-kitchen"].contract != after["plugin-kitchen"].contract
