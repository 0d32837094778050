"""Postings: which records have a key. Most keys are rare, a few are nearly everywhere."""

from array import array
from bisect import bisect_left, insort
from collections.abc import Iterable

from mymcp.plugins.mnemosyne.memory.index.bits import BitSet, bits_of

FEW_MAX = 16
"""Up to here the records of a key are always kept as a list of numbers."""
FEW_SHARE = 256
"""Beyond, they are so until more than one in so many records has the key."""

_NUMBERS = "I"  # up to four thousand million records


class Postings:
    """The records of each key: one bare number, a sorted list of a few, or a set of bits.

    Between `load` and `loaded` numbers come in ascending order, and nothing may be asked.
    """

    __slots__ = ("_is_loading", "_members")

    def __init__(self) -> None:
        self._members: dict[str, int | array[int] | BitSet] = {}
        self._is_loading = False

    def __contains__(self, key: str) -> bool:
        return key in self._members

    def add(self, keys: Iterable[str], number: int) -> list[str]:
        """Say that record `number` has `keys`; return those that no record had."""
        members, new, is_loading = self._members, [], self._is_loading
        for key in keys:
            if key not in members:
                members[key] = number
                new.append(key)
                continue
            found = members[key]
            if type(found) is array:  # exact types: this is the bulk of loading
                if is_loading:
                    found.append(number)
                else:
                    members[key] = _inserted(found, number)
            elif isinstance(found, int):
                members[key] = array(_NUMBERS, sorted((found, number)))
            elif isinstance(found, BitSet):
                found.add(number)
        return new

    def remove(self, keys: Iterable[str], number: int) -> list[str]:
        """Say that record `number`, which has `keys`, is gone; return those that no record has."""
        members, gone = self._members, []
        for key in keys:
            found = members[key]
            if isinstance(found, BitSet):
                found.discard(number)
                is_left = bool(found)
            elif isinstance(found, int):
                is_left = False
            else:
                del found[bisect_left(found, number)]
                is_left = bool(found)
            if not is_left:
                del members[key]
                gone.append(key)
        return gone

    def load(self) -> None:
        """Only collect what comes now, until `loaded`."""
        self._is_loading = True

    def loaded(self) -> None:
        """Put what came since `load` into the form in which it is asked for."""
        self._is_loading = False
        many = [
            (key, found)
            for key, found in self._members.items()
            if isinstance(found, array) and _is_many(found)
        ]
        for key, found in many:
            self._members[key] = BitSet.of(found)

    def bits(self, key: str) -> int:
        """Return the set of the records that have `key`."""
        found = self._members.get(key)
        if found is None:
            return 0
        if isinstance(found, BitSet):
            return found.bits
        return 1 << found if isinstance(found, int) else bits_of(found)

    def has(self, key: str, number: int) -> bool:
        """Tell whether record `number` has `key`."""
        found = self._members.get(key)
        if found is None or isinstance(found, int):
            return found == number
        if isinstance(found, BitSet):
            return number in found
        place = bisect_left(found, number)
        return place < len(found) and found[place] == number


def _inserted(few: "array[int]", number: int) -> "array[int] | BitSet":
    insort(few, number)
    return BitSet.of(few) if _is_many(few) else few


def _is_many(few: "array[int]") -> bool:
    return len(few) > FEW_MAX and len(few) * FEW_SHARE > few[-1]
