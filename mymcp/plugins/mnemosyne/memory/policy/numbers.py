"""Numbers of people and of payment cards."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate, chain, repeat

from mymcp._generated.policy import CONTENT_V1
from mymcp.plugins.mnemosyne.memory.policy.keys import Span
from mymcp.plugins.mnemosyne.memory.policy.reading import OTHER_LETTER, Reading

_CARDS = CONTENT_V1.cards
_JOINT = re.compile(f"[^0-9A-Za-z{OTHER_LETTER}]{{1,{_CARDS.gap}}}")
"""What may stand between two groups of a card."""
_DIGITS = re.compile("([0-9]+)")
_GROUPINGS = frozenset(_CARDS.groupings)
_LENGTHS = frozenset(length for issuer in _CARDS.issuers for length in issuer.lengths)
_SHORTEST, _LONGEST = min(_LENGTHS), max(_LENGTHS)
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


def _beginnings() -> dict[int, tuple[frozenset[str], ...]]:
    """Return, for each length of a card, the first digits that it may have."""
    return {
        length: tuple(
            frozenset(
                f"{value:0{size}}"
                for issuer in _CARDS.issuers
                if length in issuer.lengths
                for first, last in issuer.ranges
                if len(first) == size
                for value in range(int(first), int(last) + 1)
            )
            for size in range(1, _BEGINNING_MAX_DIGITS + 1)
        )
        for length in _LENGTHS
    }


_BEGINNING_MAX_DIGITS = max(len(first) for issuer in _CARDS.issuers for first, _ in issuer.ranges)
_BEGINNINGS = _beginnings()
_FIRST_DIGITS = frozenset(
    beginning[:size]
    for sizes in _BEGINNINGS.values()
    for texts in sizes
    for text in texts
    for beginning in (text, *(f"{text}{digit}" for digit in range(10)))
    for size in (1, 2)
)
"""One digit, for a group of one, or two, with which a card can begin."""


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
    parts = _DIGITS.split(reading.text) if reading.numeric else []
    digits, joints = parts[1::2], parts[2:-1:2]
    lengths = list(map(len, digits))
    if sum(lengths) < _SHORTEST:
        return None
    positions = _long_enough(lengths)
    if positions:
        groups = _Groups.of(digits, lengths, joints)
        for first, end in groups.candidates(positions):
            if groups.are_set_as_a_card(first, end):
                places = [match.span() for match in _DIGITS.finditer(reading.text)]
                return places[first][0], places[end - 1][1]
    return _single_digits(reading.text) if lengths.count(1) >= _SHORTEST else None


def _long_enough(lengths: Sequence[int]) -> list[int]:
    """Return from which groups on so few have as many digits as a card."""
    counts = [*accumulate(lengths, initial=0)]
    reached = chain(counts[_CARDS.groups :], repeat(counts[-1]))
    pairs = enumerate(zip(counts, reached, strict=False))
    return [first for first, (count, reach) in pairs if reach - count >= _SHORTEST]


def _is_issued(groups: Sequence[str]) -> bool:
    excluded = zip(groups, CONTENT_V1.identifiers.excluded, strict=True)
    return not any(first <= group <= last for group, ranges in excluded for first, last in ranges)


@dataclass(frozen=True, slots=True)
class _Groups:
    """All digits of a text, in groups, with what stands between each and the next.

    `counts` are the digits before each group and, at last, all. `sums` are the digits up to each,
    every second one doubled: from the first on, and from the second on. So the check of Luhn costs
    the same for any run of groups.
    """

    digits: Sequence[str]
    joints: Sequence[str]
    counts: Sequence[int]
    sums: tuple[Sequence[int], Sequence[int]]

    @classmethod
    def of(cls, digits: Sequence[str], lengths: Sequence[int], joints: Sequence[str]) -> "_Groups":
        values = "".join(digits).encode("ascii").translate(_VALUES)
        counts = tuple(accumulate(lengths, initial=0))
        return cls(digits, joints, counts, (_sums(values, 0), _sums(values, 1)))

    def candidates(self, positions: Sequence[int]) -> Iterator[tuple[int, int]]:
        """Yield runs of groups that begin at `positions`, by first and end.

        They have the length and the check digit of a card.
        """
        counts, (even, odd) = self.counts, self.sums
        size, nearest = len(counts) - 1, 1
        for first in positions:
            if self.digits[first][:2] not in _FIRST_DIGITS:
                continue
            start = counts[first]
            while counts[nearest] - start < _SHORTEST:
                nearest += 1
            for end in range(nearest, min(first + _CARDS.groups, size) + 1):
                stop = counts[end]
                if stop - start > _LONGEST:
                    break
                total = odd[stop] - odd[start] if stop % 2 else even[stop] - even[start]
                if total % 10 == 0 and stop - start in _LENGTHS:
                    yield first, end

    def are_set_as_a_card(self, first: int, end: int) -> bool:
        """Tell whether these digits are of an issuer, and set as those of one card."""
        if end - first == 1 and self._is_fraction(first):
            return False
        gaps = set(self.joints[first : end - 1])
        if not all(map(_JOINT.fullmatch, gaps)):
            return False
        if any(len(gap) > 1 or gap not in _CARDS.joiners for gap in gaps) and (
            len(gaps) > 1 or tuple(map(len, self.digits[first:end])) not in _GROUPINGS
        ):
            return False
        return _is_of_an_issuer("".join(self.digits[first:end]))

    def _is_fraction(self, position: int) -> bool:
        return position > 0 and self.joints[position - 1] == "."


def _sums(values: bytes, first: int) -> tuple[int, ...]:
    """Return the sums of `values` up to each, every second one from `first` on doubled."""
    mixed = bytearray(values)
    mixed[first::2] = values.translate(_DOUBLED)[first::2]
    return tuple(accumulate(mixed, initial=0))


def _single_digits(text: str) -> Span | None:
    """Find a card whose digits stand one after the other; all in such a run must be its own."""
    for found in _SINGLES.finditer(text):
        digits = "".join(filter(str.isdigit, found[0]))
        if len(digits) in _LENGTHS and _passes_luhn(digits) and _is_of_an_issuer(digits):
            return found.span()
    return None


def _is_of_an_issuer(digits: str) -> bool:
    """Tell whether `digits`, which pass the check of Luhn, are a card and not goods."""
    beginnings = enumerate(_BEGINNINGS[len(digits)], 1)
    return (
        any(digits[:size] in texts for size, texts in beginnings)
        and digits.count(digits[0]) != len(digits)
        and not (len(digits) in _CARDS.retail and _passes_gtin(digits))
    )


def _passes_luhn(digits: str) -> bool:
    values = digits.encode("ascii").translate(_VALUES)
    return (sum(values[-1::-2]) + sum(values[-2::-2].translate(_DOUBLED))) % 10 == 0


def _passes_gtin(digits: str) -> bool:
    """Tell whether the last digit is the check digit of a number of goods."""
    values = digits.encode("ascii").translate(_VALUES)
    return (sum(values[-1::-2]) + 3 * sum(values[-2::-2])) % 10 == 0
