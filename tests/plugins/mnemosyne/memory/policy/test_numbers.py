"""Cards and identifiers, judged by a second, slow and plain implementation."""

import re

from hypothesis import given
from hypothesis import strategies as st

from mymcp.plugins.mnemosyne.memory.policy.numbers import government_identifier, payment_card
from mymcp.plugins.mnemosyne.memory.policy.reading import Reading, readings_of
from tests.plugins.mnemosyne.memory.policy.formulas import CONTRACT

CARDS = CONTRACT["cards"]
JOINTS = st.sampled_from([" ", "-", ".", "  ", ", ", " and ", "\n", "_", " - "])
GROUPS = st.one_of(
    st.text("0123456789", min_size=1, max_size=5),
    st.sampled_from(["4111", "1111", "4000", "37", "36", "4" + 15 * "1", "62"]),
)


def luhn(digits: str) -> bool:
    total = 0
    for place, digit in enumerate(map(int, reversed(digits))):
        total += digit if place % 2 == 0 else sum(divmod(2 * digit, 10))
    return total % 10 == 0


def of_an_issuer(digits: str) -> bool:
    return any(
        len(digits) in issuer["lengths"] and first <= digits[: len(first)] <= last
        for issuer in CARDS["issuers"]
        for first, last in issuer["ranges"]
    )


def is_of_goods(digits: str) -> bool:
    weighed = (int(d) * (3 if place % 2 else 1) for place, d in enumerate(reversed(digits)))
    return len(digits) in CARDS["retail"] and sum(weighed) % 10 == 0


def has_card(text: str) -> bool:
    """Try every run of groups, by the letter of the contract."""
    pieces = re.split("([0-9]+)", text)
    groups, gaps = pieces[1::2], pieces[2::2]
    for first in range(len(groups)):
        for end in range(first + 1, len(groups) + 1):
            run, joints = groups[first:end], gaps[first : end - 1]
            digits = "".join(run)
            if luhn(digits) and of_an_issuer(digits) and not is_of_goods(digits):
                before, after = pieces[2 * first], gaps[end - 1]
                whole = first > 0 and before == "." and len(run) == 1
                if len(set(digits)) > 1 and not whole and usual(run, joints, before, after, pieces):
                    return True
    return False


def usual(run: list[str], joints: list[str], before: str, after: str, pieces: list[str]) -> bool:
    if not all(re.fullmatch(r"[^0-9A-Za-z?]{1,3}", joint) for joint in joints):
        return False
    if len(run) <= CARDS["groups"]:
        plain = all(joint in (" ", "-") for joint in joints)
        return plain or (len(set(joints)) == 1 and [len(g) for g in run] in CARDS["groupings"])
    if len(set(joints)) > 1 or any(len(group) > 1 for group in run):
        return False
    joint, text = re.escape(joints[0]), "".join(pieces)
    digits = joint.join(run)
    return re.search(
        rf"(?<![0-9]){digits}(?!{joint}[0-9](?![0-9]))(?![0-9])", text
    ) is not None and (re.search(rf"(?<![0-9])[0-9]{joint}{digits}(?![0-9])", text) is None)


@given(st.lists(st.tuples(GROUPS, JOINTS), max_size=20))
def test_cards_are_found_where_trying_every_run_of_groups_finds_them(
    parts: list[tuple[str, str]],
) -> None:
    text = "".join(group + joint for group, joint in parts)
    assert (payment_card(Reading(text)) is not None) == has_card(text)


OTHERS = st.sampled_from(
    ["\uff14", "\u0661", "\u2469", "\u200b", "\u00e9", "\u2013", "\u00a0", "."]
)


@given(st.lists(st.tuples(GROUPS, JOINTS | OTHERS, OTHERS | st.just("")), max_size=12))
def test_two_readings_of_a_text_have_the_cards_that_each_has_alone(
    parts: list[tuple[str, str, str]],
) -> None:
    """What the first leaves to the second is there."""
    found = readings_of("".join(map("".join, parts)))
    alone = [Reading(reading.text) for reading in found]
    assert any(map(payment_card, found)) == any(map(payment_card, alone))


@given(st.text("0123456789", min_size=13, max_size=19))
def test_a_number_alone_is_a_card_by_issuer_length_and_check_digit(digits: str) -> None:
    found = payment_card(Reading(f"no. {digits}, thanks"))
    assert (found == (4, 4 + len(digits))) == has_card(digits)


@given(st.integers(0, 999), st.integers(0, 99), st.integers(0, 9999))
def test_a_number_of_a_person_is_found_if_its_kind_is_issued(
    area: int, group: int, no: int
) -> None:
    issued = area not in (0, 666) and area < 900 and group != 0 and no != 0
    found = government_identifier(Reading(f"{area:03}-{group:02}-{no:04}"))
    assert (found is not None) == issued


def test_no_millisecond_of_this_century_is_a_card() -> None:
    """W5: times begin with 1 until 2033 and with 2 after; no issuer has such a beginning there."""
    assert not any(
        payment_card(Reading(str(time))) for time in range(1, 4_000_000_000_000, 999_999_937)
    )
