"""Numbers of people and of payment cards."""

import re
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate, chain, repeat

from mymcp._generated.policy import CONTENT_V1
from mymcp.plugins.mnemosyne.memory.policy.keys import Span
from mymcp.plugins.mnemosyne.memory.policy.reading import OTHER_LETTER, Reading

_CARDS = CONTENT_V1.cards
_JOINERS = frozenset(_CARDS.joiners)
"""What may stand between any two groups of a card."""
_JOINT = re.compile(f"[^0-9A-Za-z{OTHER_LETTER}]{{1,{_CARDS.gap}}}")
"""What may, the same throughout, stand between the usual groups of a card."""
_DIGITS = re.compile("([0-9]+)")
_BREAK = OTHER_LETTER
_GROUPINGS = frozenset(_CARDS.groupings)
_SHORTEST = min(length for issuer in _CARDS.issuers for length in issuer.lengths)
_FROM_OTHER = re.compile(
    f"[{OTHER_LETTER}](?=[^0-9A-Za-z{OTHER_LETTER}]{{0,{_CARDS.gap}}}[0-9])"
    f"([^A-Za-z{OTHER_LETTER}]{{{_SHORTEST},}}+)"
)
"""All from what is not ASCII to the next letter, if a digit is near: the point of a fraction or the
joint of single digits may lie between."""
_SINGLES = re.compile(
    rf"(?<![0-9])[0-9]([^0-9A-Za-z{OTHER_LETTER}]{{1,{_CARDS.gap}}})[0-9](?![0-9])"
    rf"(?:\1[0-9](?![0-9])){{{_SHORTEST - 2},}}+"
)
"""A whole run of single digits with one joint throughout."""
_VALUES = bytes.maketrans(b"0123456789", bytes(range(10)))
_DOUBLED = bytes.maketrans(bytes(range(10)), bytes((0, 2, 4, 6, 8, 1, 3, 5, 7, 9)))
_IDENTIFIER = re.compile(
    "-".join(f"([0-9]{{{length}}})" for length in CONTENT_V1.identifiers.groups) + "(?!-?[0-9])"
)


def _lengths_by_beginning() -> dict[str, tuple[int, ...]]:
    """Return the lengths of cards for each of the first digits that a card may have."""
    size = max(len(first) for issuer in _CARDS.issuers for first, _ in issuer.ranges)
    found: dict[str, tuple[int, ...]] = {}
    for issuer in _CARDS.issuers:
        lengths = tuple(sorted(issuer.lengths))
        for first, last in issuer.ranges:
            for value in range(int(first.ljust(size, "0")), int(last.ljust(size, "9")) + 1):
                beginning = f"{value:0{size}}"
                known = found.setdefault(beginning, lengths)
                if known is not lengths:
                    found[beginning] = tuple(sorted({*known, *lengths}))
    return found


_LENGTHS_OF = _lengths_by_beginning()
_BEGINNING_DIGITS = len(next(iter(_LENGTHS_OF)))


def government_identifier(reading: Reading) -> Span | None:
    """Find a social security number of a kind that is issued."""
    if not reading.numeric or "-" not in reading.text:
        return None
    for found in _IDENTIFIER.finditer(reading.text):
        start = found.start()
        if (start == 0 or not reading.text[start - 1].isdigit()) and _is_issued(found.groups()):
            return found.span()
    return None


def payment_card(reading: Reading) -> Span | None:
    """Find a payment card: whole, in its usual groups, or one digit after the other."""
    if not reading.numeric:
        return None
    text = _beside_others(reading.text) if reading.is_folded_too else reading.text
    parts = _DIGITS.split(text)
    digits, joints = parts[1::2], parts[2:-1:2]
    lengths = list(map(len, digits))
    card = _Groups(digits, joints, [*accumulate(lengths, initial=0)]).card()
    if card is not None:
        places = [match.span() for match in _DIGITS.finditer(text)]
        return places[card[0]][0], places[card[1] - 1][1]
    return _single_digits(text) if lengths.count(1) >= _SHORTEST else None


