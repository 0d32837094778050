"""Postings: which records have a key. Most keys are rare, a few are nearly everywhere."""

from array import array
from bisect import bisect_left, insort

from mymcp.plugins.mnemosyne.memory.index.bits import BitSet, bits_of

FEW_MAX = 16
"""Up to here the records of a key are always kept as a list of numbers."""
FEW_SHARE = 256
"""Beyond, they are so until more than one in so many records has the key."""

_NUMBERS = "I"  # up to four thousand million records


class Postings:
    """The records of each key: one bare number, a sorted list of a few, or a set of bits."""

    __slots__ = ("_few", "_many")

    def __init__(self) -> None:
        self._few: dict[str, int | array[int]] = {}
        self._many: dict[str, BitSet] = {}

    def __contains__(self, key: str) -> bool:
        return key in self._few or key in self._many

    def add(self, key: str, number: int) -> None:
        """Say that record `number`, which did not have `key`, has it now."""
        many = self._many.get(key)
        if many is not None:
            many.add(number)
            return
        few = self._few.get(key)
        if few is None:
            self._few[key] = number
        elif isinstance(few, int):
            self._few[key] = array(_NUMBERS, sorted((few, number)))
        else:
            insort(few, number)
            if len(few) > FEW_MAX and len(few) * FEW_SHARE > few[-1]:
                self._many[key] = BitSet(few)
                del self._few[key]

    def remove(self, key: str, number: int) -> None:
        """Say that record `number`, which had `key`, has it no longer."""
        many = self._many.get(key)
        if many is not None:
            many.discard(number)
            if not many:
                del self._many[key]
            return
        few = self._few[key]
        if isinstance(few, int):
            del self._few[key]
            return
        del few[bisect_left(few, number)]
        if len(few) == 1:
            self._few[key] = few[0]

    def bits(self, key: str) -> int:
        """Return the set of the records that have `key`."""
        many = self._many.get(key)
        if many is not None:
            return many.bits
        few = self._few.get(key)
        if few is None:
            return 0
        return 1 << few if isinstance(few, int) else bits_of(few, few[-1])

    def has(self, key: str, number: int) -> bool:
        """Tell whether record `number` has `key`."""
        many = self._many.get(key)
        if many is not None:
            return number in many
        few = self._few.get(key)
        if few is None or isinstance(few, int):
            return few == number
        place = bisect_left(few, number)
        return place < len(few) and few[place] == number
