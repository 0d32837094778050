"""Tallies: a number for every record, added up for whole sets at once.

The number of record `n` is written vertically: bit `n` of the first slice is its ones, of the
second its twos, and so on. Adding to all records of a set is then the addition that everybody
learned at school, on slices instead of digits.
"""

from itertools import count


class Tally:
    """Whole numbers, zero at first, for any records."""

    __slots__ = ("_slices",)

    def __init__(self) -> None:
        self._slices: list[int] = []

    def add(self, members: int, weight: int) -> None:
        """Add `weight`, zero or more, to the number of each record in the set `members`."""
        place = 0
        while weight and members:
            if weight & 1:
                self._carry(members, place)
            weight >>= 1
            place += 1

    def add_tally(self, other: "Tally", among: int, factor: int) -> None:
        """Add the numbers of `other`, times `factor`, for the records in the set `among`."""
        for place, members in enumerate(other._slices):
            self.add(members & among, factor << place)

    def at_least(self, least: int, among: int) -> int:
        """Return the records in `among` whose number is `least` or more."""
        above, equal = 0, among
        for place in reversed(range(max(len(self._slices), least.bit_length()))):
            higher = equal & self._slices[place] if place < len(self._slices) else 0
            if least >> place & 1:
                equal = higher
            else:
                above |= higher
                equal ^= higher
        return above | equal

    def highest(self, among: int) -> int:
        """Return the records in `among` that have the highest number of them all."""
        for members in reversed(self._slices):
            among = among & members or among
        return among

    def _carry(self, members: int, place: int) -> None:
        for at in count(place):
            while at >= len(self._slices):
                self._slices.append(0)
            before = self._slices[at]
            self._slices[at] = before ^ members
            members &= before
            if not members:
                return
