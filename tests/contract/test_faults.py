import pytest

from mymcp.contract.faults import Condition, DeclaredError, Fault, first_declared

MISSING = Fault(("a",), "missing")
UNKNOWN = Fault(("z",), "unknown")
WRONG = Fault(("a",), "invalid")
BELOW = Fault(("a", "b"), "invalid")
BELOW_MISSING = Fault(("a", "b"), "missing")
BELOW_UNKNOWN = Fault(("a", "z"), "unknown")
DEEP = Fault(("a", "b", "c"), "invalid")
RULE = Fault(("a",), "rule", "alone")
ROOT = Fault((), "invalid")


@pytest.mark.parametrize(
    ("condition", "matched"),
    [
        (Condition("missing", ("a",)), {MISSING}),
        (Condition("unknown"), {UNKNOWN}),
        (Condition("unknown", ("a",)), {BELOW_UNKNOWN}),
        (Condition("shape"), {MISSING, UNKNOWN, ROOT}),
        (Condition("shape", ("a",)), {WRONG, BELOW_MISSING, BELOW_UNKNOWN}),
        (Condition("invalid", ("a",)), {WRONG, BELOW, BELOW_MISSING, BELOW_UNKNOWN, DEEP}),
        (Condition("invalid", ("a", "b")), {BELOW, DEEP}),
        (Condition("rule", rule="alone"), {RULE}),
        (Condition("rule", rule="other"), set()),
    ],
)
def test_a_condition_matches_exactly_the_faults_it_means(
    condition: Condition, matched: set[Fault]
) -> None:
    faults = {
        MISSING, UNKNOWN, WRONG, BELOW, BELOW_MISSING, BELOW_UNKNOWN, DEEP, RULE, ROOT,
    }  # fmt: skip
    assert {fault for fault in faults if condition.matches(fault)} == matched


def declared(code: str, *when: Condition, field: str | None = None) -> DeclaredError:
    return DeclaredError(code, "invalid_request", "Mend it.", field=field, when=when)


def test_the_first_declared_error_wins_over_the_first_fault() -> None:
    errors = (declared("one", Condition("missing", ("b",))), declared("two", Condition("unknown")))
    found = first_declared(errors, [UNKNOWN, Fault(("b",), "missing")])
    assert found is not None
    assert found[0].code == "one"


def test_among_faults_of_one_entry_the_first_in_contract_order_wins() -> None:
    errors = (declared("one", Condition("invalid", ("a",)), field="a.*"),)
    found = first_declared(errors, [BELOW, Fault(("a", "c"), "invalid")])
    assert found is not None
    assert found[0].field_of(found[1]) == "a.b"


def test_a_fault_that_nothing_declares_is_told_apart() -> None:
    assert first_declared((declared("one", Condition("unknown")),), [MISSING]) is None


@pytest.mark.parametrize(
    ("field", "fault", "expected"),
    [
        (None, BELOW, None),
        ("memory", BELOW, "memory"),
        ("a.*", WRONG, "a"),
        ("a.*", BELOW, "a.b"),
        ("a.*", DEEP, "a.b"),
    ],
)
def test_a_field_is_named_as_the_entry_says(
    field: str | None, fault: Fault, expected: str | None
) -> None:
    assert declared("one", field=field).field_of(fault) == expected
