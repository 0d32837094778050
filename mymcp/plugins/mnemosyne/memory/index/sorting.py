"""A list that stays sorted, one change at a time or many at once."""

from bisect import bisect_left, insort
from typing import Generic, TypeVar

T = TypeVar("T", bound=tuple[object, ...])


class SortedList(Generic[T]):
    """Different tuples in ascending order.

    Between `load` and `loaded` changes are only noted, and nothing may be asked.
    """

    __slots__ = ("_is_loading", "_removed", "items")

    def __init__(self) -> None:
        self.items: list[T] = []
        self._removed: set[T] = set()
        self._is_loading = False

    def add(self, item: T) -> None:
        """Put `item` where it belongs."""
        if not self._is_loading:
            insort(self.items, item)
        elif item in self._removed:
            self._removed.discard(item)
        else:
            self.items.append(item)

    def remove(self, item: T) -> None:
        """Take out `item`, which is in."""
        if self._is_loading:
            self._removed.add(item)
        else:
            del self.items[self.position(item)]

    def position(self, item: tuple[object, ...]) -> int:
        """Return how many items come before `item`, which may be the beginning of one."""
        return bisect_left(self.items, item)

    def load(self) -> None:
        """Note what comes now, until `loaded`."""
        self._is_loading = True

    def loaded(self) -> None:
        """Put what came since `load` in order, all at once."""
        self._is_loading = False
        if self._removed:
            self.items = [item for item in self.items if item not in self._removed]
            self._removed.clear()
        self.items.sort()
