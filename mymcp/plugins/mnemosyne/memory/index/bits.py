"""Sets of record numbers as whole numbers: bit `n` says whether record `n` is in the set.

Python works on such a number as a whole, so that a hundred thousand records are united,
intersected or counted in a few microseconds.
"""

import re
from collections.abc import Iterator, Sequence
from typing import Self

_NOT_ZERO = re.compile(rb"[^\0]")
_SET_BITS = tuple(tuple(number for number in range(8) if byte >> number & 1) for byte in range(256))


class BitSet:
    """A set that changes. Its whole number is made when asked for, and kept until it changes."""

    __slots__ = ("_bits", "_bytes")

    def __init__(self) -> None:
        self._bytes = bytearray()
        self._bits: int | None = 0

    @classmethod
    def of(cls, numbers: Sequence[int]) -> Self:
        """Return the set of `numbers`, which ascend. Quick for many of them."""
        digits = bytearray(b"0") * (numbers[-1] + 1)
        last = numbers[-1]
        for number in numbers:
            digits[last - number] = 49  # a binary number begins with its highest digit: "1"
        made = cls()
        made._bytes = bytearray(int(digits, 2).to_bytes((last >> 3) + 1, "little"))
        made._bits = None
        return made

    @property
    def bits(self) -> int:
        """The set as one number."""
        bits = self._bits
        if bits is None:
            bits = self._bits = int.from_bytes(self._bytes, "little")
        return bits

    def __contains__(self, number: int) -> bool:
        place = number >> 3
        return place < len(self._bytes) and bool(self._bytes[place] >> (number & 7) & 1)

    def __bool__(self) -> bool:
        return bool(self.bits)

    def add(self, number: int) -> None:
        """Put `number`, zero or more, into the set."""
        place = number >> 3
        if place >= len(self._bytes):
            self._bytes.extend(bytes(place + 1 - len(self._bytes)))
        self._bytes[place] |= 1 << (number & 7)
        self._bits = None

    def discard(self, number: int) -> None:
        """Take `number` out of the set if it is in it."""
        place = number >> 3
        if place < len(self._bytes):
            self._bytes[place] &= ~(1 << (number & 7))
            self._bits = None


def bits_of(numbers: Sequence[int]) -> int:
    """Return the set of a few `numbers`, which ascend."""
    made = bytearray((numbers[-1] >> 3) + 1)
    for number in numbers:
        made[number >> 3] |= 1 << (number & 7)
    return int.from_bytes(made, "little")


def numbers_of(bits: int) -> Iterator[int]:
    """Yield the numbers in a set, in ascending order."""
    written = bits.to_bytes((bits.bit_length() + 7) // 8, "little")
    for found in _NOT_ZERO.finditer(written):
        place = found.start()
        for number in _SET_BITS[written[place]]:
            yield (place << 3) + number