def _beside_others(text: str) -> str:
    """Return `text` with breaks for all but what lies beside a character that is not ASCII.

    Folding that one can change a number; all others are the same in the folded text, where they
    are looked at. Of what is there several times, the first is kept.
    """
    size = len(text)
    spans = {found.span(1) for found in _FROM_OTHER.finditer(text)}
    spans.update((size - m.end(1), size - m.start(1)) for m in _FROM_OTHER.finditer(text[::-1]))
    kept: dict[str, str] = {}
    last = 0
    for start, end in sorted(spans):
        part = text[start:end]
        if part not in kept:
            kept[part] = _BREAK * (start - last)
            last = end
    return "".join(before + part for part, before in kept.items())


def _is_issued(groups: Sequence[str]) -> bool:
    excluded = zip(groups, CONTENT_V1.identifiers.excluded, strict=True)
    return not any(first <= group <= last for group, ranges in excluded for first, last in ranges)


@dataclass(frozen=True, slots=True)
class _Groups:
    """All digits of a text, in groups, with what stands between each and the next.

    `counts` says how many digits there are before each group and, at last, in all.
    """

    digits: Sequence[str]
    joints: Sequence[str]
    counts: Sequence[int]

    def card(self) -> tuple[int, int] | None:
        """Return the first group of a card and the one after its last."""
        digits = "".join(self.digits)
        windows = self._windows(digits)
        even, odd = _luhn_sums(digits) if windows else ((), ())
        for first, start, stop in windows:
            sums = odd if stop % 2 else even
            if (sums[stop] - sums[start]) % 10:
                continue
            end = bisect_left(self.counts, stop)
            if self._are_set(first, end) and _is_no_other_number(digits[start:stop]):
                return first, end
        return None

    def _windows(self, digits: str) -> list[tuple[int, int, int]]:
        """Return first groups with the counts between which lies what could be a card.

        It begins as one does and is as long, in so few groups.
        """
        known = frozenset(self.counts)
        reached = chain(self.counts[_CARDS.groups :], repeat(self.counts[-1]))
        bounds = zip(self.counts, reached, strict=False)
        return [
            (first, start, start + length)
            for first, (start, most) in enumerate(bounds)
            if most - start >= _SHORTEST
            for length in _LENGTHS_OF.get(digits[start : start + _BEGINNING_DIGITS], ())
            if start + length in known and start + length <= most
        ]

    def _are_set(self, first: int, end: int) -> bool:
        """Tell whether these groups are set as those of one card."""
        joints = self.joints[first : end - 1]
        if not joints:
            return first == 0 or self.joints[first - 1] != "."  # or it is a fraction
        return _JOINERS.issuperset(joints) or (
            joints.count(joints[0]) == len(joints)
            and tuple(map(len, self.digits[first:end])) in _GROUPINGS
            and _JOINT.fullmatch(joints[0]) is not None
        )


def _luhn_sums(digits: str) -> tuple[Sequence[int], Sequence[int]]:
    """Return the sums up to each digit with every second one doubled: from the first, the next.

    So the check of Luhn costs the same for any digits in a row.
    """
    values = digits.encode("ascii").translate(_VALUES)
    return _sums(values, 0), _sums(values, 1)


def _sums(values: bytes, first: int) -> tuple[int, ...]:
    """Return the sums of `values` up to each, every second one from `first` on doubled."""
    mixed = bytearray(values)
    mixed[first::2] = values.translate(_DOUBLED)[first::2]
    return tuple(accumulate(mixed, initial=0))


def _single_digits(text: str) -> Span | None:
    """Find a card whose digits stand one after the other; all in such a run must be its own."""
    for found in _SINGLES.finditer(text):
        digits = "".join(filter(str.isdigit, found[0]))
        lengths = _LENGTHS_OF.get(digits[:_BEGINNING_DIGITS], ())
        if len(digits) in lengths and _passes_luhn(digits) and _is_no_other_number(digits):
            return found.span()
    return None


def _is_no_other_number(digits: str) -> bool:
    """Tell whether `digits`, which could be a card's, are no filler and no number of goods."""
    return digits.count(digits[0]) != len(digits) and not (
        len(digits) in _CARDS.retail and _passes_gtin(digits)
    )


def _passes_luhn(digits: str) -> bool:
    values = digits.encode("ascii").translate(_VALUES)
    return (sum(values[-1::-2]) + sum(values[-2::-2].translate(_DOUBLED))) % 10 == 0


def _passes_gtin(digits: str) -> bool:
    """Tell whether the last digit is the check digit of a number of goods."""
    values = digits.encode("ascii").translate(_VALUES)
    return (sum(values[-1::-2]) + 3 * sum(values[-2::-2])) % 10 == 0
